// The verb that shows several runs in one page and one table.
module internal Plait.Tool.ReportVerb

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Report

open Plait.Load

let private files =
    RunFiles.argument
        "attack.json of load runs, .hlog files of any program, results.json of scenarios: plait report before/attack.json after/attack.json"

let private out =
    Options.text "--out" "FILE" "the page that is written (default: report.html in this folder)"

let private json = Options.json "the data of the page"

/// The request of a command line.
type private ReportInput = { Sources: RunFile list; Page: string; Json: string option }

let private request (parsed: ParseResult) : ReportInput =
    let page = Path.GetFullPath(Options.valueOr "report.html" parsed out)
    let json = Options.value parsed json

    Options.checkDistinct
        [ "--out", page; yield! Option.toList json |> List.map (fun file -> "--json", file) ]

    { Sources = RunFiles.read "report" files parsed; Page = page; Json = json }

let private show (sources: RunFile list) =
    let latencies = sources |> List.collect RunFile.latencies

    for table in
        [
            LatencyDifferences.lines (Wrap.width ()) (RunComparison.differences sources)
            if not latencies.IsEmpty then
                RunComparison.table latencies
            RunComparison.loads sources
        ] do
        for line in table do
            Console.Out.WriteLine line

        if not table.IsEmpty then
            Console.Out.WriteLine()

    for source in sources do
        match source.Content with
        | Scenario results ->
            Wrap.lines "" $"{source.Name}: {results.Title}" |> List.iter Console.Out.WriteLine

            if not results.Rows.IsEmpty then
                TerminalLines.write (ResultsText.controls (Wrap.width ()) results)
                TerminalLines.write (ResultsText.rows (Wrap.width ()) results)
                Console.Out.WriteLine()
        | Attack _
        | Log _ -> ()

let private report (input: ReportInput) : int =
    let results = RunComparison.results (CommandLine.given ()) input.Sources

    let write () =
        show input.Sources

        for warning in results.Warnings do
            for line in Wrap.lines "" $"warning: {warning}" do
                Console.Out.WriteLine line

        Files.writing input.Page (fun () -> Page.write input.Page results)
        Console.Out.WriteLine $"page:    {input.Page}"

    Options.withJson input.Json write (fun () -> ResultsJson.write results)
    Endings.success

let private run (parsed: ParseResult) : int = report (request parsed)

/// plait report
let command () : Command =
    Verb.make
        "report"
        "Show several runs in one page: the differences of each later run from the first, latency over time and by percentile on both clocks, rates, errors, and the figures side by side; the tables go to the terminal as well."
        [ files ]
        [ out; json; RunFiles.unit' ]
        run
