// The verb that runs the scenario adapter: runs it, shows the tables, writes the files.
module internal Plait.Tool.LabAdapterVerb

open System.CommandLine

open Plait.Lab.Scenarios

let private run (parsed: ParseResult) : int =
    let settings = LabAdapterOptions.settings parsed
    let folder = LabAdapterOptions.folder parsed
    let routes = AdapterRoutes.candidates folder
    let rows = LabAdapterOptions.rows routes parsed
    LabFiles.check "--json" (LabAdapterOptions.jsonFile parsed)
    let root = LabOutput.root ()

    let output =
        LabOutput.folder Adapter.name (LabAdapterOptions.outputFolder parsed) root

    use stop = new StopSignal.StopSignal()

    let request =
        {
            Settings = settings.Pairs
            Rows = rows
            Generator = CommandLine.selfAs CommandLine.attackWorkerVerb
            Command = CommandLine.given ()
            Repository = root
        }

    let ending, results =
        LabProgress.run (fun tell ->
            Adapter.run settings folder (Selection.all routes) request tell output.WriteJson stop.Token)

    LabOutput.finish output (LabAdapterOptions.jsonFile parsed) ending results

/// plait lab adapter
let command () : Command =
    Verb.make
        Adapter.name
        "Measure what it costs how an F# library over HttpClient waits: routes of a C# web service, each a process of its own, by bytes and CPU in pairs with the same work inline, and by latency under open and closed loads; beside what was published."
        []
        LabAdapterOptions.all'
        run
