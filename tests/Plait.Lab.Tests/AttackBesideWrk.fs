// The load engine in the closed model beside wrk: requests/s on one core, of the same server on another. The two take turns
// (A B B A), and what counts is the ratio of the two halves of a pair, so a busy machine slows both. Pairs are added until
// the interval of their median is above the goal; only one that is wholly below it fails.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>); Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.AttackBesideWrk

open System
open System.Diagnostics
open System.Globalization
open System.Text.RegularExpressions
open System.Threading
open Xunit

open Plait.Load
open Plait.Lab
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer

let private goal = 0.85
let private leastPairs = 4
let private mostPairs = 8
let private connections = 16

/// What the ratios say so far.
type private Judgement =
    | Enough
    | More
    | Below
    | Unclear

let private judge (ratios: float list) : Judgement * Statistics.Estimate =
    let estimate = (Statistics.estimate (Random 1) [ ratios ]).Value

    let judgement =
        if estimate.Pairs >= leastPairs && estimate.Low >= goal then Enough
        elif estimate.Pairs < mostPairs then More
        elif estimate.High < goal then Below
        elif estimate.Median >= goal then Enough
        else Unclear

    judgement, estimate

/// Ratios, and what is to be made of them.
let private judged: (float list * Judgement) list =
    [
        [ 1.02; 0.99; 1.1 ], More
        [ 1.02; 0.99; 1.1; 1.05 ], Enough
        [ 1.02; 0.8; 1.1; 1.05 ], More
        [ 0.7; 0.7; 0.7; 0.7 ], More
        List.replicate 7 0.84, More
        List.replicate 8 0.84, Below
        // Four and four: the median is between them, and the interval holds both.
        List.replicate 4 0.7 @ List.replicate 4 0.95, Unclear
        List.replicate 4 0.7 @ List.replicate 4 1.1, Enough
    ]

[<Fact>]
let ``few pairs or an interval on both sides of the goal ask for more, and only one below it fails`` () =
    for ratios, expected in judged do
        Assert.Equal(expected, fst (judge ratios))

/// One program's run: what it counted, and its requests/s.
type private Turn = { Requests: int64; PerSecond: float }

let private wrk (core: int option) (url: string) : Turn =
    let code, said =
        InstalledProgram.run
            "wrk"
            [ "-t1"; $"-c{connections}"; "-d1s"; url ]
            "run 'make wrk', or 'apt-get install wrk'"
            (fun info -> Affinity.withCore core (fun () -> Process.Start info))

    Assert.True((code = 0), said)
    Assert.DoesNotContain("Socket errors", said)
    Assert.DoesNotContain("Non-2xx", said)

    let number (pattern: string) =
        let found = Regex.Match(said, pattern)
        Assert.True(found.Success, said)
        found.Groups[1].Value

    {
        Requests = Int64.Parse(number @"(\d+) requests in ", CultureInfo.InvariantCulture)
        PerSecond = Double.Parse(number @"Requests/sec: +([\d.]+)", CultureInfo.InvariantCulture)
    }

let private ours (generator: AttackProcess) (url: string) : Turn =
    let plan = { plan url (Closed connections) 1000 with ExpectBody = None }

    let outcome = generator.Run(plan, ignore, CancellationToken.None)
    Assert.Equal(outcome.Requests, outcome.Right)
    { Requests = outcome.Requests; PerSecond = outcome.RightPerSecond }

/// The null server, and what it saw.
type private Server(core: int option) =
    let server, ready =
        LineProcess.Start(
            {
                Subject = "the null server"
                File = Built.dotnet
                Arguments = [ Built.tool (); "null-server" ]
                Variables = []
                Core = core
            },
            30000
        )

    let ask (name: string) =
        server.Ask("counting", "how many?", 30000).GetProperty(name).GetInt64()

    member _.Url = $"""http://127.0.0.1:{ready.GetProperty("port").GetInt32()}/"""

    /// All requests so far, when every connection is over and so nothing is on its way any more.
    member _.Requests =
        Within.comes "no connection is open" (fun () -> ask "connections" = 0L)
        ask "requests"

    interface IDisposable with
        member _.Dispose() = (server :> IDisposable).Dispose()

/// A turn, and how many requests the server counted during it.
let private counted (server: Server) (turn: string -> Turn) : Turn * int64 =
    let before = server.Requests
    let turn = turn server.Url
    turn, server.Requests - before

[<Fact>]
let ``the closed model makes as many requests a second as wrk, and both counts are the server's`` () =
    let place = Affinity.place (OperatingSystem.IsLinux()) (Affinity.allowed ())
    use server = new Server(place.Server)

    let command = [ Built.dotnet; Built.tool (); "attack-worker" ]
    use generator = AttackProcess.Start(command, place.Client, 30000)

    let ourTurn () =
        let turn, seen = counted server (ours generator)
        Assert.Equal(seen, turn.Requests)
        turn.PerSecond

    let theirTurn () =
        let turn, seen = counted server (wrk place.Client)
        // When its time is over, wrk leaves without waiting for the responses that are on their way.
        Assert.InRange(seen, turn.Requests, turn.Requests + int64 connections)
        turn.PerSecond

    let pair (number: int) =
        if number % 2 = 0 then
            let mine = ourTurn ()
            mine / theirTurn ()
        else
            let theirs = theirTurn ()
            ourTurn () / theirs

    // The first turns warm the server and the generator.
    theirTurn () |> ignore
    ourTurn () |> ignore

    let rec compare (ratios: float list) =
        let ratios = pair ratios.Length :: ratios

        match judge ratios with
        | More, _ -> compare ratios
        | judgement, estimate -> judgement, estimate

    let judgement, estimate = compare []

    let said =
        $"{estimate.Median:F3} of what wrk does (from {estimate.Low:F3} to {estimate.High:F3}, {estimate.Pairs} pairs)"

    TestContext.Current.TestOutputHelper |> Option.ofObj |> Option.iter _.WriteLine(said)
    Assert.SkipWhen((judgement = Unclear), $"the machine is too busy to tell whether it is {goal}: {said}")
    Assert.True((judgement = Enough), said)
