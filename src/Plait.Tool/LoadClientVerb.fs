// The hidden verb that turns this program into the lab's load client.
module internal Plait.Tool.LoadClientVerb

open System
open System.CommandLine

open Plait.Lab.Load

/// plait load-client
let command () : Command =
    let command =
        Command(CommandLine.loadClientVerb, "Serve the lab's requests for load on stdin.", Hidden = true)

    command.SetAction(fun (_: ParseResult) ->
        LoadWorker.serve Console.In Console.Out
        Endings.success)

    command
