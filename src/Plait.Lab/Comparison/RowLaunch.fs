// One row in one launch, from its start to its last pair; and the base, which stays alive for all rows of a launch.
namespace Plait.Lab.Scenarios

open System
open System.Collections.Generic


open Plait.Lab.Measure

/// The base of one launch, and the connections that ask it.
type internal Ground = { Live: Live; Run: LaunchRun }

module internal RowLaunch =
    /// What is measured of a row.
    let phases (settings: Settings) (row: RowRun) =
        [
            if settings.InProcess && not settings.BytesOnly then
                Phase.InProcess
            if Settings.isLoaded settings row.Plan then
                Phase.OverHttp
        ]

    let private ratioOf (pairs: List<Pair>) =
        if pairs.Count = 0 then None else Some(pairs |> Seq.map _.CpuRatio |> Statistics.median)

    let private noteFlat (row: RowRun) flat =
        if not flat then
            row.NotFlat <- row.NotFlat + 1

    /// A fresh process of a row, right, and warm in process.
    let private prepare (context: Context) (row: RowRun) =
        let started = Start.row context row.Plan [] context.Placement.Server

        try
            row.Introduction <- Some started.Introduction
            AnswerCheck.inProcess context.Scenario row started

            if context.Settings.InProcess then
                noteFlat row (Launch.warmInProcess context started)

            started
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()

    /// Measures a row against the base.
    let measure (context: Context) launch (ground: Ground) (row: RowRun) =
        let id = row.Plan.Id
        let settings = context.Settings
        let first = List.head (phases settings row)
        context.Tell(Doing(id, launch, first.Words))
        let own = row.Launch()
        use started = prepare context row
        let live = { Process = started; Url = None }

        if settings.InProcess then
            Launch.inProcess context launch row own live ground.Live ground.Run.InProcess
            own.Finished.Add Phase.InProcess
            context.Tell(Did(id, launch, Phase.InProcess.Words, ratioOf own.InProcess))

        if Settings.isLoaded settings row.Plan then
            context.Tell(Doing(id, launch, Phase.OverHttp.Words))
            let port = if settings.Port = 0 then 0 else settings.Port + 1

            let live =
                { live with
                    Url =
                        Some(
                            AnswerCheck.overHttp
                                context.Scenario
                                context.Settings.PatienceMilliseconds
                                row
                                started
                                port
                        )
                }

            noteFlat row (HttpLaunch.overHttp context launch row own live ground.Live ground.Run.Http)
            own.Finished.Add Phase.OverHttp
            context.Tell(Did(id, launch, Phase.OverHttp.Words, ratioOf own.Http))

    /// Starts the base, warm in all that rows will be compared in.
    let startBase (context: Context) launch (row: RowRun) =
        let id = row.Plan.Id
        context.Tell(Doing(id, launch, "starting the base"))
        let own = row.Launch()
        let started = prepare context row

        try
            let live =
                match context.Load with
                | None -> { Process = started; Url = None }
                | Some client ->
                    let url =
                        AnswerCheck.overHttp
                            context.Scenario
                            context.Settings.PatienceMilliseconds
                            row
                            started
                            context.Settings.Port

                    let live = { Process = started; Url = Some url }
                    noteFlat row (HttpLaunch.warmBase context client live)
                    live

            context.Tell(Did(id, launch, "starting the base", None))
            { Live = live; Run = own }
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()
