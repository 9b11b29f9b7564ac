// One row in one launch, from its start to its last pair; and the base, which stays alive for all rows of a round.
namespace Plait.Lab

open System

open Plait.Common
open Plait.Report

module internal RowLaunch =
    /// The measures among `measures` that a row has.
    let phases (settings: Settings) (measures: Measure list) (row: MeasuredRow) : Measure list =
        [
            if settings.InProcess && not settings.BytesOnly then
                Measure.InProcess
            if Settings.isLoaded settings row.Plan then
                Measure.OverHttp
        ]
        |> List.filter (fun measure -> List.contains measure measures)

    /// A fresh process of a row, right, and warm in process.
    let private prepare (context: Context) (row: MeasuredRow) =
        let started =
            Start.row
                context.Settings.PatienceMilliseconds
                row.Plan
                CandidateProcess.Variables
                context.Placement.Server

        Started.andThen started (fun () ->
            row.Introduction <- Some started.Introduction
            AnswerCheck.inProcess context.Scenario row started

            if context.Settings.InProcess then
                row.Warmed(Pairing.warmInProcess context started)

            started)

    // The same process as a warm server. Two commands a slice read its use of CPU and memory.
    let private serve (context: Context) row started =
        let served = HttpPairing.serve context row started

        Started.andThen served (fun () ->
            HttpPairing.warm context (Pairing.commands / 2) Pairing.warmSlice served
            served)

    /// Measures a row against the base.
    let measure (context: Context) launch (theBase: RunningBase) (row: MeasuredRow) =
        let phases = phases context.Settings context.Measures row

        let doing (phase: Measure) =
            context.Tell(Doing(row.Plan.Id, launch, Word.ofCase phase))

        doing phases.Head
        let own = row.Launch phases
        use started = prepare context row

        for baseProcess in Option.toList theBase.InProcess do
            Pairing.inProcess context launch row own started baseProcess theBase.Run

        if List.contains Measure.OverHttp phases then
            doing Measure.OverHttp
            use served = serve context row started
            HttpPairing.measure context launch own served (Option.get theBase.OverHttp) theBase.Run

    // The process of the base that serves, until it is closed.
    let private startServedBase (context: Context) (row: MeasuredRow) : LoadedServer =
        let started = prepare context row

        Started.andThen started (fun () ->
            let served = serve context row started

            { served with
                Close =
                    fun () ->
                        served.Close()
                        (started :> IDisposable).Dispose()
            })

    /// Starts the base, warm in all that rows will be compared in.
    let startBase (context: Context) (row: MeasuredRow) : RunningBase =
        let asked = phases context.Settings context.Measures row
        let run = row.Launch asked

        let overHttp =
            if List.contains Measure.OverHttp asked then Some(startServedBase context row) else None

        let inProcess =
            try
                if List.contains Measure.InProcess asked then Some(prepare context row) else None
            with _ ->
                overHttp |> Option.iter _.Close()
                reraise ()

        { InProcess = inProcess; OverHttp = overHttp; Run = run }
