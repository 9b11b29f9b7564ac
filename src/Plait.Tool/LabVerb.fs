// The verb of the lab: a verb for each experiment below it.
module internal Plait.Tool.LabVerb

open System.CommandLine


/// plait lab
let command () : Command =
    let lab =
        Command("lab", "Run experiments on the cost of async, and write tables, data and a page of them.")

    lab.Options.Add LabOutput.warnings

    Verb.group
        lab
        [
            LabFizzBuzzVerb.command ()
            LabAdapterVerb.command ()
            LabYieldVerb.command ()
            LabBlockingVerb.command ()
            LabListVerb.command ()
            LabRunVerb.command ()
            LabCheckVerb.command ()
            LabCompareVerb.command ()
            LabExportVerb.command ()
            LabNewCandidateVerb.command ()
        ]
