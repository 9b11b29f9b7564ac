// The runner: rounds over rows, so that a slow drift of the machine hits all rows alike. However it ends, it
// returns the figures so far.
namespace Plait.Lab

open System.Collections.Generic
open System.Threading

open Plait.Common
open Plait.Report

open Plait.Load

/// Running a comparison.
module Comparison =
    /// Steps that a row in trouble will not do: the rest of its last launch, and the counting of bytes.
    let private left (settings: Settings) (row: MeasuredRow) =
        let last = row.Launches[row.Launches.Count - 1]
        let undone = last.Asked |> List.filter (last.Finished.Contains >> not)
        undone.Length + (if settings.InProcess then 1 else 0)

    let private runRound
        (context: Context)
        round
        (baseRow: MeasuredRow)
        (others: MeasuredRow list)
        (save: unit -> unit)
        =
        use theBase =
            Rounds.startBase context round baseRow (fun () -> RowLaunch.startBase context baseRow)

        let settings = context.Settings

        let steps row =
            (RowLaunch.phases settings context.Measures row).Length

        Rounds.measureRows context round baseRow others steps (left settings) save (fun row ->
            let paced = { context with Settings = context.TimeBudget.Next settings }
            RowLaunch.measure paced round theBase row)

    let private runAll
        (context: Context)
        (request: ComparisonRequest)
        (baseRow: MeasuredRow)
        (others: MeasuredRow list)
        save
        tellEnd
        =
        let settings = request.Settings

        let inRound measures =
            others |> List.sumBy (fun row -> (RowLaunch.phases settings measures row).Length)

        let all = baseRow :: others

        let bytes =
            if settings.InProcess then all.Length * (ByteCounting.passes settings).Length else 0

        let steps rounds =
            bytes + (rounds |> List.sumBy (fun measures -> 1 + inRound measures))

        if settings.BytesOnly then
            context.Tell(Began bytes)
        else
            Rounds.run context others steps tellEnd (fun context round ->
                runRound context round baseRow others save)

        if settings.InProcess then
            for pass in ByteCounting.passes settings do
                ByteCounting.run context pass (baseRow :: (others |> List.filter _.Trouble.IsNone))

    /// The frame of every comparison: `measure` gets the shared context of its launches, the function that saves the
    /// results so far, and the function that takes the ending. Never raises for failures of processes.
    let internal within
        (scenario: Scenario)
        (request: ComparisonRequest)
        (before: EnvironmentSnapshot.InitialFacts)
        (pace: TimeBudget)
        (rows: MeasuredRow list)
        (finish: Results -> Results)
        (tell: Progress -> unit, save: Results -> unit, stop: CancellationToken)
        (measure: Context -> (unit -> unit) -> (StopRule.Ended -> unit) -> unit)
        : Ending * Results =
        Affinity.moveSelf before.Placement.Client
        let busy = List<float>()
        let ended = ref StopRule.goingOn

        let soFar complete =
            ComparisonResults.make scenario request before pace busy rows ended.Value complete
            |> finish

        let context =
            {
                Scenario = scenario
                Settings = request.Settings
                TimeBudget = pace
                Placement = before.Placement
                Measures = [ Measure.InProcess; Measure.OverHttp ]
                Load = None
                Stop = stop
                Tell = tell
                ClientBusy = busy
            }

        let ending =
            Failures.ending stop (fun () ->
                measure context (fun () -> save (soFar false)) (fun how -> ended.Value <- how)
                Completed)

        ending, soFar (ending = Completed)

    /// Runs the comparison. `tell` gets its progress; `save` is given the results so far after every row; `stop` ends it
    /// after the slice that is running. Never raises for failures of processes: the ending has them, and the results hold the
    /// figures so far.
    let run
        (scenario: Scenario)
        (request: ComparisonRequest)
        (tell: Progress -> unit)
        (save: Results -> unit)
        (stop: CancellationToken)
        : Ending * Results =
        let before =
            EnvironmentSnapshot.look request.Repository
            |> EnvironmentSnapshot.share request.Settings.SharedCore

        let settings = request.Settings
        let rows = request.Rows |> List.map MeasuredRow
        let present = rows |> List.filter (fun row -> row.Plan.Candidate.Absence.IsNone)

        let baseRows, others =
            present |> List.partition (fun row -> row.Plan.Id = scenario.Base)

        let pace =
            // With a width, a short time reduces the number of launches and not their pairs.
            let budget =
                if settings.Width.IsSome then None else TimeBudget.timed settings present.Length

            TimeBudget(budget, settings.Launches * others.Length)

        let needed (id: string) =
            for row in rows |> List.filter (fun row -> row.Plan.Id = id) do
                match row.Plan.Candidate.Absence with
                | Some absence ->
                    raise (
                        RunFailed
                            $"every comparison needs {id}, which is {Word.ofCase absence.Status}: {absence.Reason}"
                    )
                | None -> ()

        within scenario request before pace rows id (tell, save, stop) (fun context save tellEnd ->
            needed scenario.Base
            needed scenario.Control
            let theBase = List.exactlyOne baseRows

            use generators =
                new Generators(request.Generator, context.Placement, settings.PatienceMilliseconds)

            let load = if settings.Http then Some generators else None
            runAll { context with Load = load } request theBase others save tellEnd)
