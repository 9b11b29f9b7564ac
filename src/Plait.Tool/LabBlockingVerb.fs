// The verb that runs the scenario blocking: many jobs that wait, and what others suffer from it.
module internal Plait.Tool.LabBlockingVerb

open System.CommandLine

open Plait.Lab.Blocking
open Plait.Lab.Scenarios

let private run (parsed: ParseResult) : int =
    let settings = LabBlockingOptions.settings parsed
    LabFiles.check "--json" (LabBlockingOptions.jsonFile parsed)
    let root = LabOutput.root ()

    let output =
        LabOutput.folder BlockingResults.name (LabBlockingOptions.outputFolder parsed) root

    use stop = new StopSignal.StopSignal()
    let before = EnvironmentSnapshot.look root
    let worker = CommandLine.selfAs CommandLine.blockingJobsVerb

    let command = CommandLine.given ()

    let results = BlockingResults.make settings before command

    let ending, runs =
        LabProgress.run (fun tell ->
            BlockingRun.run settings worker tell (results false >> output.WriteJson) stop.Token)

    let ending =
        match ending, BlockingResults.failures runs with
        | Completed, sentence :: _ -> Broken sentence
        | ending, _ -> ending

    results (ending = Completed) runs
    |> LabOutput.finish output (LabBlockingOptions.jsonFile parsed) ending

/// plait lab blocking
let command () : Command =
    Verb.make
        "blocking"
        "Run 1,000 jobs that wait 500 ms in every way of waiting: how long it takes, how the pool grows meanwhile, and how long others wait for a thread. Each way in a fresh process."
        []
        LabBlockingOptions.all'
        run
