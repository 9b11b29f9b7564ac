// The verb that runs the scenario yield: two yields, then a return, by every builder.
module internal Plait.Tool.LabYieldVerb

open System
open System.CommandLine

open Plait.Lab.Scenarios

let private list () =
    let widest = YieldRows.all |> List.map _.Name.Length |> List.max

    for row in YieldRows.all do
        Console.Out.WriteLine $"{row.Name.PadRight widest}  {row.Label}"

    Endings.success

let private measure (parsed: ParseResult) : int =
    let rows = LabYieldOptions.rows parsed
    let settings = LabYieldOptions.settings parsed rows
    LabFiles.check "--json" (LabYieldOptions.jsonFile parsed)
    let root = LabOutput.root ()

    let output =
        LabOutput.folder Yield.scenario.Name (LabYieldOptions.outputFolder parsed) root

    use stop = new StopSignal.StopSignal()

    let request =
        {
            Settings = settings
            Rows = rows
            Generator = []
            Command = CommandLine.given ()
            Repository = root
        }

    let run tell =
        // Before the comparison, which binds this process to a core: its children would be bound as well.
        let timed =
            match LabYieldOptions.published parsed with
            | Some effort -> YieldAsPublished.run effort settings rows tell stop.Token
            | None -> []

        let scenario =
            { Yield.scenario with
                Panels = fun rows -> Yield.panels rows @ YieldAsPublished.panels timed rows
            }

        // Steps are counted from the start of the whole run.
        let tell =
            function
            | Began steps -> tell (Began(YieldAsPublished.steps timed + steps))
            | other -> tell other

        Comparison.run scenario request tell output.WriteJson stop.Token

    let ending, results = LabProgress.run run
    LabOutput.finish output (LabYieldOptions.jsonFile parsed) ending results

/// plait lab yield
let command () : Command =
    Verb.make
        "yield"
        "Compare every builder by two yields and a return: bytes for an operation, and CPU over that of C# async Task<T>, on one core and one thread."
        []
        LabYieldOptions.all'
        (fun parsed -> if LabYieldOptions.isList parsed then list () else measure parsed)
