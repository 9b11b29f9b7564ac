// The effect of each defect of the published measurement: comparisons of a route with one defect on with the same
// route without it, and their panels.
module internal Plait.Lab.AdapterEffects

open System.Threading

open Plait.Load
open Plait.Report

/// The route that shows the effect of a defect.
let private routeOf defect =
    match defect with
    | UnequalBodies -> "async"
    | ClientPerRequest
    | ConsoleLogging
    | SharedCore -> "task"

/// Runs a comparison for each route that shows a defect. `placement`: the cores where the client has its own; `settings`,
/// `folder`, `routes` and `request`: those of the run. Its ending, and the rows with a defect on.
let measure
    (settings: AdapterSettings)
    (folder: string)
    (placement: Affinity.Placement)
    (routes: RowPlan list)
    (scenario: Scenario)
    (request: ComparisonRequest)
    (tell: Progress -> unit)
    (stop: CancellationToken)
    : Ending * Row list =
    // A card service on the client's core, wherever the run has its own.
    let upstream, url =
        CardService.start folder settings.Service placement.Client settings.Pairs.PatienceMilliseconds

    use _ = upstream
    let off = { settings with Defects = [] }

    let comparison (route: string, defects: Defect list) =
        let plan = routes |> List.find (fun row -> row.Id = route)

        let withDefect defect =
            let on = { settings with Defects = [ defect ] }
            let row = AdapterRoutes.configured on url plan

            { row with
                Id = $"{route}+{Defect.name defect}"
                Candidate = { row.Candidate with Label = Defect.words defect; Family = Family.Published }
                Switches = Switches.ofList (if defect = SharedCore then [ Switch.ClientOnServer ] else [])
            },
            AdapterRoutes.body on route

        let rows = defects |> List.map withDefect

        { scenario with
            Base = route
            Control = ""
            Expected = AdapterRoutes.body off route
            ExpectedOf = Map [ for row, body in rows -> row.Id, body ]
        },
        AdapterRoutes.configured off url plan :: List.map fst rows

    let rec go (rows: Row list) (comparisons: (Scenario * RowPlan list) list) =
        match comparisons with
        | [] -> Completed, rows
        | (scenario, plans) :: rest ->
            tell (Stage $"the effect of each defect on {scenario.Base}")

            let request =
                { request with
                    Rows = plans
                    // A width without a time would let a restless machine go on to the most launches there are.
                    Settings = { settings.Pairs with Width = None; BudgetSeconds = None; SharedCore = false }
                }

            let ending, results = Comparison.run scenario request tell ignore stop

            let rows = rows @ (results.Rows |> List.filter (fun row -> row.Id <> scenario.Base))

            match ending with
            | Completed
            | RulesBroken _ -> go rows rest
            | Stopped -> Stopped, rows
            | Broken sentence ->
                tell (Noticed $"the effect of defects on {scenario.Base} is not measured: {sentence}")
                go rows rest

    settings.Defects |> List.groupBy routeOf |> List.map comparison |> go []

/// The table and the plot; none without effects.
let panels (rows: Row list) : Panel list =
    let column (figure: Figure) =
        { Column.ofFigure figure with Title = figure.Short; Group = "" },
        fun (row: Row) -> Panel.measured (row.Find figure)

    EffectPanels.all
        "The effect of each defect of the original"
        "A route with the defect on; its base is the same route with it off, in pairs of slices."
        _.Label
        [
            Column.words "route", _.Candidate >> Panel.text
            column Figures.httpBytesPerRequest
            column Figures.httpBytesOverBase
            column Figures.httpCpuRatio
            column Figures.httpRequestsPerSecondPercent
        ]
        (fun row -> Some $"measured on the route {row.Candidate}")
        rows
