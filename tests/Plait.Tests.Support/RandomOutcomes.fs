// Random load runs: outcomes whose parts add up as the engine's do, and texts that formats trip over.
module Plait.Tests.Support.RandomOutcomes

open System
open FsCheck
open FsCheck.FSharp

open Plait.Load
open Plait.Common
open Plait.Report

let private small = Gen.choose (0, 100_000) |> Gen.map int64

let private rates =
    Gen.choose (1, 1_000_000) |> Gen.map (fun value -> float value / 8.0)

let private requests: Gen<HttpRequest> =
    gen {
        let! method' = Gen.elements [ "GET"; "POST" ]

        let! path =
            Gen.elements [ "http://127.0.0.1:5000/"; "https://localhost/a?b=c&d=<>\"" ]

        let! headers =
            Gen.listOf (Gen.zip Laws.texts Laws.texts) |> Gen.map (List.truncate 3)

        let! body = Gen.arrayOf (Gen.choose (0, 255) |> Gen.map byte)

        return { Method = method'; Url = Uri path; Headers = headers; Body = body }
    }

let private models =
    Gen.oneof
        [
            Gen.map2 (fun rate count -> Open(Constant rate, count)) rates (Gen.choose (1, 500))
            Gen.map2 (fun rate count -> Open(Poisson rate, count)) rates (Gen.choose (1, 500))
            Gen.map2 (fun from until -> Open(Ramp(from, until), 9)) rates rates
            Gen.map2
                (fun rates each -> Open(Steps(rates, TimeSpan.FromTicks(int64 each)), 9))
                (Gen.nonEmptyListOf rates |> Gen.map (List.truncate 4))
                (Gen.choose (10_000, 1_000_000_000))
            Gen.choose (1, 500) |> Gen.map Closed
        ]

let private rules: Gen<Rule> =
    gen {
        let! figure =
            Gen.elements [ Latency 99.9; Latency 100.0; MeanLatency; Success; RightPerSecond ]

        let! isBelow = Gen.elements [ true; false ]
        let! orEqual = Gen.elements [ true; false ]
        let! bound = Gen.choose (1, 1000)

        return
            {
                Figure = figure
                IsBelow = isBelow
                OrEqual = orEqual
                Bound = if figure = Success then float bound / 1000.0 else float bound * 1000.0
            }
    }

let private plans: Gen<Plan> =
    gen {
        let! requests = Gen.nonEmptyListOf requests |> Gen.map (List.truncate 3)
        let! model = models
        let! milliseconds = Gen.choose (0, 100_000)
        let! statuses = Gen.listOf (Gen.choose (100, 599))
        let! body = Gen.optionOf (Gen.arrayOf (Gen.choose (0, 255) |> Gen.map byte))
        let! insecure = Gen.elements [ true; false ]
        let! rules = Gen.listOf rules |> Gen.map (List.truncate 2)

        return
            {
                Requests = requests
                Model = model
                Duration = TimeSpan.FromMilliseconds(int64 milliseconds)
                WarmUp = TimeSpan.FromMilliseconds(int64 (milliseconds / 3))
                Timeout = TimeSpan.FromSeconds 30L
                ExpectStatus = statuses
                ExpectBody = body
                Seed = milliseconds
                Connecting =
                    { ConnectionOptions.Default with
                        Insecure = insecure
                        Bound =
                            match milliseconds % 3 with
                            | 0 -> None
                            | 1 -> Some(LocalPorts milliseconds)
                            | _ -> Some(Descriptors milliseconds)
                        Protocol = (if insecure then Http2 milliseconds else Http1)
                        ClientCertificate =
                            (if insecure then Some { Certificate = "c.pem"; Key = "k.pem" } else None)
                        Authorities = (if insecure then Some "ca.pem" else None)
                        ConnectTo = (if insecure then Some "h:1" else None)
                        UnixSocket = (if insecure then Some "/s" else None)
                    }
                Threads = 1 + statuses.Length
                MaxRequests = statuses |> List.tryHead |> Option.map int64
                Share = if insecure then { Index = 2; Of = 10 } else Share.Whole
                StartAt = if insecure then Some(DateTime(2026, 11, 21, 10, 0, 0, DateTimeKind.Utc)) else None
                MaxLag = if insecure then Some(TimeSpan.FromMilliseconds(int64 milliseconds)) else None
                Data = if insecure then Some { File = "rows.csv"; Order = AtRandom } else None
                Rules = rules
            }
    }

let private samples: Gen<Sample> =
    gen {
        let! intended = Gen.choose (0, 1_999_999_999)
        let! wait = Gen.choose (0, 1_000_000)
        let! length = RandomHistograms.durations

        let! result =
            Gen.elements
                [
                    RequestResult.Right
                    RequestResult.Right
                    RequestResult.Right
                    RequestResult.WrongStatus
                    RequestResult.TimedOut
                    RequestResult.Unsent
                ]

        let sent = int64 intended + int64 wait

        return
            {
                Intended = int64 intended
                Sent = sent
                Done = if result = RequestResult.Unsent then sent else sent + length
                Status = if result = RequestResult.Right then 200 else 0
                Result = result
                Request = 0
                BodySent = 0L
                BodyBytes = int64 wait
                HasWaited = (wait % 2 = 0)
            }
    }

/// A right response by its three times.
let rightSample (intended: int64) (sent: int64) (ended: int64) : Sample =
    {
        Intended = intended
        Sent = sent
        Done = ended
        Status = 200
        Result = RequestResult.Right
        Request = 0
        BodySent = 0L
        BodyBytes = 2L
        HasWaited = false
    }

/// A run without requests.
let idle (plan: Plan) : Outcome =
    {
        Plan = plan
        StartedUtc = DateTime.UnixEpoch
        Elapsed = TimeSpan.FromSeconds 1L
        AttackTime = TimeSpan.FromSeconds 1L
        Results = Map.empty
        Statuses = Map.empty
        Counts = RunCounts.Zero
        Steps = []
        Seconds = []
        Dates = []
        Addresses = []
        Samples = [||]
        Busy = 0.5
        Capacity = None
        Invalid = []
        Complaints = Map.empty
        Stopped = false
    }

let private record (read: Sample -> int64) (samples: Sample list) =
    samples |> List.map read |> RandomHistograms.record

/// An outcome of samples.
let ofSamples (plan: Plan) (samples: Sample list) : Outcome =
    let isRight (sample: Sample) = sample.Result = RequestResult.Right
    let right = samples |> List.filter isRight

    let sent =
        samples |> List.filter (fun sample -> sample.Result <> RequestResult.Unsent)

    let latency (sample: Sample) = sample.Done - sample.Intended
    let actual (sample: Sample) = sample.Done - sample.Sent

    let halves =
        samples |> List.groupBy (fun sample -> if sample.Intended < 1_000_000_000L then 0 else 1)

    { idle plan with
        StartedUtc = DateTime(2026, 11, 21, 10, 0, 0, 123, DateTimeKind.Utc)
        Elapsed = TimeSpan.FromMilliseconds 2345L
        AttackTime = min (TimeSpan.FromMilliseconds 2345L) plan.Duration
        Results =
            samples
            |> List.countBy _.Result
            |> List.map (fun (result, count) -> result, int64 count)
            |> Map.ofList
        Statuses = if right.IsEmpty then Map.empty else Map.ofList [ 200, int64 right.Length ]
        Counts =
            { RunCounts.Zero with
                Retried = 3L
                Redirected = 2L
                Connections = 17
                Connects = RandomHistograms.record [ 1_000_000L; 2_000_000L; 3_000_000L ]
                AllowedStreams = if right.IsEmpty then None else Some 20
                FirstViolation = if right.IsEmpty then None else Some "a frame was too long"
                BytesOut = 1234L
                BytesIn = 567890L
                Intended = record latency right
                Waited = record (fun sample -> sample.Sent - sample.Intended) (List.truncate 3 sent)
                Actual = record actual right
                Lag = record (fun sample -> sample.Sent - sample.Intended) sent
                GeneratorLag = record (fun sample -> (sample.Sent - sample.Intended) / 2L) sent
            }
        Seconds =
            halves
            |> List.sortBy fst
            |> List.map (fun (at, samples) ->
                let right = samples |> List.filter isRight

                {
                    At = at
                    Seconds = 1
                    Due = int64 samples.Length
                    Right = int64 right.Length
                    Failed = int64 (samples.Length - right.Length)
                    Failures =
                        samples
                        |> List.filter (isRight >> not)
                        |> List.countBy _.Result
                        |> List.map (fun (result, count) -> result, int64 count)
                        |> Map.ofList
                    InFlight = at
                    Latency = record latency right
                    Actual = record actual right
                })
        Steps =
            match plan.Model with
            | Open(Steps(rates, each), _) ->
                rates
                |> List.mapi (fun at rate ->
                    let isOwn (sample: Sample) =
                        sample.Intended / (each.Ticks * 100L) = int64 at

                    let due, right = samples |> List.filter isOwn, right |> List.filter isOwn

                    {
                        PerSecond = rate
                        Seconds = each.TotalSeconds
                        Due = int64 due.Length
                        Right = int64 right.Length
                        Answered = int64 right.Length
                        Intended = record latency right
                        Actual = record actual right
                    })
            | _ -> []
        Dates =
            [
                for at in 0L .. 1L ->
                    { Unix = 1_795_255_200L + at; FirstDone = at * 999L; LastSent = at * 1999L }
            ]
        Addresses = [ "10.0.0.7:8080" ]
        Samples = Array.ofList samples
        Busy = 0.25
        Capacity = Some 12345.5
    }

/// Load runs.
let outcomes: Gen<Outcome> =
    gen {
        let! plan = plans
        let! samples = Gen.listOf samples
        let! invalid = Gen.listOf Laws.texts |> Gen.map (List.truncate 2)
        let! complaint = Laws.texts
        let! capacity = Gen.optionOf rates
        let! busy = Gen.choose (0, 100)
        let! stopped = Gen.elements [ true; false ]
        let! bytes = small
        let outcome = ofSamples plan samples

        return
            { outcome with
                Invalid = invalid
                Complaints = Map.ofList [ RequestResult.WrongStatus, complaint ]
                Capacity = capacity
                Busy = float busy / 100.0
                Stopped = stopped
                Counts.BytesIn = bytes
            }
    }

/// Load runs with what stands around them.
let recordings: Gen<Recording> =
    gen {
        let! outcome = outcomes
        let! name = Laws.texts
        let! warnings = Gen.listOf Laws.texts |> Gen.map (List.truncate 2)
        let! results = RandomResults.results
        let! environment = Gen.elements [ None; Some results.Environment ]

        return
            {
                Name = name
                Command = "plait attack " + name
                Outcome = outcome
                Warnings = warnings
                Environment = environment
            }
    }

/// One of them, the same on every machine.
let one (seed: uint64) : Recording =
    Gen.sampleWithSeed (Rnd(seed, 1UL)) 60 1 recordings |> Array.head

/// A run whose figures are easy to say: right responses of 1 to `count` ms, due 10 ms apart, sent 1 ms late.
let plain (name: string) (count: int) : Recording =
    let millisecond = 1_000_000L

    let samples =
        [
            for at in 1..count do
                let intended = int64 (at - 1) * 10L * millisecond

                let sent = intended + millisecond
                rightSample intended sent (sent + int64 at * millisecond)
        ]

    let plan = (one 3UL).Outcome.Plan

    {
        Name = name
        Command = "plait attack"
        Outcome =
            ofSamples
                { plan with
                    Requests =
                        [ { Method = "GET"; Url = Uri "http://127.0.0.1:5000/a"; Headers = []; Body = [||] } ]
                    Model = Open(Constant 100.0, 64)
                    Duration = TimeSpan.FromSeconds 2L
                    WarmUp = TimeSpan.Zero
                    Share = Share.Whole
                    StartAt = None
                    MaxLag = None
                    Rules = []
                }
                samples
        Warnings = []
        Environment = None
    }
