// What each defect of the published measurement brings: one route with the defect on and the same with it off, in pairs.
module internal Plait.Lab.Scenarios.AdapterEffects

open System.Collections.Generic

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

/// What a defect came to. Ratios are on over off.
type Effect =
    {
        Defect: Defect
        Route: string
        Cpu: Measured option
        Rate: Measured option
        BytesOff: float
        BytesOn: float
        /// Why there are no figures.
        Trouble: string option
    }

/// The route that shows the effect of a defect.
let routeOf defect =
    match defect with
    | UnequalBodies -> "async"
    | ClientPerRequest
    | ConsoleLogging
    | SharedCore -> "task"

let private estimate (settings: Settings) part (value: Pair -> float) (launches: Pair list list) =
    launches |> List.map (List.filter _.IsUsable) |> RowResult.ratio settings part value

let private side (settings: AdapterSettings) (defect: Defect) isOn =
    { settings with Defects = if isOn then [ defect ] else [] }

let private launch
    (context: AdapterContext)
    (client: AttackProcess)
    (row: RowPlan)
    defect
    number
    : Pair list =
    let settings = context.Settings.Pairs

    let start isOn =
        let core =
            if isOn && defect = SharedCore then context.Placement.Client else context.Placement.Server

        AdapterContext.startRoute context (side context.Settings defect isOn) row core

    let connect isOn (url: string) =
        let body = AdapterRoutes.body (side context.Settings defect isOn) row.Id
        HttpSlice.connect client url settings.Connections body settings.PatienceMilliseconds

    let on, onUrl = start true
    use on = on
    let off, offUrl = start false
    use off = off
    use onConnections = connect true onUrl
    use offConnections = connect false offUrl

    let take milliseconds isOn =
        context.Stop.ThrowIfCancellationRequested()

        let slice, complaint =
            if isOn then
                HttpSlice.take onConnections on milliseconds
            else
                HttpSlice.take offConnections off milliseconds

        match complaint with
        | Some complaint when slice.Operations = 0L ->
            raise (WorkerFailed(row.Id, $"{row.Id} answered no request rightly under load: {complaint}"))
        | _ -> slice

    for _ in 1 .. max 1 (settings.HttpWarmUp.FloorMilliseconds / 300) do
        take 300 true |> ignore
        take 300 false |> ignore

    let pairs = List<Pair>()

    for first in
        Order.pairs (Order.random settings.Seed $"effects {Defect.name defect} {number}") settings.Pairs do
        match first with
        | Order.CandidateFirst ->
            let candidate = take settings.SliceMilliseconds true
            pairs.Add { Candidate = candidate; Base = take settings.SliceMilliseconds false }
        | Order.BaseFirst ->
            let theBase = take settings.SliceMilliseconds false
            pairs.Add { Candidate = take settings.SliceMilliseconds true; Base = theBase }

    List.ofSeq pairs

/// The effect without a verdict, where the control of the run did not hold.
let notJudged (effect: Effect) : Effect =
    { effect with Cpu = effect.Cpu |> Option.map (fun cpu -> { cpu with Verdict = None }) }

/// Measures a defect.
let measure (context: AdapterContext) (client: AttackProcess) (rows: RowPlan list) (defect: Defect) : Effect =
    let settings = context.Settings.Pairs
    let route = routeOf defect
    let row = rows |> List.find (fun row -> row.Id = route)

    let nothing trouble =
        {
            Defect = defect
            Route = route
            Cpu = None
            Rate = None
            BytesOff = nan
            BytesOn = nan
            Trouble = Some trouble
        }

    try
        let launches =
            [ for number in 1 .. settings.Launches -> launch context client row defect number ]

        let usable = launches |> List.concat |> List.filter _.IsUsable

        if usable.IsEmpty then
            nothing "no slice was long enough to show anything"
        else
            let median (value: Pair -> float) =
                usable |> List.map value |> Statistics.median

            let cpu = estimate settings $"{Defect.name defect} CPU" _.CpuRatio launches

            {
                Defect = defect
                Route = route
                Cpu =
                    cpu
                    |> Option.map (fun cpu ->
                        { cpu with Verdict = Some(RowResult.verdict settings.Margin cpu) })
                Rate = estimate settings $"{Defect.name defect} requests/s" _.RateRatio launches
                BytesOff = median _.Base.BytesPerOperation
                BytesOn = median _.Candidate.BytesPerOperation
                Trouble = None
            }
    with :? WorkerFailed as trouble ->
        if context.Stop.WaitHandle.WaitOne 200 then
            context.Stop.ThrowIfCancellationRequested()

        nothing trouble.Message
