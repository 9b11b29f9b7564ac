// The hidden verbs that turn this program into a load generator for the lab, and into a server that does nothing.
module internal Plait.Tool.AttackWorkerVerbs

open System
open System.CommandLine

open Plait.Lab.Load

/// plait attack-worker
let worker () : Command =
    let command =
        Command(CommandLine.attackWorkerVerb, "Serve the lab's load runs on stdin.", Hidden = true)

    command.SetAction(fun (_: ParseResult) ->
        AttackWorker.serve Console.In Console.Out
        Endings.success)

    command

/// plait null-server
let nullServer () : Command =
    let tls = Options.flag "--tls" "answer over TLS"

    let command =
        Command(CommandLine.nullServerVerb, "Answer every request at once, for calibration.", Hidden = true)

    command.Options.Add tls

    command.SetAction(fun (parsed: ParseResult) ->
        NullServer.serve (Options.value parsed tls) Console.In Console.Out
        Endings.success)

    command
