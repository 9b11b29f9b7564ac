// The verb that runs the scenario fizzbuzz.
module internal Plait.Tool.LabFizzBuzzVerb

open System.CommandLine

open Plait.Lab.Scenarios

let private scenario = FizzBuzz.scenario

let private work (parsed: ParseResult) (root: string) : ScenarioVerb.Work =
    let choice =
        LabCandidateOptions.choose
            [ scenario.Base; scenario.Control ]
            root
            (LabFizzBuzzOptions.isQuick parsed)
            parsed

    let ask = LabFizzBuzzOptions.ask choice parsed
    let settings = LabFizzBuzzOptions.settings choice ask parsed

    fun session tell ->
        let rows =
            choice.Rows
            |> Rival.buildRows root choice.Feed choice.Packages (Noticed >> tell) session.Stop

        FizzBuzzStages.run ask session.Folder (session.Request(settings, rows)) tell session.Save session.Stop

/// plait lab fizzbuzz
let command () : Command =
    ScenarioVerb.make
        scenario.Name
        "Compare every way of writing async by an interpreter that runs FizzBuzz, in process and over HTTP. Each candidate is a process of its own, measured in pairs against the plain synchronous one; the result is a ratio of CPU for a request with a 95 % interval."
        LabFizzBuzzOptions.all'
        work
