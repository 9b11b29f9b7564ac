// The hidden verb that turns this program into a load generator for the lab.
module internal Plait.Tool.AttackWorkerVerb

open System
open System.CommandLine

open Plait.Lab.Load

/// plait attack-worker
let command () : Command =
    let command =
        Command(CommandLine.attackWorkerVerb, "Serve the lab's load runs on stdin.", Hidden = true)

    command.SetAction(fun (_: ParseResult) ->
        AttackWorker.serve Console.In Console.Out
        Endings.success)

    command
