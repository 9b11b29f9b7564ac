// The verb that runs the scenario yield: two yields, then a return, by every builder.
module internal Plait.Tool.LabYieldVerb

open System
open System.CommandLine

open Plait.Common
open Plait.Lab

let private quick =
    LabOptions.quick "under three minutes: fewer launches and pairs, shorter slices, wider intervals"

let private asPublished =
    Options.flag
        "--as-published"
        "measure the published rows in PooledAwait's way as well: time on the wall, on all cores, one row after another, and show the difference"

let private only =
    LabOptions.only
        "measure only these rows (strand, csharp-task), and always the base csharp-task-t and the A/A control"

let private skip = LabOptions.skip "rows"
let private list = Options.flag "--list" "list the rows, and measure nothing"

let private effort =
    LabOptions.effort "row" "every random choice" (Yield.settings false)

let private candidates =
    LabOptions.candidates "the folder of all candidates; the rows' program lies in yields below it"

let private options: System.CommandLine.Option list =
    [ quick; asPublished; only; skip; list; yield! LabOptions.effortOptions effort; candidates ]

let private rows (parsed: ParseResult) : RowPlan list =
    LabOptions.candidatesFolder parsed candidates
    |> YieldRows.candidates
    |> RowPlan.chooseFrom
        "'plait lab yield --list'"
        [ Yield.scenario.Base; Yield.scenario.Control ]
        (Options.value parsed only)
        (Options.value parsed skip)

/// How to measure the published way; None: not.
let private published (parsed: ParseResult) : YieldAsPublished.ShortRun option =
    if not (Options.value parsed asPublished) then None
    elif Options.value parsed quick then Some YieldAsPublished.quick
    else Some YieldAsPublished.full

let private work (parsed: ParseResult) : ScenarioVerb.Work =
    let rows = rows parsed

    let settings =
        Yield.settings (Options.value parsed quick)
        |> LabOptions.withEffort effort (LabOptions.isOrdered effort parsed) parsed

    let published = published parsed

    fun session tell ->
        YieldAsPublished.run published (session.Request(settings, rows)) tell session.Save session.Stop

/// plait lab yield
let command () : Command =
    let name = Yield.scenario.Name
    let output = ScenarioVerb.output name

    Verb.make
        name
        "Compare every builder by two yields and a return: bytes for an operation, and CPU as a multiple of C# async Task<T>'s, on one core and one thread."
        []
        (options @ ScenarioVerb.outputOptions output)
        (fun parsed ->
            if Options.value parsed list then
                [ for row in YieldRows.all -> row.Name, row.Label ]
                |> TextTable.described (Wrap.width ())
                |> List.iter Console.Out.WriteLine

                Endings.success
            else
                ScenarioVerb.run name (LabOutput.root ()) (ScenarioVerb.read output parsed) (work parsed))
