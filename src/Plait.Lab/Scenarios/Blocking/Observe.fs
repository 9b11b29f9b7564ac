// Running jobs in a process of their own, and keeping what it tells of them: whatever ends the run, what was seen before
// is there.
namespace Plait.Lab.Blocking

open System
open System.Collections.Generic
open System.Globalization
open System.Text.Json
open System.Threading

open Plait.Report

open Plait.Load

/// What the process of a run is started with, and how it is watched.
type Watching =
    {
        /// The executable and arguments of the process.
        Worker: string list
        /// Milliseconds between two looks at the pool.
        SampleMilliseconds: int
        /// Milliseconds between two probes; None: no probes.
        ProbeMilliseconds: int option
        /// The processors that its runtime believes in; None: those that there are.
        Processors: int option
    }

module private Patience =
    // Answers come from a thread that only answers; on a machine with all cores taken they may still be late.
    let milliseconds = 30000

/// A process that runs jobs.
type JobProcess private (subject: string, watching: Watching, worker: LineProcess, cores: int) =
    let items (name: string) (read: JsonElement[] -> 'T) (reply: JsonElement) : 'T list =
        [
            for item in reply.GetProperty(name).EnumerateArray() ->
                item.EnumerateArray() |> Array.ofSeq |> read
        ]

    let moment (fields: JsonElement[]) : Moment =
        {
            Seconds = fields[0].GetDouble()
            Threads = fields[1].GetInt32()
            PoolThreads = fields[2].GetInt32()
            Queue = fields[3].GetInt64()
            Ended = fields[4].GetInt32()
        }

    let probe (fields: JsonElement[]) : Probe =
        {
            QueuedSeconds = fields[0].GetDouble()
            DelaySeconds = fields[1].GetDouble()
            Ran = fields[2].GetInt32() = 1
        }

    /// Starts it.
    static member Start(subject: string, watching: Watching) : JobProcess =
        let worker, ready =
            LineProcess.Start(
                {
                    Subject = subject
                    File = List.head watching.Worker
                    Arguments = List.tail watching.Worker
                    Variables =
                        [
                            match watching.Processors with
                            | Some number -> "DOTNET_PROCESSOR_COUNT", string number
                            | None -> ()
                        ]
                    Core = None
                },
                Patience.milliseconds
            )

        new JobProcess(subject, watching, worker, int (Reply.whole subject "cores" ready))

    /// The processors that its runtime sees.
    member _.Cores = cores

    /// Runs the jobs of a mode for at most `limit` seconds; `tell` is told how far they are, a few times a second.
    member _.Run
        (mode: Mode, load: Workload, limit: float, tell: Moment -> unit, stop: CancellationToken)
        : Observation =
        let moments = List<Moment>()
        let probes = List<Probe>()
        let mutable atOnce = 0
        let mutable ended = 0

        let take (request: string) =
            let reply =
                worker.Ask("running jobs", $"""{{"do":"{request}"}}""", Patience.milliseconds)

            moments.AddRange(items "moments" moment reply)
            probes.AddRange(items "probes" probe reply)
            atOnce <- int (Reply.whole subject "atOnce" reply)
            ended <- int (Reply.whole subject "done" reply)
            Reply.flag "ended" reply, Reply.number subject "wallSeconds" reply

        let rec follow () =
            let isStopped = stop.WaitHandle.WaitOne 200
            let isEnded, wall = take "look"

            if moments.Count > 0 then
                tell moments[moments.Count - 1]

            if isEnded then Ended wall
            elif isStopped then Interrupted
            elif wall >= limit then TimedOut limit
            else follow ()

        let outcome =
            try
                let scale = load.Scale.ToString("R", CultureInfo.InvariantCulture)
                let probe = Option.defaultValue 0 watching.ProbeMilliseconds

                worker.Ask(
                    "starting jobs",
                    $"""{{"do":"start","mode":"{mode.Name}","scale":{scale},"sleep":{load.SleepMilliseconds},"sample":{watching.SampleMilliseconds},"probe":{probe}}}""",
                    Patience.milliseconds
                )
                |> ignore

                let outcome = follow ()

                // Probes that wait when the last job has ended find threads now.
                if outcome <> Interrupted then
                    stop.WaitHandle.WaitOne 300 |> ignore

                take "rest" |> ignore
                outcome
            with :? WorkerFailed as trouble ->
                // Ctrl-C reaches the children as well: one that ends because of it has not failed.
                if stop.WaitHandle.WaitOne 200 then Interrupted else Failed trouble.Message

        {
            Outcome = outcome
            AtOnce = atOnce
            Done = ended
            Moments = moments |> Seq.sortBy _.Seconds |> List.ofSeq
            Probes = probes |> Seq.sortBy _.QueuedSeconds |> List.ofSeq
        }

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()
