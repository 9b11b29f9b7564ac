// The load engine counts what the server counts, to the last request, in the open and in the closed model: right responses,
// and each kind of failure under its own name.
module Plait.Load.Tests.AttackCounts

open System
open Xunit

open Plait.Load
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private models =
    [
        "closed", Closed 4
        "constant", Open(Constant 400.0, 400)
        "poisson", Open(Poisson 400.0, 400)
        "ramp", Open(Ramp(100.0, 700.0), 400)
    ]

let modelNames = TheoryData<string>([ for name, _ in models -> name ])

[<Theory; MemberData(nameof modelNames)>]
let ``right and wrong responses are those that the server sent`` (name: string) =
    let model = models |> List.find (fun (other, _) -> other = name) |> snd

    use counting =
        sometimes 4L "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno"

    let url = $"{counting.Server.Url}/x"

    let outcome =
        match model with
        | Closed _ -> requests url model 200L |> attack
        | Open _ -> plan url model 500 |> attack

    Assert.Equal(counting.Sent, outcome.Right)
    Assert.Equal(counting.Spoiled, count RequestResult.WrongStatus outcome)
    let sent = outcome.Requests - count RequestResult.Unsent outcome
    Assert.Equal(counting.Sent + counting.Spoiled, sent)
    Assert.Equal(counting.Sent, outcome.Statuses[200])
    Assert.Equal(counting.Spoiled, outcome.Statuses[500])
    Assert.True(outcome.Right > 0L, $"{outcome.Right} right responses")
    Assert.Equal(outcome.Right, outcome.Counts.Intended.Count)
    Assert.Equal(outcome.Right, outcome.Counts.Actual.Count)
    Assert.Equal((sent, sent), (outcome.Counts.Lag.Count, outcome.Counts.GeneratorLag.Count))
    Assert.Equal(outcome.Requests, int64 outcome.Samples.Length)
    Assert.Equal(outcome.Right, outcome.Seconds |> List.sumBy _.Right)
    Assert.Equal(outcome.Requests, outcome.Seconds |> List.sumBy _.Due)
    Assert.Equal("the status was 500 instead of 200", outcome.Complaints[RequestResult.WrongStatus])
    Assert.False outcome.Stopped

[<Fact>]
let ``the open model sends as many requests as are due`` () =
    use counting = sometimes Int64.MaxValue ""

    let outcome =
        plan $"{counting.Server.Url}/x" (Open(Constant 500.0, 16)) 1000 |> attack

    wholly 500L counting.Sent outcome
    Assert.True(outcome.Right > 0L)
