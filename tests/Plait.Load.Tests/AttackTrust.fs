// When the figures of a load run are unreliable, and which rate is refused before it.
module Plait.Load.Tests.AttackTrust

open System
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer

let private histogram (values: int64 list) =
    let histogram = Histogram()
    List.iter histogram.Record values
    histogram

let private ms = 1_000_000L

/// An outcome of an open model whose 1000 latencies are 2 ms, and whose own lag is nothing.
let private sound: Outcome =
    { RandomOutcomes.idle (plan "http://h/" (Open(Constant 100.0, 8)) 1000) with
        Results = Map [ RequestResult.Right, 100L ]
        Statuses = Map [ 200, 100L ]
        Counts =
            { RunCounts.Zero with
                Connections = 64
                BytesOut = 1L
                BytesIn = 1L
                Intended = histogram (List.replicate 1000 (2L * ms))
                Actual = histogram (List.replicate 1000 (2L * ms))
                Lag = histogram (List.replicate 100 0L)
                GeneratorLag = histogram (List.replicate 100 0L)
            }
    }

let private closed (outcome: Outcome) =
    { outcome with Plan = { outcome.Plan with Model = Closed 8 } }

/// The outcome where so many of its requests were sent so late, and took that much longer.
let private late (count: int) (lag: int64) (outcome: Outcome) =
    let others = List.replicate (1000 - count) (2L * ms)

    { outcome with
        Counts.Intended = histogram (others @ List.replicate count (2L * ms + lag))
        Counts.GeneratorLag = histogram (List.replicate (1000 - count) 0L @ List.replicate count lag)
    }

[<Fact>]
let ``a run of a punctual generator is valid`` () =
    Assert.Empty(Validity.reasons sound)
    Assert.Empty(Validity.reasons (closed { sound with Busy = 0.8 }))
    // Nor does a run that is over at once say how busy it was.
    Assert.Empty(Validity.reasons { sound with Busy = 1.0; Elapsed = TimeSpan.FromMilliseconds 50. })

[<Fact>]
let ``percentiles with more than a tenth of lag are marked, and the run stays valid`` () =
    let marked (outcome: Outcome) =
        Assert.Empty(Validity.reasons outcome)

        outcome.LaggedPercentiles
        |> List.map (fun one -> one.Percent, one.FromSend / 1000L, one.Latency / 1000L)

    Assert.Equal<(float * int64 * int64) list>([], marked sound)
    // One request in a hundred may be late, and all of them by a little.
    Assert.Equal<(float * int64 * int64) list>([], marked (late 9 (50L * ms) sound))
    Assert.Equal<(float * int64 * int64) list>([], marked (late 1000 (ms / 10L) sound))

    match marked (late 20 (5L * ms) sound) with
    | [ 99.0, 2000L, latency ] -> Assert.InRange(latency, 6990L, 7010L)
    | others -> Assert.Fail $"{others}"

    let lagged = late 600 300_000L sound
    Assert.Equal<float list>([ 50.0; 90.0; 99.0 ], marked lagged |> List.map (fun (percent, _, _) -> percent))

    Assert.Contains(
        "between the figure from send and the figure from the intended start: p50 2ms to 2.3ms, p90 2ms to 2.3ms, p99 2ms to 2.3ms; requests were sent late although a connection was free:",
        Lag.sentence lagged.Plan lagged.Counts |> Option.get
    )

    // Five milliseconds are nothing to a server that takes 200 of them.
    let slow =
        { sound with
            Counts.Intended = histogram (List.replicate 1000 (205L * ms))
            Counts.Actual = histogram (List.replicate 1000 (200L * ms))
            Counts.GeneratorLag = histogram (List.replicate 1000 (5L * ms))
        }

    Assert.Equal<(float * int64 * int64) list>([], marked slow)
    // One late request of twenty says nothing of the other nineteen.
    let few =
        { sound with
            Counts.Intended = histogram (List.replicate 19 (2L * ms) @ [ 80L * ms ])
            Counts.Actual = histogram (List.replicate 20 (2L * ms))
        }

    Assert.Equal<(float * int64 * int64) list>([], marked few)

