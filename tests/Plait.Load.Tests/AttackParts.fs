// The parts of the load engine by themselves: schedules, the reader of responses, which samples are kept, both pollers, and plans and
// outcomes as JSON.
module Plait.Load.Tests.AttackParts

open System
open System.IO
open System.Text
open System.Text.Json
open System.Threading
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private starts arrivals (warmUp: float) (seconds: float) seed =
    let schedule =
        Schedule(arrivals, TimeSpan.FromSeconds warmUp, TimeSpan.FromSeconds seconds, seed)

    [
        while schedule.Next < Int64.MaxValue do
            schedule.Next
            schedule.Advance()
    ]

let private second = 1_000_000_000L

[<Fact>]
let ``constant arrivals are evenly spaced, those of the warm-up before zero`` () =
    Assert.Equal<int64 list>(
        [ -2L; -1L; 0L; 1L; 2L; 3L ] |> List.map (fun i -> i * second / 4L),
        starts (Constant 4.0) 0.5 1.0 1
    )

[<Fact>]
let ``a ramp has the mean of its rates and begins and ends with them`` () =
    let all = starts (Ramp(100.0, 300.0)) 1.0 10.0 1
    let warm, counted = all |> List.partition (fun start -> start < 0L)
    Assert.Equal((100, 2000), (warm.Length, counted.Length))

    let within from until =
        counted
        |> List.filter (fun start -> start >= from * second && start < until * second)
        |> List.length

    Assert.InRange(within 0L 1L, 109, 111)
    Assert.InRange(within 9L 10L, 289, 291)
    Assert.Equal<int64 list>(List.sort counted, counted)

[<Fact>]
let ``a ramp down to almost nothing ends`` () =
    Assert.InRange((starts (Ramp(100.0, 0.001)) 0.0 10.0 1).Length, 499, 501)

[<Fact>]
let ``steps hold each rate for its time, and the warm-up has the first`` () =
    let all = starts (Steps([ 4.0; 0.5; 8.0 ], TimeSpan.FromSeconds 1.)) 0.5 3.0 1

    Assert.Equal<int64 list>(
        [ for at in -2L .. 3L -> at * second / 4L ]
        @ [ second ]
        @ [ for at in 0L .. 7L -> 2L * second + at * second / 8L ],
        all
    )

[<Fact>]
let ``each request of a run in steps counts for the step in which it was due`` () =
    use counting = sometimes Int64.MaxValue ""
    let rates, each = [ 50.0; 200.0; 100.0 ], TimeSpan.FromMilliseconds 400.

    let outcome =
        plan $"{counting.Server.Url}/" (Open(Steps(rates, each), 16)) 1200 |> attack

    Assert.Equal<float list>(rates, outcome.Steps |> List.map _.PerSecond)
    Assert.Equal<int64 list>([ 20L; 80L; 40L ], outcome.Steps |> List.map _.Due)
    Assert.Equal(outcome.Right, outcome.Steps |> List.sumBy _.Right)
    Assert.InRange(outcome.Steps |> List.sumBy _.Answered, 1L, outcome.Right)

    let sum = outcome.Steps |> List.map _.Intended |> Histogram.Sum
    Assert.Equal(RandomHistograms.content outcome.Counts.Intended, RandomHistograms.content sum)

[<Fact>]
let ``Poisson arrivals have the rate, exponential gaps, and the same seed gives the same`` () =
    let all = starts (Poisson 1000.0) 0.0 20.0 7
    Assert.Equal<int64 list>(all, starts (Poisson 1000.0) 0.0 20.0 7)
    Assert.NotEqual<int64 list>(all, starts (Poisson 1000.0) 0.0 20.0 8)
    // Five standard deviations.
    Assert.InRange(all.Length, 19300, 20700)
    let gaps = all |> List.pairwise |> List.map (fun (one, next) -> float (next - one))
    let mean = List.average gaps

    let deviation = gaps |> List.averageBy (fun gap -> (gap - mean) ** 2.0) |> Math.Sqrt

    Assert.InRange(deviation / mean, 0.95, 1.05)

