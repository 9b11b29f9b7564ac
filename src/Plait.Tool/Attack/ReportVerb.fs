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
    Options.text "--out" "FILE" "the page that is written (default report.html in this folder)"

let private json = Options.json "the data of the page"

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

let private run (parsed: ParseResult) : int =
    let sources = RunFiles.read "report" files parsed
    let command = CommandLine.given ()
    let results = RunComparison.results command sources

    let write () =
        show sources

        for warning in results.Warnings do
            for line in Wrap.lines "" $"warning: {warning}" do
                Console.Out.WriteLine line

        let page =
            Path.GetFullPath(Options.value parsed out |> Option.defaultValue "report.html")

        Files.writing page (fun () -> Page.write page results)
        Console.Out.WriteLine $"page:    {page}"

    Options.withJson (Options.value parsed json) write (fun () -> ResultsJson.write results)
    Endings.success

/// plait report
let command () : Command =
    Verb.make
        "report"
        "Show several runs in one page: the differences of each later run from the first, latency over time and by percentile on both clocks, rates, errors, and the figures side by side; the tables go to the terminal as well."
        [ files ]
        [ out; json; RunFiles.unit' ]
        run
