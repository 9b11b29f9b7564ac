// Coordinated omission: a server that stalls is seen by the clock that starts when a request was due, whatever the model of
// sockets and threads behind it. Times are compared by their ratio to the stall, which is long against any noise.
module Plait.Load.Tests.AttackStalls

open System.Diagnostics
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

// One stall of 400 ms, a fifth of the run.
let private stall = 400L

let private stalling () =
    let clock = Stopwatch.StartNew()

    new Counting(fun counting connection ->
        while connection.Request() do
            let into = clock.ElapsedMilliseconds % 2000L

            if into >= 1000L && into < 1000L + stall then
                Thread.Sleep(int (1000L + stall - into))

            counting.Right(connection, Response.ok body))

[<Fact>]
let ``a stall shows in latencies from the intended start alone`` () =
    use counting = stalling ()

    // As many connections as requests: none waits for one, however busy the machine is.
    let outcome =
        plan $"{counting.Server.Url}/" (Open(Constant 500.0, 1000)) 2000 |> attack

    wholly 1000L counting.Sent outcome
    let half = stall * 1_000_000L / 2L
    let byIntended = outcome.Counts.Intended.Percentile 95.0
    Assert.True(byIntended > half, $"p95 by the intended clock is {byIntended} ns")
    Assert.Equal(0L, outcome.Counts.Waited.Count)
    // What was due in the stall belongs to its second.
    Assert.Equal<int64 list>([ 500L; 500L ], outcome.Seconds |> List.take 2 |> List.map _.Due)

[<Fact>]
let ``with too few connections a stall is a wait for a connection, which marks latencies`` () =
    use counting = stalling ()
    // In the stall only two requests are out.
    let outcome =
        plan $"{counting.Server.Url}/" (Open(Constant 500.0, 2)) 2000 |> attack

    wholly 1000L counting.Sent outcome
    let half = stall * 1_000_000L / 2L
    let byActual = outcome.Counts.Actual.Percentile 99.0
    Assert.True(byActual < half, $"p99 by the actual clock is {byActual} ns")
    Assert.True(outcome.Counts.Waited.Count >= 150L, $"{outcome.Counts.Waited.Count} waited")
    Assert.True(outcome.Counts.Waited.Percentile 95.0 > half)
    Assert.Equal(outcome.Right, outcome.Counts.Intended.Count)
    Assert.True(outcome.Counts.Intended.Percentile 95.0 > half)
    // Unless the machine stood still until the end.
    Assert.Equal(
        (count RequestResult.Unsent outcome > 0L),
        outcome.Invalid |> List.exists _.Contains("connections ran out")
    )

    Assert.Contains(
        "waited because all 2 were in use: raise --max-connections",
        String.concat ";" outcome.Doubts
    )

    // A rule has an answer if the waits do not change it.
    let answer rule =
        { outcome with Plan = { outcome.Plan with Rules = [ Rule.parse rule ] } }.Verdicts
        |> List.map Rule.answer

    Assert.Equal<string list>([ "kept" ], answer "p95<1h")
    Assert.Equal<string list>([ "OPEN" ], answer $"p95<{half}ns")
    Assert.Equal<string list>([ "BROKEN" ], answer "p95<1us")
    // And by fault: the requests waited for connections.
    Assert.True(outcome.Counts.Lag.Percentile 95.0 > half)
    Assert.True(outcome.Counts.GeneratorLag.Percentile 95.0 < half)