[<Fact>]
let ``a response reads the same when it is cut anywhere`` () =
    let responses =
        [
            Response.ok body
            "HTTP/1.1 100 Continue\r\n\r\n" + Response.ok body
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10;a=b\r\n"
            + body
            + "\r\n0\r\nT: x\r\n\r\n"
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        ]

    let cases = Gen.zip (Gen.elements responses) (Gen.listOf (Gen.choose (1, 40)))

    Laws.forEach 500 cases (fun (text, cuts) ->
        let reader = ResponseReader(null, 1024)
        reader.Start false
        let bytes = Encoding.ASCII.GetBytes text
        let mutable at = 0
        let mutable last = ResponseProgress.Incomplete
        let mutable left = cuts

        while at < bytes.Length && last = ResponseProgress.Incomplete do
            let piece =
                match left with
                | next :: rest ->
                    left <- rest
                    min next (bytes.Length - at)
                | [] -> bytes.Length - at

            Array.blit bytes at reader.Buffer reader.Filled piece
            at <- at + piece
            last <- reader.Take piece

        last = ResponseProgress.Complete
        && at = bytes.Length
        && reader.Extra = 0
        && reader.Status = 200
        && reader.BodyLength = (if text.Contains "Length: 0" then 0L else int64 body.Length))

[<Fact>]
let ``the kept samples are the worst ones, in order`` () =
    let kept = WorstSamples 8

    for index in 0..99 do
        let worst = index = 41 || index = 86

        let at = int64 index
        let sample = RandomOutcomes.rightSample at at (at + (if worst then 1000L else 1L))
        kept.Add(if index = 63 then { sample with Result = RequestResult.Reset } else sample)

    let all = kept.ToArray()
    Assert.InRange(all.Length, 4, 8)
    Assert.Equal<int64[]>(all |> Array.map _.Intended |> Array.sort, all |> Array.map _.Intended)

    for index in [ 41L; 63L; 86L ] do
        Assert.Contains(all, Predicate(fun (sample: Sample) -> sample.Intended = index))

