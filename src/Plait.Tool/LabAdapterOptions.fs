// The options of the scenario adapter, and what they come to.
module internal Plait.Tool.LabAdapterOptions

open System.CommandLine

open Plait.Lab.Scenarios

let private quick =
    LabOptions.quick "under three minutes: fewer launches and pairs, shorter loads, wider intervals"

let private only =
    LabOptions.only "measure these routes; the base and the A/A control always are"

let private skip = LabOptions.skip "routes"

let private effort =
    LabEffort.make "route" [ "--rounds" ] "every random choice, and of the cards"

let private connections =
    LabOptions.connections "keep-alive connections while pairs are measured"

let private out = LabOptions.out Adapter.name

let private candidates =
    LabOptions.candidates "the folder that the built candidates lie in"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        only
        skip
        yield! LabAdapterLoadOptions.all'
        yield! LabAdapterServiceOptions.all'
        yield! LabEffort.all' effort
        connections
        out
        LabOptions.json
        candidates
        LabOptions.patience
    ]

let private pairs (isOrdered: bool) (parsed: ParseResult) (preset: Settings) : Settings =
    { LabEffort.into effort isOrdered parsed preset with
        Connections = Options.valueOr preset.Connections parsed connections
    }

/// How to measure. Raises BadInput when something cannot be asked for.
let settings (parsed: ParseResult) : AdapterSettings =
    let preset =
        if Options.value parsed quick then AdapterSettings.quick else AdapterSettings.full

    let isOrdered = LabEffort.isOrdered effort parsed

    { preset with
        Pairs = pairs isOrdered parsed preset.Pairs
        BudgetSeconds =
            if isOrdered || LabAdapterLoadOptions.isTimed parsed then None else preset.BudgetSeconds
    }
    |> LabAdapterServiceOptions.into parsed
    |> LabAdapterLoadOptions.into parsed

/// The folder that the candidates, and with them the routes, lie in.
let folder (parsed: ParseResult) : string =
    LabOptions.candidatesFolder parsed candidates

/// The routes to measure, the base and the control among them. Raises BadInput for names that are not known.
let rows (routes: Candidate list) (parsed: ParseResult) : RowPlan list =
    Selection.choose
        [ AdapterRoutes.theBase; AdapterRoutes.control ]
        (Options.value parsed only)
        (Options.value parsed skip)
        routes

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option = Options.value parsed LabOptions.json