[<Fact>]
let ``--max-lag is the limit that lag is judged by`` () =
    let allowing (milliseconds: float) (outcome: Outcome) =
        { outcome with
            Plan = { outcome.Plan with MaxLag = Some(TimeSpan.FromMilliseconds milliseconds) }
        }

    Assert.Empty(late 500 (5L * ms) sound |> allowing 6.0 |> Validity.reasons)

    // The user's limit stands in place of the marks.
    Assert.Empty((late 600 (5L * ms) sound |> allowing 6.0).LaggedPercentiles)

    Assert.Contains(
        "--max-lag allows 4ms",
        late 500 (5L * ms) sound |> allowing 4.0 |> Validity.reasons |> Assert.Single
    )

/// An outcome, and words of the reason.
let private unsound: (Outcome * string) list =
    [
        { sound with Busy = 0.61 }, "used 61 % of its core, more than 60 %"
        closed { sound with Busy = 0.9 }, "used 90 % of its core, more than 85 %"
        // Redirected to where every connection was in use.
        { sound with Results = Map [ RequestResult.Right, 97L; RequestResult.Unsent, 3L ] },
        "connections ran out: 3 requests were never sent because all 8 were in use; raise --max-connections, or lower the rate"
        { sound with Results = Map [ RequestResult.Right, 99L; RequestResult.Unsent, 1L ] },
        "connections ran out: 1 request was never sent because"
        closed
            { sound with
                Counts.AllowedStreams = Some 0
                Plan = { sound.Plan with MaxRequests = Some 101L }
            },
        "the server allows no streams"
        { sound with Results = Map [ RequestResult.Right, 100L; RequestResult.NoLocalPort, 3L ] },
        "3 requests found no local port for their connection: this machine's limit, not the server's"
        { sound with Results = Map [ RequestResult.NoDescriptor, 4L ] }, "4 requests could not open a file"
    ]

[<Fact>]
let ``a run whose generator was busy or ran out of ports, files or connections is invalid, with the reason``
    ()
    =
    for outcome, words in unsound do
        Assert.Contains(words, Validity.reasons outcome |> Assert.Single)

/// The outcome where so many requests waited so long because all connections were in use.
let private waiting (count: int) (wait: int64) (outcome: Outcome) =
    { late count wait outcome with
        Counts.GeneratorLag = histogram (List.replicate 1000 0L)
        Counts.Waited = histogram (List.replicate count wait)
    }

let private connecting (change: ConnectionOptions -> ConnectionOptions) (outcome: Outcome) =
    { outcome with Plan = { outcome.Plan with Connecting = change outcome.Plan.Connecting } }

[<Fact>]
let ``requests that waited for a connection mark the percentiles that they change, and the run stays valid``
    ()
    =
    let sentence (outcome: Outcome) =
        Assert.Empty(Validity.reasons outcome)
        Lag.sentence outcome.Plan outcome.Counts

    // Four of a thousand change no percentile.
    Assert.Equal(None, sentence (waiting 4 (50L * ms) sound))

    for outcome, words in
        [
            waiting 100 (2L * ms) sound,
            "p99 2ms to 4ms; 100 requests waited because all 8 were in use: raise --max-connections, or lower the rate"
            waiting 100 (2L * ms) sound |> connecting (fun options -> { options with Grows = false }),
            "all 8 were in use: raise --connections, or lower the rate"
            waiting 100 (2L * ms) sound
            |> connecting (fun options -> { options with Bound = Some(LocalPorts 40) }),
            "there can be no more, because this machine has 40 local ports (net.ipv4.ip_local_port_range); widen that range, lower the rate, or share it"
            waiting 100 (2L * ms) sound
            |> connecting (fun options -> { options with Protocol = Http2 10; Bound = Some(Descriptors 200) }),
            "with 10 streams each, were in use: there can be no more, because this process may have 200 files open (ulimit -n); raise that or --streams, or lower the rate"
            { waiting 100 (2L * ms) sound with Counts.AllowedStreams = Some 3 }
            |> connecting (fun options -> { options with Protocol = Http2 10 }),
            "with the 3 streams each that the server allows, were in use: raise --max-connections, or lower the rate"
        ] do
        let said = sentence outcome |> Option.get
        Assert.Contains(words, said)
        Assert.DoesNotContain("although a connection was free", said)

    // Both causes.
    let both =
        { waiting 100 (2L * ms) sound with
            Counts.GeneratorLag = histogram (List.replicate 1000 (ms / 2L))
        }

    Assert.Contains("although a connection was free", sentence both |> Option.get)