[<Fact>]
let ``the poller of other systems counts the same results`` () =
    use counting = sometimes 5L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"

    let plan =
        { requests $"{counting.Server.Url}/" (Open(Constant 100.0, 4)) 30L with
            ExpectBody = None
        }

    let outcome =
        Tasks.Task.Run(fun () ->
            Attack.runWith
                (fun () -> new SelectPoller())
                Attack.usuallyKept
                plan
                ignore
                CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal((24L, 6L), (outcome.Right, count RequestResult.WrongStatus outcome))
    Assert.Equal((24L, 6L), (counting.Sent, counting.Spoiled))

[<Fact>]
let ``a run keeps the requested number of single requests`` () =
    use counting = sometimes Int64.MaxValue ""
    let plan = plan $"{counting.Server.Url}/" (Open(Constant 400.0, 4)) 200

    for kept, least, most in [ 8, 4, 8; 79, 39, 79; 80, 80, 80; 1000, 80, 80 ] do
        let outcome = Attack.runKeeping kept plan (fun _ -> ignore) CancellationToken.None
        Assert.Equal(80L, outcome.Requests)
        Assert.InRange(outcome.Samples.Length, least, most)

[<Theory; InlineData false; InlineData true>]
let ``the limit of watched sockets is the generator's own limit`` (isHttp2: bool) =
    use counting = sometimes 5L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"
    let usual = requests $"{counting.Server.Url}/" (Open(Constant 100.0, 4)) 20L

    let plan =
        { usual with
            Connecting = { usual.Connecting with Protocol = if isHttp2 then Http2 2 else Http1 }
        }

    let poller () : Poller =
        { new SelectPoller() with
            override _.Add(_, _, _) = false
        }

    let outcome =
        Tasks.Task.Run(fun () -> Attack.runWith poller Attack.usuallyKept plan ignore CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal((20L, 20L), (outcome.Requests, count RequestResult.NoDescriptor outcome))
    Assert.Contains("watches no more sockets", outcome.Complaints[RequestResult.NoDescriptor])
    Assert.Equal((0L, 0L), (counting.Sent, counting.Spoiled))
    Assert.NotEmpty outcome.Invalid

let private plans: Plan list =
    [
        plan "http://h/x?y=z" (Closed 3) 100
        { plan "https://h:1/" (Open(Constant 1.5, 2)) 100 with
            Requests =
                [
                    {
                        Method = "PUT"
                        Url = Uri "http://a/"
                        Headers = [ "A", "1"; "A", "2" ]
                        Body = [| 0uy; 255uy |]
                    }
                ]
            ExpectStatus = []
            ExpectBody = None
            Connecting = { ConnectionOptions.Default with Insecure = true }
            WarmUp = TimeSpan.FromTicks 12345L
        }
        plan "http://h/" (Open(Poisson 3.25, 2)) 100
        plan "http://h/" (Open(Ramp(0.0, 9.5), 2)) 100
        plan "http://h/" (Open(Steps([ 0.1; 1e-7; 3e6 ], TimeSpan.FromTicks 12345L), 2)) 100
    ]

/// What another process would read of it.
let private told (value: 'Part) : JsonElement =
    JsonDocument.Parse((OutcomeJson.part value).ToJsonString()).RootElement

[<Fact>]
let ``a plan in JSON is the same plan`` () =
    for plan in plans do
        Assert.Equal(plan, OutcomeJson.ofPart<Plan>(told plan))

/// All that a histogram says.
let private content (histogram: Histogram) =
    List.ofSeq histogram.Buckets, histogram.Min, histogram.Max, histogram.Clipped, histogram.Count

/// All that an outcome says, in a form that can be compared.
let private flat (outcome: Outcome) =
    let empty = Histogram()

    { outcome with
        Counts.Intended = empty
        Counts.Actual = empty
        Counts.Waited = empty
        Counts.Lag = empty
        Counts.GeneratorLag = empty
        Seconds = []
        Dates = []
        Addresses = []
    },
    [
        outcome.Counts.Intended
        outcome.Counts.Actual
        outcome.Counts.Waited
        outcome.Counts.Lag
        outcome.Counts.GeneratorLag
    ]
    |> List.map content,
    [
        for second in outcome.Seconds ->
            (second.At, second.Due, second.Right, second.Failed, second.Failures, second.InFlight),
            content second.Latency
    ]

let private same (one: Outcome) (other: Outcome) =
    let oneRest, oneHistograms, oneSeconds = flat one
    let otherRest, otherHistograms, otherSeconds = flat other
    Assert.True((oneHistograms = otherHistograms))
    Assert.True((oneSeconds = otherSeconds))
    Assert.Equal<Set<Sample>>(Set.ofArray oneRest.Samples, Set.ofArray otherRest.Samples)
    // Histograms are not compared by what they hold.
    Assert.Equal($"%A{ { oneRest with Samples = [||] } }", $"%A{ { otherRest with Samples = [||] } }")

[<Fact>]
let ``an outcome in JSON is the same outcome`` () =
    use counting = sometimes 5L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"

    let outcome =
        { attack (plan $"{counting.Server.Url}/" (Closed 3) 1100) with
            Capacity = Some 123.5
            Invalid = [ "\"so\"" ]
        }

    outcome.Counts.Intended.Record(Histogram.Largest + 1L)
    let thinned = PlotPoints.samples PlotPoints.dots outcome.Samples
    same { outcome with Samples = thinned } (OutcomeJson.ofPart<Outcome>(told outcome))

[<Fact>]
let ``a worker reports the seconds and the outcome, and names wrong input`` () =
    use counting = sometimes Int64.MaxValue ""
    let plan = plan $"{counting.Server.Url}/" (Open(Constant 50.0, 2)) 1100

    let beginning (plan: Plan) =
        $"""{{"do":"begin","plan":{(OutcomeJson.part plan).ToJsonString()}}}"""

    let next = """{"do":"next","stop":false}"""
    use output = new StringWriter()

    let lines =
        [
            next
            "nonsense"
            """{"do":"dance"}"""
            beginning { plan with Timeout = TimeSpan.Zero }
            beginning plan
            next
            next
            next
            next
        ]

    AttackWorker.serve (new StringReader(String.concat "\n" lines)) output

    let replies =
        (string output).Split('\n', StringSplitOptions.RemoveEmptyEntries)
        |> Array.map (fun line -> JsonDocument.Parse(line).RootElement)

    let error (index: int) =
        string (replies[index].GetProperty("error").GetString())

    Assert.True(replies[0].GetProperty("ready").GetBoolean())
    Assert.Contains("nothing was begun", error 1)
    Assert.Contains("cannot be read", error 2)
    Assert.Contains("dance", error 3)
    Assert.Contains("timeout", error 4)
    Assert.Equal(50L, (OutcomeJson.ofPart<Second>(replies[6].GetProperty "second")).Due)
    Assert.Equal(1, (OutcomeJson.ofPart<Second>(replies[7].GetProperty "second")).At)
    let outcome = OutcomeJson.ofPart<Outcome>(replies[8].GetProperty "outcome")
    wholly 55L counting.Sent outcome
    Assert.Contains("has been sent", error 9)

/// A wrong plan, and words of the sentence.
let private wrongPlans: ((Plan -> Plan) * string) list =
    [
        (fun plan -> { plan with Requests = [] }), "nothing to send"
        (fun plan -> { plan with Model = Closed 0 }), "the number of connections is 0"
        (fun plan -> { plan with Model = Open(Constant 0.0, 1) }), "the rate is 0"
        (fun plan -> { plan with Model = Open(Constant nan, 1) }), "the rate is NaN"
        (fun plan -> { plan with Model = Open(Ramp(-1.0, 5.0), 1) }), "the rate is -1"
        (fun plan -> { plan with Model = Open(Steps([ 1.0; 0.0 ], plan.Duration / 2.0), 1) }), "the rate is 0"
        (fun plan -> { plan with Model = Open(Steps([ 1.0; 2.0 ], plan.Duration), 1) }), "do not make 10ms"
        (fun plan -> { plan with Duration = TimeSpan.Zero }), "duration"
        (fun plan -> { plan with WarmUp = TimeSpan.FromSeconds -1. }), "warm-up"
        (fun plan -> { plan with Requests = [ { plan.Requests.Head with Method = "GE T" } ] }),
        "not an HTTP method"
        (fun plan -> { plan with Requests = [ { plan.Requests.Head with Url = Uri "ftp://h/" } ] }),
        "not an HTTP URL"
        (fun plan -> { plan with Requests = [ { plan.Requests.Head with Headers = [ "a b", "" ] } ] }),
        "not the name of a header"
        (fun plan -> { plan with Requests = [ { plan.Requests.Head with Headers = [ "a", "x\r\nB: y" ] } ] }),
        "line break"
        (fun plan -> { plan with Requests = [ get "http://no-such-host.invalid/" ] }), "cannot be found"
        (connecting (fun usual -> { usual with UnixSocket = Some(IO.Path.GetTempPath()) })), "is a folder"
    ]

[<Fact>]
let ``a plan that cannot be run is refused with a sentence`` () =
    for change, words in wrongPlans do
        let wrong = plan "http://127.0.0.1:1/" (Closed 1) 10 |> change

        let refused = Assert.Throws<BadInput>(fun () -> attack wrong |> ignore)
        Assert.Contains(words, refused.Message)

[<Fact>]
let ``a run needs no more connections than it has requests`` () =
    // At 100/s, for ten seconds.
    let plan =
        { plan "http://h/" (Open(Constant 100.0, 5)) 10_000 with
            Timeout = TimeSpan.FromSeconds 30.
        }

    Assert.Equal(Some 1000., Plan.connectionsWanted plan)
    Assert.Equal(Some 3., Plan.connectionsWanted { plan with MaxRequests = Some 3L })

    // A share has a part of the rate, and of the requests.
    let half = { plan with MaxRequests = Some 100L; Share = { Index = 1; Of = 2 } }

    Assert.Equal(Some 50., Plan.connectionsWanted half)
    Assert.Equal(Some 200., Plan.connectionsWanted { plan with Timeout = TimeSpan.FromSeconds 2. })
    Assert.Equal(Some 10., Plan.connectionsWanted (over 100 plan))

[<Fact>]
let ``a long run keeps a bounded number of stretches and every count`` () =
    let kept = BoundedSeconds 8

    for at in 0..999 do
        let latency = RandomHistograms.record [ int64 at ]

        kept.Add
            {
                At = at
                Seconds = 1
                Due = int64 at
                Right = 1L
                Failed = 2L
                Failures = Map [ RequestResult.TimedOut, 2L ]
                InFlight = at
                Latency = latency
                Actual = latency
            }

    let stretches = kept.ToList()
    Assert.Equal(8, stretches.Length)

    Assert.Equal<int list>(
        [ for stretch in stretches -> stretch.At + stretch.Seconds ],
        [ for stretch in stretches.Tail -> stretch.At ] @ [ 1000 ]
    )

    Assert.Equal(499_500L, stretches |> List.sumBy _.Due)
    Assert.Equal(1000L, stretches |> List.sumBy _.Right)
    Assert.Equal(2000L, stretches |> List.sumBy (fun stretch -> stretch.Failures[RequestResult.TimedOut]))
    Assert.Equal(1000L, stretches |> List.sumBy _.Latency.Count)
    Assert.Equal(999, (List.last stretches).InFlight)
