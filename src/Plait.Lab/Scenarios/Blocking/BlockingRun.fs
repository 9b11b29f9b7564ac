// The scenario blocking: many jobs that wait, in every mode, each mode in a fresh process.
namespace Plait.Lab.Blocking

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading

open Plait.Report

open Plait.Lab.Scenarios

/// Running the scenario.
module BlockingRun =
    let private describe (settings: BlockingSettings) (moment: Moment) =
        $"{moment.Ended} of {settings.Load.Jobs} jobs, {moment.PoolThreads} pool threads, {moment.Seconds:F0} s"

    /// How an observation ended, in a few words.
    let word (settings: BlockingSettings) (observation: Observation) : string =
        match observation.Outcome with
        | Ended _ -> "ended"
        | TimedOut seconds ->
            $"did not end within {seconds:F0} s ({observation.Done} of {settings.Load.Jobs})"
        | Interrupted -> $"stopped ({observation.Done} of {settings.Load.Jobs})"
        | Failed sentence -> "failed: " + sentence

    /// Runs the scenario. `worker`: the executable and arguments that become the process of jobs; `save` is given what
    /// there is after every case.
    let run
        (settings: BlockingSettings)
        (worker: string list)
        (tell: Progress -> unit)
        (save: CaseRun list -> unit)
        (stop: CancellationToken)
        : Ending * CaseRun list =
        let clock = Stopwatch.StartNew()
        let all = BlockingCases.cases settings
        let seen = Dictionary<string, List<Observation>>()
        let mutable left = all.Length * settings.Launches
        tell (Began left)

        let soFar () =
            [
                for case in all do
                    match seen.TryGetValue case.Id with
                    | true, observations -> { Case = case; Observations = List.ofSeq observations }
                    | _ -> { Case = case; Observations = [] }
            ]

        let keep (case: Case) observation =
            if not (seen.ContainsKey case.Id) then
                seen[case.Id] <- List()

            seen[case.Id].Add observation

        let runGroup launch (group: Case list) =
            let first = List.head group

            let watching =
                {
                    Worker = worker
                    SampleMilliseconds = settings.SampleMilliseconds
                    ProbeMilliseconds = if first.Probed then settings.ProbeMilliseconds else None
                    Processors = first.Processors
                }

            use jobs = JobProcess.Start(first.Id, watching)

            for case in group do
                left <- left - 1
                tell (Doing(case.Id, launch, "starting"))
                let limit = BlockingCases.limit settings clock.Elapsed.TotalSeconds left

                let progress moment =
                    tell (Doing(case.Id, launch, describe settings moment))

                let observation = jobs.Run(case.Mode, settings.Load, limit, progress, stop)
                keep case observation

                match observation.Outcome with
                | Ended seconds -> tell (Did(case.Id, launch, $"{seconds:F2} s", None))
                | _ -> tell (Did(case.Id, launch, word settings observation, None))

                save (soFar ())
                stop.ThrowIfCancellationRequested()

        let ending =
            try
                for launch in 1 .. settings.Launches do
                    for group in BlockingCases.order settings launch do
                        stop.ThrowIfCancellationRequested()
                        runGroup launch group

                Completed
            with
            | :? OperationCanceledException -> Stopped
            | :? WorkerFailed when stop.WaitHandle.WaitOne 200 -> Stopped
            | :? WorkerFailed as trouble -> Broken trouble.Message

        ending, soFar ()
