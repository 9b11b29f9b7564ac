// The outcome of a load run: counts, latencies, and the run with its machine, versions and times. Names here are
// names in its JSON.
namespace Plait.Load

open System
open System.Text.Json.Serialization

open Plait.Common
open Plait.Report

/// The result of one request.
type RequestResult =
    | Right = 0
    /// The status is not among the expected ones.
    | WrongStatus = 1
    /// The body is not the expected one.
    | WrongBody = 2
    /// Nobody listens, or the connection was turned away.
    | Refused = 3
    /// The peer broke the connection off.
    | Reset = 4
    /// The peer closed the connection, or ended it by GOAWAY with an error, before the whole response was there.
    | Closed = 5
    /// The whole response was not there in time.
    | TimedOut = 6
    /// The response breaks the protocol.
    | Garbage = 7
    /// TLS could not be agreed on.
    | Tls = 8
    /// It was due, but never sent: the run had ended, or every connection was in use until then.
    | Unsent = 9
    /// A connection that had been used was found closed, before a byte of the response, and the request could not be sent again.
    | StaleConnection = 10
    /// The head of the response is longer than --max-head.
    | HeadTooLong = 11
    /// This machine has no local port left for one more connection: the generator's own limit.
    | NoLocalPort = 12
    /// This process may not open one more file: the generator's own limit.
    | NoDescriptor = 13
    /// HTTP/2: the server ended the connection by GOAWAY before it took the request up.
    | GoAway = 14
    /// HTTP/2: the server broke the request's stream off.
    | StreamReset = 15
    /// HTTP/2: the server refused the request's stream.
    | StreamRefused = 16
    /// There were more redirections than --redirects allows.
    | TooManyRedirects = 17
    /// Its response had not come when the stopped run ended: no fault of the server.
    | Abandoned = 18
    /// It was redirected to a text that is no HTTP URL, or to a host that cannot be found.
    | BadRedirect = 19

/// One request, for plots and files. Times are from the start of the counted part.
[<Struct>]
type Sample =
    {
        /// Nanoseconds at which it was to be sent (closed model: was sent).
        Intended: int64
        /// Nanoseconds at which it was sent.
        Sent: int64
        /// Nanoseconds at which the last byte of the response was there, or it failed.
        Done: int64
        /// The status of the response; 0 where there is none.
        Status: int
        Result: RequestResult
        /// Which request of the plan it was.
        Request: int
        /// Bytes of its body.
        BodySent: int64
        /// Bytes of the response's body.
        BodyBytes: int64
        /// It waited because all allowed connections were in use: its latency is not the server's.
        HasWaited: bool
    }

/// The counts of one second of the counted part, or of several of a long run.
type Second =
    {
        /// The index of the first second, from 0.
        At: int
        /// The number of seconds.
        Seconds: int
        /// Requests that were due.
        Due: int64
        /// Right responses that came in.
        Right: int64
        /// Requests that failed.
        Failed: int64
        /// The number of failures with each result.
        Failures: Map<RequestResult, int64>
        /// Requests in flight at its end.
        InFlight: int
        /// Latencies by the intended clock of the right responses that came in.
        Latency: Histogram
        /// The same by the actual clock.
        Actual: Histogram
    }

    /// The middle of it, in seconds from the start of the counted part.
    member this.Middle = float this.At + float this.Seconds / 2.0

/// The outcome of one step of the arrivals: the requests that were due in it, whenever they were answered.
type Step =
    {
        /// Its rate.
        PerSecond: float
        Seconds: float
        /// Requests that were due.
        Due: int64
        /// Right responses to these requests.
        Right: int64
        /// Right responses that came in during the step, also to requests of an earlier one.
        Answered: int64
        /// Intended start to the last byte, of right responses.
        Intended: Histogram
        /// Actual sending to the last byte, of right responses.
        Actual: Histogram
    }

    /// Right responses that came in a second.
    [<JsonInclude>]
    member this.AnsweredPerSecond = float this.Answered / this.Seconds

    /// The share of its requests that were answered rightly, 0 to 1.
    [<JsonInclude>]
    member this.Success = if this.Due = 0L then 0.0 else float this.Right / float this.Due

