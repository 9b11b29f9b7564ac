// Runs the scenario blocking: every case in a process of its own, watched until its jobs end or its time is over.
namespace Plait.Lab

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading

open Plait.Common
open Plait.Load

/// The start of the process of a run, and its watch.
[<NoEquality; NoComparison>]
type JobWatch =
    {
        /// The executable and arguments of the process.
        Worker: string list
        /// Milliseconds between two looks at the pool.
        SampleMilliseconds: int
        /// Milliseconds between two probes; None: no probes.
        ProbeMilliseconds: int option
        /// The processors that its runtime counts; None: the machine's.
        Processors: int option
        /// Looks at the process once in each run; None: no look.
        Examine: (int -> PoolDiagnosis) option
    }

module private Patience =
    // Answers come from a thread that only answers; on a machine with all cores taken they may still be late.
    let milliseconds = 120000

/// A process that runs jobs.
type JobProcess private (subject: string, watching: JobWatch, worker: LineProcess, cores: int, pid: int) =
    let ask (doing: string) (request: JobRequest) =
        worker.Ask(doing, JobJson.write request, Patience.milliseconds)

    /// Starts it.
    static member Start(subject: string, watching: JobWatch) : JobProcess =
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

        let whole (name: string) = int (Reply.whole subject name ready)
        new JobProcess(subject, watching, worker, whole "cores", whole "pid")

    /// The processors that its runtime counts.
    member _.Cores = cores

    /// Runs the jobs of a mode for at most `limit` seconds; `tell` gets their progress, a few times a second.
    member _.Run
        (mode: Mode, load: Workload, limit: float, tell: Moment -> unit, stop: CancellationToken)
        : Observation =
        let moments = List<Moment>()
        let probes = List<Probe>()
        let mutable atOnce = 0
        let mutable ended = 0
        let mutable looking: DelayedLook option = None

        let take (request: JobRequest) =
            let seen = ask "running jobs" request |> JobJson.read<JobReading>
            moments.AddRange seen.Moments
            probes.AddRange seen.Probes
            atOnce <- seen.AtOnce
            ended <- seen.Done
            seen

        let rec follow () =
            let isStopped = stop.WaitHandle.WaitOne 200
            let seen = take Look

            if moments.Count > 0 then
                tell moments[moments.Count - 1]

            if seen.HaveEnded then Ended seen.WallSeconds
            elif isStopped then Interrupted
            elif seen.WallSeconds >= limit then TimedOut limit
            else follow ()

        let ending =
            try
                ask
                    "starting jobs"
                    (Start(mode, load, watching.SampleMilliseconds, watching.ProbeMilliseconds))
                |> ignore

                looking <-
                    watching.Examine
                    |> Option.map (fun examine ->
                        DelayedLook(examine, pid, DelayedLook.after mode load cores))

                let ending = follow ()

                // Probes that wait when the last job has ended find threads now.
                if ending <> Interrupted then
                    stop.WaitHandle.WaitOne 300 |> ignore

                take Rest |> ignore
                ending
            with :? WorkerFailed as trouble ->
                // Ctrl-C reaches the children as well: one that ends because of it has not failed.
                if stop.WaitHandle.WaitOne 200 then Interrupted else Failed trouble.Message

        // A look that is under way needs the process until it ends.
        let examination = looking |> Option.map _.Finish()

        {
            Ending = ending
            AtOnce = atOnce
            Done = ended
            Moments = moments |> Seq.sortBy _.Seconds |> List.ofSeq
            Probes = probes |> Seq.sortBy _.QueuedSeconds |> List.ofSeq
            Examination = examination
        }

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()

/// All runs of a case.
type CaseRun = { Case: Case; Observations: Observation list }

/// Running the scenario.
module BlockingRun =
    let private describe (settings: BlockingSettings) (moment: Moment) =
        $"{moment.Ended} of {settings.Load.Jobs} jobs, {moment.PoolThreads} pool threads, {moment.Seconds:F0} s"

    /// How an observation ended, in a few words.
    let word (settings: BlockingSettings) (observation: Observation) : string =
        match observation.Ending with
        | Ended _ -> "ended"
        | TimedOut seconds ->
            $"did not end within {seconds:F0} s ({observation.Done} of {settings.Load.Jobs})"
        | Interrupted -> $"stopped ({observation.Done} of {settings.Load.Jobs})"
        | Failed sentence -> "failed: " + sentence

    /// Runs the scenario. `worker`: the executable and arguments that become the process of jobs; `save` gets the
    /// results so far after every case; `missed` has the figure of the control if it missed so far.
    let run
        (settings: BlockingSettings)
        (worker: string list)
        (tell: Progress -> unit)
        (save: CaseRun list -> unit)
        (missed: CaseRun list -> float option)
        (stop: CancellationToken)
        : Ending * CaseRun list =
        let clock = Stopwatch.StartNew()
        let all = BlockingCases.cases settings
        let seen = List<Case * Observation>()
        let mutable left = all.Length * settings.Launches
        tell (Began left)

        let soFar () =
            [
                for case in all ->
                    {
                        Case = case
                        Observations =
                            [
                                for other, observation in seen do
                                    if other.Id = case.Id then
                                        observation
                            ]
                    }
            ]

        let runGroup launch (group: Case list) =
            let first = List.head group

            let watching =
                {
                    Worker = worker
                    SampleMilliseconds = settings.SampleMilliseconds
                    ProbeMilliseconds = if first.Probed then settings.ProbeMilliseconds else None
                    Processors = first.Processors
                    Examine = settings.Examine
                }

            use jobs = JobProcess.Start(first.Id, watching)

            for case in group do
                left <- left - 1
                tell (Doing(case.Id, launch, "starting"))
                let limit = BlockingCases.limit settings clock.Elapsed.TotalSeconds left

                let progress moment =
                    tell (Doing(case.Id, launch, describe settings moment))

                let observation = jobs.Run(case.Mode, settings.Load, limit, progress, stop)
                seen.Add(case, observation)

                let ending =
                    match observation.Ending with
                    | Ended seconds -> $"{seconds:F2} s"
                    | _ -> word settings observation

                let said = observation.Examination |> Option.map Examination.words |> Option.toList
                tell (Did(case.Id, launch, String.concat ", " (ending :: said), None))

                save (soFar ())
                stop.ThrowIfCancellationRequested()

        // A control that missed is run once more, together with the mode that it repeats, while there is time.
        let rec measureOn added =
            let isLate =
                settings.BudgetSeconds
                |> Option.exists (fun budget -> clock.Elapsed.TotalSeconds > budget)

            match missed (soFar ()) with
            | Some ratio when added <= BlockingCases.mostAdded && not isLate ->
                tell (
                    Noticed
                        $"the A/A control came out {ratio:F2} instead of 1.00: it and its mode are run once more"
                )

                left <- left + BlockingCases.pair.Length
                tell (Began(all.Length * settings.Launches + added * BlockingCases.pair.Length))

                for case in BlockingCases.pair do
                    stop.ThrowIfCancellationRequested()
                    runGroup (settings.Launches + added) [ case ]

                measureOn (added + 1)
            | _ -> ()

        let ending =
            Failures.ending stop (fun () ->
                for launch in 1 .. settings.Launches do
                    for group in BlockingCases.order settings launch do
                        stop.ThrowIfCancellationRequested()
                        runGroup launch group

                measureOn 1
                Completed)

        ending, soFar ()
