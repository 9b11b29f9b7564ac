// One row in one launch, from its start to its last pair; and the base, which stays alive for all rows of a launch.
namespace Plait.Lab

open System
open System.Collections.Generic

open Plait.Report

module internal RowLaunch =
    /// What is measured of a row.
    let phases (settings: Settings) (row: RowRun) =
        [
            if settings.InProcess && not settings.BytesOnly then
                Place.InProcess
            if Settings.isLoaded settings row.Plan then
                Place.OverHttp
        ]

    let private ratioOf (pairs: List<Pair>) =
        if pairs.Count = 0 then None else Some(pairs |> Seq.map _.CpuRatio |> Statistics.median)

    /// A fresh process of a row, right, and warm in process.
    let private prepare (context: Context) (row: RowRun) =
        let started = Start.row context row.Plan [] context.Placement.Server

        try
            row.Introduction <- Some started.Introduction
            AnswerCheck.inProcess context.Scenario row started

            if context.Settings.InProcess then
                row.Warmed(Launch.warmInProcess context started)

            started
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()

    /// Measures a row against the base.
    let measure (context: Context) launch (theBase: LaunchBase) (row: RowRun) =
        let id = row.Plan.Id
        let settings = context.Settings
        let first = List.head (phases settings row)
        context.Tell(Doing(id, launch, Word.ofCase first))
        let own = row.Launch()
        use started = prepare context row

        for baseProcess in Option.toList theBase.InProcess do
            Launch.inProcess context launch row own started baseProcess theBase.Run
            own.Finished.Add Place.InProcess
            context.Tell(Did(id, launch, Word.ofCase Place.InProcess, ratioOf own.InProcess))

        if Settings.isLoaded settings row.Plan then
            context.Tell(Doing(id, launch, Word.ofCase Place.OverHttp))
            let port = if settings.Port = 0 then 0 else settings.Port + 1
            let served = HttpLaunch.serve context row started port
            use _ = served.Connections
            row.Warmed(HttpLaunch.warm context row served)
            HttpLaunch.overHttp context launch row own served (Option.get theBase.OverHttp) theBase.Run
            own.Finished.Add Place.OverHttp
            context.Tell(Did(id, launch, Word.ofCase Place.OverHttp, ratioOf own.Http))

    // The process of the base that serves.
    let private startServedBase (context: Context) (row: RowRun) =
        let started = prepare context row

        try
            let served = HttpLaunch.serve context row started context.Settings.Port
            row.Warmed(HttpLaunch.warm context row served)
            served
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()

    /// Starts the base, warm in all that rows will be compared in.
    let startBase (context: Context) launch (row: RowRun) : LaunchBase =
        let id = row.Plan.Id
        context.Tell(Doing(id, launch, "starting the base"))
        let run = row.Launch()

        let overHttp = context.Load |> Option.map (fun _ -> startServedBase context row)

        let inProcess =
            try
                if context.Settings.InProcess then Some(prepare context row) else None
            with _ ->
                overHttp |> Option.iter (fun served -> (served :> IDisposable).Dispose())
                reraise ()

        context.Tell(Did(id, launch, "starting the base", None))
        { InProcess = inProcess; OverHttp = overHttp; Run = run }