/// The outcome of a load run. Every request that was due or sent in the counted part is in exactly one entry of Results.
type Outcome =
    {
        Plan: Plan
        StartedUtc: DateTime
        /// From the first intended start to the last response, and no less than the time in which requests were due.
        [<JsonPropertyName "elapsedSeconds">]
        Elapsed: TimeSpan
        /// The time in which requests were due: the duration, unless the run ended before.
        [<JsonPropertyName "attackSeconds">]
        AttackTime: TimeSpan
        /// It was stopped before its duration was over.
        Stopped: bool
        /// How many requests had each result.
        Results: Map<RequestResult, int64>
        /// How many responses had each status.
        Statuses: Map<int, int64>
        /// The complaint about the first wrong response of each result.
        Complaints: Map<RequestResult, string>
        /// The other counts; in JSON their fields stand among these.
        [<JsonIgnore>]
        Counts: RunCounts
        /// One for each step of the arrivals; empty where they have none.
        Steps: Step list
        Seconds: Second list
        /// The Dates of the first server's responses to requests that were not redirected, as many as are kept.
        Dates: ServerDate list
        /// The address of the first server, from which the Dates came. Several: threads of the run found different ones; empty: the file
        /// of the run has none.
        Addresses: string list
        /// The requests one by one, as many as were kept.
        Samples: Sample[]
        /// Share of the generator's core that was in use, 0 to 1.
        Busy: float
        /// The capacity of this generator against a server that does nothing, in requests a second; None: not measured.
        Capacity: float option
        /// The reasons why the figures are unreliable, one sentence each; empty: they are reliable.
        Invalid: string list
    }

    /// All requests.
    [<JsonInclude>]
    member this.Requests = this.Results |> Map.fold (fun sum _ count -> sum + count) 0L

    /// Right responses.
    [<JsonInclude>]
    member this.Right =
        this.Results |> Map.tryFind RequestResult.Right |> Option.defaultValue 0L

    /// Requests a second that were due.
    [<JsonInclude>]
    member this.RatePerSecond =
        if this.AttackTime > TimeSpan.Zero then
            float this.Requests / this.AttackTime.TotalSeconds
        else
            0.0

    /// Right responses a second, until the last one was there.
    [<JsonInclude>]
    member this.RightPerSecond =
        if this.Elapsed > TimeSpan.Zero then float this.Right / this.Elapsed.TotalSeconds else 0.0

    /// Requests without the abandoned ones: the server had its time for each.
    member this.Judged =
        this.Requests
        - (this.Results |> Map.tryFind RequestResult.Abandoned |> Option.defaultValue 0L)

    /// The share of the requests that were answered rightly, 0 to 1.
    [<JsonInclude>]
    member this.Success =
        if this.Judged = 0L then 0.0 else float this.Right / float this.Judged

    /// The percentiles with too much lag. With --max-lag, which sets another limit for own lag, there are none
    /// unless five requests or more waited for a connection.
    [<JsonInclude>]
    member this.LaggedPercentiles: LaggedPercentile list =
        Lag.percentiles this.Plan this.Counts

    /// The verdict on each rule of the plan.
    [<JsonInclude>]
    member this.Verdicts: RuleVerdict list =
        let least = Lag.leastLatencies this.Plan this.Counts
        let figure = Rule.figureOf this.Judged this.Right this.Elapsed.TotalSeconds
        this.Plan.Rules |> List.map (Rule.judge figure this.Counts.Intended least)

    /// The reasons against comparing its latencies with another run's, one sentence each; empty: there is none.
    member this.Doubts: string list =
        this.Invalid @ Option.toList (Lag.sentence this.Plan this.Counts)

    /// Connections that there may be at once.
    member this.MaxConnections = Plan.connections this.Plan

    /// It was stopped before it had an end of its own.
    member this.IsCutShort = this.Stopped && not (Plan.isUntilStopped this.Plan)

/// Outcomes in words.
module Outcome =
    /// All results, in their order.
    let results: RequestResult list =
        Enum.GetValues<RequestResult>() |> List.ofArray |> List.sort

    let private words = [| for result in results -> Word.ofName (string result) |]

    /// The word for a result in texts and files.
    let resultName (result: RequestResult) : string = words[int result]

    /// The complaint about the most frequent of the results that are not right.
    let complaint (outcome: Outcome) : string option =
        let count (result: RequestResult) =
            outcome.Results |> Map.tryFind result |> Option.defaultValue 0L

        match List.sortByDescending (fst >> count) (Map.toList outcome.Complaints) with
        | [] -> None
        | (_, why) :: _ -> Some why

    /// The same, to go behind a sentence; empty: there is none.
    let why (outcome: Outcome) : string =
        complaint outcome |> Option.map (fun why -> $": {why}") |> Option.defaultValue ""

    /// Sentences about the run that change no figure's validity; empty: there are none.
    let notes (outcome: Outcome) : string list =
        [
            match outcome.Counts.WaitedForClose with
            | 0L -> ()
            | count ->
                let remedy =
                    if outcome.Plan.Threads > 1 then
                        "each thread has connections of its own, so --threads 1 needs fewer of them"
                    else
                        "--connections N opens N connections and no more"

                $"{count} requests waited until an idle connection to the server was closed, because it serves few connections at a time; latencies include that wait; {remedy}"

            match outcome.Counts.Violations with
            | 0L -> ()
            | count ->
                let first =
                    outcome.Counts.FirstViolation
                    |> Option.map (fun why -> $" (first: {why})")
                    |> Option.defaultValue ""

                let connections = if count = 1L then "1 connection" else $"{count} connections"

                $"{connections} ended by a protocol error of the server between requests, which no result counts{first}"
        ]

    /// A sentence if no request succeeded; None: one did, or all were abandoned.
    let noneRight (outcome: Outcome) : string option =
        if outcome.Judged > 0L && outcome.Right = 0L then
            Some $"not one request of {outcome.Judged} succeeded{why outcome}"
        else
            None

    /// Each result that requests had, with their number and the complaint about the first of them.
    let counted (outcome: Outcome) : (RequestResult * int64 * string option) list =
        [
            for KeyValue(result, count) in outcome.Results do
                if count > 0L then
                    result, count, Map.tryFind result outcome.Complaints
        ]

/// A load run with its machine, versions and times, from which reports are made.
type Recording =
    {
        /// Its name among others.
        Name: string
        /// The command that repeats it.
        Command: string
        /// Warnings besides the reasons that make the run invalid, one sentence each.
        Warnings: string list
        /// Where it ran; None where that is not known.
        Environment: RunEnvironment option
        Outcome: Outcome
    }
