// Several generators that load one server together: what each of them sends, and their runs as one.
module Plait.Load.Tests.Shares

open System
open System.Collections.Concurrent
open System.IO
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private shared (count: int) (plan: Plan) : Plan list =
    [ for index in 0 .. count - 1 -> { plan with Share = { Index = index; Of = count } } ]

let private intended (outcome: Outcome) =
    outcome.Samples |> Array.map (fun sample -> sample.Intended) |> Array.sort |> List.ofArray

let private refusal (action: unit -> 'T) : string =
    Assert.Throws<BadInput>(Action(action >> ignore)).Message

[<Theory; InlineData(1, 3); InlineData(2, 2)>]
let ``shares have the requests of one schedule among them, each once`` (threads: int, count: int) =
    use counting = sometimes Int64.MaxValue ""

    for arrivals in
        [
            Constant 200.0
            Poisson 200.0
            Ramp(50.0, 350.0)
            Steps([ 100.0; 300.0 ], TimeSpan.FromMilliseconds 150.)
        ] do
        let plan =
            { plan $"{counting.Server.Url}/" (Open(arrivals, 60)) 300 with Threads = threads }

        let whole = attack plan
        let parts = shared count plan |> List.map attack
        Assert.Equal<int64 list>(intended whole, parts |> List.collect intended |> List.sort)
        Assert.All(parts, fun part -> Assert.InRange(part.Requests, 10L, whole.Requests / 2L + 2L))
        Assert.All(parts, fun part -> Assert.Equal(60 / count, part.MaxConnections))

        for step in whole.Steps do
            let same =
                parts |> List.map (fun part -> part.Steps[List.findIndex ((=) step) whole.Steps])

            Assert.Equal(step.Due, same |> List.sumBy _.Due)
            Assert.Equal(step.PerSecond, same |> List.sumBy _.PerSecond, 6)

[<Theory; InlineData 1; InlineData 2>]
let ``shares have the rows of the data and the numbers of requests among them, each once`` (threads: int) =
    let seen = ConcurrentBag<string>()

    use server =
        new Loopback(fun connection ->
            while connection.Request() do
                seen.Add(connection.Head.Split(' ')[1])
                connection.Send(Response.ok body))

    use folder = new Built.Folder()
    let rows = folder.File "rows.csv"
    File.WriteAllText(rows, "id\n" + String.concat "\n" [ for row in 0..16 -> string row ] + "\n")

    let plan =
        { plan $"{server.Url}/{{{{id}}}}/{{{{seq}}}}" (Closed 12) 60_000 with
            Duration = Plan.endless
            Data = Some { File = rows; Order = Once }
            Threads = threads
        }

    let requests = shared 3 plan |> List.map (attack >> _.Requests)
    Assert.Equal<int64 list>([ 6L; 6L; 5L ], requests)

    Assert.Equal<string list>(
        [ for row in 0..16 -> $"/{row}/{row}" ] |> List.sort,
        List.ofSeq seen |> List.sort
    )

[<Fact>]
let ``a share that would have nothing is refused`` () =
    let plan = plan "http://h/" (Closed 4) 100

    let of' index count plan =
        { plan with Share = { Index = index; Of = count } }

    Plan.check (plan |> of' 3 4)
    Assert.Contains("share 5 of 5 would have no connection", refusal (fun () -> Plan.check (plan |> of' 4 5)))

    Assert.Contains(
        "share 3 of 4 would have no request",
        refusal (fun () -> Plan.check ({ plan with MaxRequests = Some 2L } |> of' 2 4))
    )

    Assert.Contains(
        "2 threads cannot share 1 connections",
        refusal (fun () -> Plan.check ({ plan with Threads = 2 } |> of' 1 4))
    )

[<Theory; InlineData 1; InlineData 2>]
let ``the counted part begins at its time, after the warm-up`` (threads: int) =
    use counting = sometimes Int64.MaxValue ""
    let time = DateTime.UtcNow + TimeSpan.FromMilliseconds 900.

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 50.0, 8)) 200 with
            StartAt = Some time
            WarmUp = TimeSpan.FromMilliseconds 100.
            Threads = threads
        }
        |> attack

    Assert.Equal(10L, outcome.Requests)
    // The clock of the machine and that of the engine are read one after the other.
    Assert.InRange((outcome.StartedUtc - time).TotalMilliseconds, -20., 20.)

// Runs as one.

let private named (outcomes: Outcome list) : (string * Recording) list =
    outcomes
    |> List.mapi (fun at outcome ->
        $"m{at + 1}", { RandomOutcomes.plain "run" 1 with Name = "run"; Warnings = []; Outcome = outcome })

let private whole (rules: string list) (runs: (string * Recording) list) : Recording =
    match WholeRun.ofRuns (rules |> List.map Rule.parse) "plait merge" runs with
    | Ok recording -> recording
    | Error why -> failwith why

/// A share of 300/s whose requests took 1 to `count` ms.
let private part (index: int) (count: int) : Outcome =
    let outcome = (RandomOutcomes.plain "run" count).Outcome

    { outcome with
        Plan = { outcome.Plan with Model = Open(Constant 300.0, 30); Share = { Index = index; Of = 3 } }
    }

let private parts = [ part 0 100; part 1 50; part 2 30 ]

[<Fact>]
let ``the shares of a load are one run of it, with the percentiles of all requests`` () =
    let recording = whole [] (named parts)
    let outcome = recording.Outcome
    Assert.Equal<string list>([], outcome.Invalid)

    Assert.Equal(
        { parts.Head.Plan with Share = Share.Whole; Threads = 3 * parts.Head.Plan.Threads },
        outcome.Plan
    )

    Assert.Equal((180L, 180L), (outcome.Requests, outcome.Right))

    for read in
        [ (fun (counts: RunCounts) -> counts.Intended); _.Unlagged; _.Actual; _.GeneratorLag; _.Connects ] do
        let sum = parts |> List.map (fun part -> read part.Counts) |> Histogram.Sum
        Assert.Equal(RandomHistograms.content sum, RandomHistograms.content (read outcome.Counts))

    Assert.Equal(180L, outcome.Seconds |> List.sumBy _.Right)
    Assert.Equal(180, outcome.Samples.Length)
    // It is a run like others.
    let again = OutcomeJson.read "x" (OutcomeJson.write recording)
    Assert.Equal(outcome.Requests, again.Outcome.Requests)
    Assert.Equal<string list>(outcome.Invalid, again.Outcome.Invalid)

[<Fact>]
let ``seconds stand together by the clocks of the machines`` () =
    let late (seconds: float) (outcome: Outcome) =
        { outcome with StartedUtc = outcome.StartedUtc + TimeSpan.FromSeconds seconds }

    let recording = whole [] (named [ late 1.0 parts[0]; parts[1]; late 0.04 parts[2] ])
    let outcome = recording.Outcome
    Assert.Equal(parts[1].StartedUtc, outcome.StartedUtc)
    Assert.Equal(parts[0].Elapsed + TimeSpan.FromSeconds 1., outcome.Elapsed)
    Assert.Contains("m1 began 1s after m2", Assert.Single recording.Warnings)

    let rights (outcome: Outcome) =
        outcome.Seconds |> List.map (fun second -> second.At, second.Right)

    let moved = rights parts[0] |> List.map (fun (at, right) -> at + 1, right)

    let expected =
        moved @ rights parts[1] @ rights parts[2]
        |> List.groupBy fst
        |> List.map (fun (at, all) -> at, List.sumBy snd all)
        |> List.sort

    Assert.Equal<(int * int64) list>(expected, rights outcome)
    let first = parts[0].Samples |> Array.map _.Intended |> Array.min
    Assert.Contains(first + 1_000_000_000L, outcome.Samples |> Array.map _.Intended)

    // A run of more than two hours has joined seconds: all are joined to as many.
    let joined =
        { parts[1] with Seconds = [ { parts[1].Seconds.Head with At = 0; Seconds = 4 } ] }

    let mixed = (whole [] (named [ parts[0]; joined; parts[2] ])).Outcome

    Assert.Equal<(int * int) list>(
        [ 0, 4 ],
        mixed.Seconds |> List.map (fun second -> second.At, second.Seconds)
    )

    Assert.Equal(100L + joined.Seconds.Head.Right + 30L, mixed.Seconds |> List.sumBy _.Right)

[<Fact>]
let ``an invalid part is named, and so are a stopped one and a share that is missing`` () =
    let invalid =
        [ { parts[0] with Invalid = [ "it was late" ] }; { parts[2] with Stopped = true } ]

    Assert.Equal<string list>(
        [ "m1: it was late"; "m2: it was stopped before its end"; "shares are missing: 2/3" ],
        (whole [] (named invalid)).Outcome.Invalid
    )

    // The load is that of the shares that are there.
    Assert.Equal(Open(Constant 200.0, 20), (whole [] (named invalid)).Outcome.Plan.Model)

    Assert.Contains(
        "m1 and m3 are both share 1/3",
        refusal (fun () -> WholeRun.ofRuns [] "" (named [ parts[0]; parts[1]; parts[0] ]))
    )

    let other =
        { parts[1] with Plan = { parts[1].Plan with Share = { Index = 1; Of = 4 } } }

    Assert.Contains(
        "of 3 and 4 generators",
        Assert.Single (whole [] (named [ parts[0]; other ])).Outcome.Invalid
    )

[<Fact>]
let ``runs that are no shares are one run of their loads together`` () =
    let run (model: Model) (url: string) =
        { parts[0] with
            Plan =
                { parts[0].Plan with
                    Share = Share.Whole
                    Model = model
                    Requests = [ get url; get "http://h/both" ]
                }
            Samples = parts[0].Samples |> Array.map (fun sample -> { sample with Request = 0 })
        }

    let sum one other =
        (whole [] (named [ run one "http://h/a"; run other "http://h/b" ])).Outcome

    let outcome = sum (Open(Constant 100.0, 5)) (Open(Constant 150.0, 7))
    Assert.Equal(Open(Constant 250.0, 12), outcome.Plan.Model)

    let url (sample: Sample) =
        outcome.Plan.Requests[sample.Request].Url.AbsolutePath

    Assert.Equal<(string * int) list>(
        [ "/a", 100; "/b", 100 ],
        outcome.Samples |> Array.countBy url |> List.ofArray |> List.sort
    )

    Assert.Equal(Closed 12, (sum (Closed 5) (Closed 7)).Plan.Model)

    Assert.Equal(
        Open(Ramp(3.0, 30.0), 2),
        (sum (Open(Ramp(1.0, 10.0), 1)) (Open(Ramp(2.0, 20.0), 1))).Plan.Model
    )

    let steps rates =
        Open(Steps(rates, TimeSpan.FromSeconds 1.), 1)

    let stepped =
        (RandomOutcomes.ofSamples
            { parts[0].Plan with Share = Share.Whole; Model = steps [ 1.0; 2.0 ] }
            (List.ofArray parts[0].Samples))

    let both = (whole [] (named [ stepped; stepped ])).Outcome
    Assert.Equal(Open(Steps([ 2.0; 4.0 ], TimeSpan.FromSeconds 1.), 2), both.Plan.Model)
    Assert.Equal<float list>([ 2.0; 4.0 ], both.Steps |> List.map _.PerSecond)

    for one, other in
        [
            Closed 1, Open(Constant 1.0, 1)
            Open(Constant 1.0, 1), Open(Poisson 1.0, 1)
            steps [ 1.0 ], steps [ 1.0; 2.0 ]
        ] do
        match
            WholeRun.ofRuns
                []
                ""
                (named [ run one "http://h/a"; run other "http://h/a"; run one "http://h/c" ])
        with
        | Error why -> Assert.Equal("their loads are of different shapes", why)
        | Ok _ -> Assert.Fail $"{one} and {other}"

    let after =
        let first = run (Closed 1) "http://h/a"
        { first with StartedUtc = first.StartedUtc + TimeSpan.FromMinutes 1. }

    match WholeRun.ofRuns [] "" (named [ run (Closed 1) "http://h/a"; after ]) with
    | Error why -> Assert.Equal("they did not load at the same time", why)
    | Ok _ -> Assert.Fail "they are one after the other"

[<Fact>]
let ``rules are judged for the whole`` () =
    let sound =
        parts |> List.map (fun part -> { part with Counts.Unlagged = part.Counts.Intended })
    // 77 of 180 took more than 40 ms: more than of the third alone, and less than of the first.
    let answers rules =
        (whole rules (named sound)).Outcome.Verdicts |> List.map Rule.answer

    Assert.Equal<string list>([ "kept"; "BROKEN" ], answers [ "success>99%"; "p99<40ms" ])
    Assert.Equal<string list>([], answers [])

    let ruled rules =
        sound
        |> List.map (fun part -> { part with Plan = { part.Plan with Rules = rules |> List.map Rule.parse } })

    Assert.Single((whole [] (named (ruled [ "p99<40ms" ]))).Outcome.Verdicts) |> ignore
