// What is seen of a load run while it runs: lines that fit, with progress, failures by kind and the histogram.
module Plait.Load.Tests.AttackBoards

open System
open Xunit

open Plait.Load
open Plait.Common
open Plait.Tests.Support

let private plan = (RandomOutcomes.plain "a" 1).Outcome.Plan

let private second at (durations: int64 list) (failures: (RequestResult * int64) list) : Second =
    let latency = RandomHistograms.record durations

    {
        At = at
        Seconds = 1
        Due = int64 durations.Length
        Right = int64 durations.Length
        Failed = failures |> List.sumBy snd
        Failures = Map.ofList failures
        InFlight = 3
        Latency = latency
        Actual = latency
    }

let private board (plan: Plan) (seconds: Second list) : AttackBoard =
    let board = AttackBoard plan
    List.iter board.Add seconds
    board

let private text (board: AttackBoard) width height =
    board.Lines(width, height) |> List.map snd |> String.concat "\n"

let private tenSeconds =
    { plan with Duration = TimeSpan.FromSeconds 10L; MaxRequests = None; Data = None }

let private busy =
    [
        for at in 0..3 do
            second
                at
                [ for one in 1L .. 1000L -> one * 100_000L ]
                [ RequestResult.TimedOut, 3L; RequestResult.Reset, 10L; RequestResult.WrongStatus, 1L ]
    ]

[<Fact>]
let ``the board fits a terminal of any width and height`` () =
    let board = board tenSeconds busy

    for width in [ 1; 5; 20; 40; 60; 80; 120; 300 ] do
        for height in [ 1; 3; 8; 12; 24; 50 ] do
            let lines = board.Lines(width, height)
            Assert.True(lines.Length <= height, $"{lines.Length} lines of {height}")
            Assert.All(lines, fun (_, line) -> Assert.True(line.Length <= width, line))

[<Fact>]
let ``on a narrow terminal whole figures are left out, and none is cut`` () =
    let line (name: string) width =
        (text (board tenSeconds busy) width 24).Split '\n' |> Array.find _.StartsWith(name)

    Assert.Equal("rate     1,000/s right, 1,000/s due, 3 in flight", line "rate" 80)
    Assert.Equal("rate     1,000/s right, 1,000/s due", line "rate" 40)
    Assert.Equal("rate     1,000/s right", line "rate" 30)
    Assert.Equal((line "latency" 200).Split("  max")[0], line "latency" 40)

[<Fact>]
let ``the curve of the p99s has its scale`` () =
    let durations at =
        [ for _ in 1..10 -> pown 10L at * 1_000_000L ]

    let board = board tenSeconds [ for at in 0..2 -> second at (durations at) [] ]
    Assert.Matches(@"(?m)^p99      ▁.█  1\.?0* ?ms to 100\.?0* ?ms\r?$", text board 80 24)

[<Fact>]
let ``progress is a bar by time or by the number of requests`` () =
    let at width plan =
        (text (board plan busy) width 24).Split('\n')[0]

    Assert.Matches(@"^time     █{16}░{24}  40 %  4/10 s$", at 100 tenSeconds)
    Assert.Matches(@"^time     █+░+  40 %  4/10 s$", at 50 tenSeconds)

    // 4,056 requests are over
    let counted = { tenSeconds with MaxRequests = Some 8112L }
    Assert.Matches(@"^time     █{20}░{20}  50 %  4,056 of 8,112 requests, 4/10 s$", at 120 counted)

    // The number of a share depends on the requests of its warm-up.
    let share =
        { counted with
            Model = Open(Constant 100.0, 8)
            Share = { Index = 0; Of = 2 }
            MaxRequests = Some 16224L
            Threads = 1
            WarmUp = TimeSpan.Zero
        }

    Assert.Contains("4,056 of 8,112 requests", at 120 share)

    let afterWarmUp = at 120 { share with WarmUp = TimeSpan.FromSeconds 1. }
    Assert.EndsWith("40 %  4/10 s", afterWarmUp)

[<Fact>]
let ``a run without an end has no bar`` () =
    let endless = { plan with Duration = Plan.endless; MaxRequests = None; Data = None }
    let board = board endless busy
    let line = (text board 100 24).Split('\n')[0]
    Assert.Equal("time     4 s, until Ctrl-C", line)
    Assert.StartsWith("[4 s] 1000 due, 1000 right, 14 failed, 3 in flight, ", board.Plain)

[<Fact>]
let ``failures are named by their kind, most of all first`` () =
    let board = board tenSeconds busy
    let all = text board 100 24
    Assert.Contains("failed   56 of 4,056\n         reset 40, timed out 12, wrong status 4", all)
    // those of the last second
    Assert.EndsWith(", failed: reset 10, timed out 3, wrong status 1", board.Plain)

    Assert.Contains(
        LineKind.Bad,
        board.Lines(100, 24)
        |> List.filter (fun (_, line) -> line.StartsWith "failed")
        |> List.map fst
    )

[<Fact>]
let ``the histogram is of all right responses so far, and grows with them`` () =
    let counts (board: AttackBoard) =
        text board 100 24
        |> _.Split(" responses\n")
        |> Array.last
        |> _.Split('\n')
        |> Array.map (fun line -> int ((line.Trim().Split ' ' |> Array.last).Replace(",", "")))

    for seconds in 1..4 do
        let counts = counts (board tenSeconds (List.truncate seconds busy))
        Assert.Equal(1000 * seconds, Array.sum counts)
        Assert.Equal(12, counts.Length)

[<Fact>]
let ``before the first second the board has the current step`` () =
    Assert.Equal("time     connecting", text (board tenSeconds []) 80 24)

    let warming = { tenSeconds with WarmUp = TimeSpan.FromSeconds 5L }
    Assert.Equal("time     warming up for 5 s", text (board warming []) 80 24)
