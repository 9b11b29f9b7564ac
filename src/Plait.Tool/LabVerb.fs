// The verb of the lab: a verb for each experiment below it.
module internal Plait.Tool.LabVerb

open System.CommandLine

/// plait lab
let command () : Command =
    let command =
        Command("lab", "Run experiments on the cost of async, and write tables, data and a page of them.")

    command.Subcommands.Add(LabFizzBuzzVerb.command ())
    command.Subcommands.Add(LabAdapterVerb.command ())
    command.Subcommands.Add(LabYieldVerb.command ())
    command.Subcommands.Add(LabBlockingVerb.command ())
    command.Subcommands.Add(LabListVerb.command ())
    command.Subcommands.Add(LabRunVerb.command ())
    command.Subcommands.Add(LabCheckVerb.command ())
    command.Subcommands.Add(LabCompareVerb.command ())
    command.Subcommands.Add(LabExportVerb.command ())
    command.Subcommands.Add(LabNewCandidateVerb.command ())
    command
