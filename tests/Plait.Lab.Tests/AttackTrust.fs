// When the figures of a load run are not to be relied on, and which rate is refused before it.
module Plait.Lab.Tests.AttackTrust

open System
open Xunit

open Plait.Report

open Plait.Load
open Plait.Lab
open Plait.Lab.Tests.AttackServer

let private histogram (values: int64 list) =
    let histogram = Histogram()
    List.iter histogram.Record values
    histogram

let private ms = 1_000_000L

/// An outcome of an open model whose 100 latencies are 2 ms, and whose own lag is nothing.
let private sound: Outcome =
    {
        Plan = plan "http://h/" (Open(Constant 100.0, 8)) 1000
        StartedUtc = DateTime.UnixEpoch
        Elapsed = TimeSpan.FromSeconds 1.
        Fates = Map [ Fate.Right, 100L ]
        Statuses = Map [ 200, 100L ]
        BytesOut = 1L
        BytesIn = 1L
        Intended = histogram (List.replicate 100 (2L * ms))
        Actual = histogram (List.replicate 100 (2L * ms))
        Lag = histogram (List.replicate 100 0L)
        GeneratorLag = histogram (List.replicate 100 0L)
        Steps = []
        Seconds = []
        Samples = [||]
        Busy = 0.5
        Capacity = None
        Invalid = []
        Complaints = Map.empty
        Stopped = false
    }

let private closed (outcome: Outcome) =
    { outcome with Plan = { outcome.Plan with Model = Closed 8 } }

let private lags (others: int64) (latest: int64) (count: int) =
    histogram (List.replicate (100 - count) others @ List.replicate count latest)

[<Fact>]
let ``a generator that had its core and was in time is trusted`` () =
    Assert.Empty(Trust.reasons sound)
    // One request in a hundred may be late, and half of them by a little.
    Assert.Empty(Trust.reasons { sound with GeneratorLag = lags 100_000L (50L * ms) 1 })
    Assert.Empty(Trust.reasons (closed { sound with Busy = 0.8 }))

/// An outcome, and words of the reason.
let private unsound: (Outcome * string) list =
    [
        { sound with Busy = 0.61 }, "used 61 % of its core, more than 60 %"
        closed { sound with Busy = 0.9 }, "used 90 % of its core, more than 85 %"
        { sound with GeneratorLag = lags 0L (5L * ms) 2 }, "1 % of the requests were sent 5ms late"
        { sound with GeneratorLag = lags 300_000L 300_000L 1 }, "half of the requests were sent 300µs late"
    ]

[<Fact>]
let ``a generator that was busy or late is not, and it says why`` () =
    for outcome, words in unsound do
        Assert.Contains(words, Trust.reasons outcome |> Assert.Single)

[<Fact>]
let ``a lag is not held against latencies that there are none of`` () =
    let none =
        { sound with
            Intended = Histogram()
            Actual = Histogram()
            GeneratorLag = lags 300_000L 300_000L 1
        }

    Assert.Empty(Trust.reasons none)

[<Fact>]
let ``half of what the generator can do may be asked for`` () =
    let asking model = plan "http://h/" model 1000
    Calibration.refuse 1000.0 (asking (Open(Constant 500.0, 1)))
    Calibration.refuse 10.0 (asking (Closed 64))

    for model in
        [
            Open(Constant 501.0, 1)
            Open(Poisson 501.0, 1)
            Open(Ramp(1.0, 501.0), 1)
            Open(Ramp(501.0, 1.0), 1)
        ] do
        let refused =
            Assert.Throws<BadInput>(fun () -> Calibration.refuse 1000.0 (asking model))

        Assert.Contains("501 requests/s are more than half of the 1000/s", refused.Message)
        Assert.Contains("500/s at most", refused.Message)

[<Theory; InlineData "http"; InlineData "https">]
let ``what the generator can do is measured against a server that does nothing`` (scheme: string) =
    let command = [ CandidateProcess.Host; Built.tool (); "null-server" ]

    // The plan's own server is never asked: nobody listens there.
    let plan =
        { plan $"{scheme}://127.0.0.1:1/x?y" (Open(Constant 5.0, 4)) 1000 with
            Requests =
                [
                    get $"{scheme}://127.0.0.1:1/x?y"
                    { get $"{scheme}://127.0.0.1:1/" with Method = "POST"; Body = Array.zeroCreate 9000 }
                    { get $"{scheme}://127.0.0.1:1/" with
                        Method = "HEAD"
                        Headers = [ "X", String('x', 9000) ]
                    }
                ]
        }

    let mutable failed = 0L

    let run plan =
        let outcome = attack plan
        failed <- failed + outcome.Requests - outcome.Right - count Fate.Unsent outcome
        outcome

    Assert.True(Calibration.measure command None run plan > 20.0)
    Assert.Equal(0L, failed)