[<Fact>]
let ``a run without latencies has no marked percentile`` () =
    let none =
        { sound with
            Counts.Intended = Histogram()
            Counts.Actual = Histogram()
            Counts.GeneratorLag = histogram (List.replicate 100 (300L * ms))
        }

    Assert.Empty none.Doubts

/// The warning for a run that began so many milliseconds after --start-at; `ended`: the milliseconds that each preparation left.
let private startOf
    (warmUp: float)
    (late: float)
    (ended: (StartLateness.Preparation * float) list)
    : string option =
    { sound with
        StartedUtc = DateTime.UnixEpoch.AddMilliseconds late
        Plan =
            { sound.Plan with
                StartAt = Some DateTime.UnixEpoch
                WarmUp = TimeSpan.FromMilliseconds warmUp
            }
    }
    |> StartLateness.sentence
        [ for preparation, left in ended -> preparation, TimeSpan.FromMilliseconds left ]

[<Fact>]
let ``a run is late from a tenth of a second after --start-at on, and never late without --start-at`` () =
    let ended = [ StartLateness.Starting, -500. ]
    Assert.Equal(None, startOf 0. 100. ended)
    Assert.Equal(None, startOf 0. -5000. ended)
    Assert.True (startOf 0. 101. ended).IsSome
    Assert.Equal(None, StartLateness.sentence [ StartLateness.Starting, TimeSpan.FromDays -1. ] sound)

/// Milliseconds of the warm-up, the preparations for a run that was 700 ms late, and the cause that is named.
let private lateStarts: (float * (StartLateness.Preparation * float) list * string) list =
    [
        0.,
        [ StartLateness.Starting, -650.; StartLateness.Measuring, -2650. ],
        "the program had started 650ms after the load was to begin; name a later time"
        3000.,
        [ StartLateness.Starting, -650.; StartLateness.WarmingUp, -800. ],
        "the program had started 650ms after the warm-up was to begin; name a later time"
        0.,
        [ StartLateness.Starting, 500.; StartLateness.Waiting, -600.; StartLateness.Measuring, -2600. ],
        "the server took connections 600ms after the load was to begin; name a later time, or start the server before"
        0.,
        [ StartLateness.Starting, 1500.; StartLateness.Waiting, 0.; StartLateness.Measuring, -650. ],
        "measuring the capacity ended 650ms after the load was to begin; name a later time, or leave the measuring out (--no-calibration)"
        // Nothing was measured: there is nothing to leave out.
        0.,
        [ StartLateness.Starting, 100.; StartLateness.WarmingUp, -650. ],
        "the generator was ready 650ms after the load was to begin; name a later time"
        // Every preparation was in time, and the opening had less than its two seconds.
        0.,
        [ StartLateness.Starting, 4000.; StartLateness.Measuring, 1500. ],
        "opening the connections took longer than the 1.5s that were left for it; name a later time"
        0.,
        [ StartLateness.Starting, 4000.; StartLateness.Measuring, 0. ],
        "opening the connections took longer than the 0s that were left for it; name a later time"
        // It had all of them: another start would be late too.
        1000.,
        [ StartLateness.Starting, 60_000.; StartLateness.WarmingUp, 59_000. ],
        "opening the connections took longer than the 2s before the warm-up; ask for fewer (--connections)"
        0.,
        [ StartLateness.Starting, 60_000.; StartLateness.WarmingUp, 2000. ],
        "opening the connections took longer than the 2s before the load; ask for fewer (--connections)"
    ]

[<Fact>]
let ``a late run names the first preparation that ended late, or the opening of connections, with its own remedy``
    ()
    =
    for warmUp, ended, cause in lateStarts do
        Assert.Equal(Some $"the run began 700ms after --start-at: {cause}", startOf warmUp 700. ended)

[<Fact>]
let ``a rate of half the generator's capacity is valid`` () =
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

/// What the generator can do, by runs of `run`.
let private measured (run: Plan -> Outcome) (plan: Plan) : float =
    Calibration.measure [ Built.dotnet; Built.tool (); "null-server" ] None run plan

/// An attack that keeps with how many connections it was asked for.
let private keeping (counts: ResizeArray<int>) (plan: Plan) : Outcome =
    match plan.Model with
    | Open(_, count)
    | Closed count -> counts.Add count

    attack plan

[<Theory; InlineData "http"; InlineData "https">]
let ``the generator's capacity is measured against a server that does nothing`` (scheme: string) =
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
                    { get $"{scheme}://127.0.0.1:1/" with
                        Method = "POST"
                        Headers = [ "transfer-encoding", "chunked" ]
                        Body = Text.Encoding.ASCII.GetBytes("2328\r\n" + String('x', 9000) + "\r\n0\r\n\r\n")
                    }
                ]
        }

    let mutable failed = 0L

    let run plan =
        let outcome = attack plan
        failed <- failed + outcome.Requests - outcome.Right - count RequestResult.Unsent outcome
        outcome

    Assert.True(measured run plan > 0.0)
    Assert.Equal(0L, failed)

[<Fact>]
let ``the generator's capacity is measured with the initial connections of the run`` () =
    let asked = ResizeArray<int>()
    let plan = plan "http://127.0.0.1:1/" (Open(Constant 5.0, 20_000)) 1000
    measured (keeping asked) plan |> ignore
    Assert.All(asked, fun count -> Assert.Equal(64, count))

[<Fact>]
let ``the capacity of several threads is measured with at least one connection each`` () =
    let asked = ResizeArray<int>()

    let plan =
        { plan "http://127.0.0.1:1/" (Open(Constant 5.0, 30)) 1000 with
            Connecting = { ConnectionOptions.Default with Protocol = Http2 100 }
            Threads = 2
        }

    Assert.True(measured (keeping asked) plan > 2.0)
    Assert.All(asked, fun count -> Assert.Equal(2, count))
    Calibration.warm (keeping asked) { plan with Threads = 6 }

[<Theory;
  InlineData(RequestResult.NoLocalPort, "no local port");
  InlineData(RequestResult.NoDescriptor, "ulimit -n")>]
let ``a calibration that lacks ports or files reports that instead of a capacity``
    (result: RequestResult)
    (words: string)
    =
    let run (plan: Plan) =
        { sound with Plan = plan; Results = Map [ RequestResult.Right, 19L; result, 100L ] }

    let refused =
        Assert.Throws<WorkerFailed>(fun () -> measured run sound.Plan |> ignore)

    Assert.Contains($"could not be calibrated: 100 requests", refused.Message)
    Assert.Contains(words, refused.Message)

[<Fact>]
let ``a calibration with a connection for each request leaves ports for others`` () =
    let mutable sent = 0L

    let run (plan: Plan) =
        let outcome = attack plan
        sent <- sent + outcome.Requests
        outcome

    let plan =
        { sound.Plan with Connecting = { ConnectionOptions.Default with KeepsAlive = false } }

    match Calibration.obstacle plan with
    | Some why -> Assert.Skip why
    | None ->
        measured run plan |> ignore
        Assert.InRange(sent, 1L, min 4000L (int64 (MachineLimits.ports ()) / 2L))

[<Fact>]
let ``the null server finds the end of a body of chunks in any pieces`` () =
    let request =
        Text.Encoding.ASCII.GetBytes
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\n0\r\n\r\n\r\nb\r\nhello world\r\n0\r\nX: y\r\n\r\n"

    for size in 1 .. request.Length do
        let peer = NullHttp1Connection()
        let mutable answered = 0

        for part in Seq.replicate 3 request |> Seq.collect (Array.chunkBySize size) do
            part.CopyTo(peer.Free.Span)
            let said = peer.Take part.Length
            Assert.Equal(peer.Requests, (if said.IsEmpty then 0 else 1))
            answered <- answered + peer.Requests

        Assert.Equal((3, false), (answered, peer.IsLost))

    let peer = NullHttp1Connection()
    let wrong = Array.append request[.. Array.IndexOf(request, 53uy) - 1] "x\r\n"B
    wrong.CopyTo(peer.Free.Span)
    peer.Take wrong.Length |> ignore
    Assert.True peer.IsLost

[<Fact>]
let ``the complaint about a run is that of its most frequent failure`` () =
    let outcome =
        { sound with
            Results = Map [ RequestResult.TimedOut, 11L; RequestResult.Garbage, 29L; RequestResult.Right, 1L ]
            Complaints = Map [ RequestResult.TimedOut, "late"; RequestResult.Garbage, "not HTTP/2" ]
        }

    Assert.Equal(Some "not HTTP/2", Outcome.complaint outcome)
    Assert.Equal(None, Outcome.complaint sound)
