// The hidden verbs: this program as a process that the lab starts and speaks with over stdin and stdout.
module internal Plait.Tool.WorkerVerbs

open System
open System.CommandLine

open Plait.Load

/// plait attack-worker
let attackWorker () : Command =
    Verb.hidden CommandLine.attackWorkerVerb "Serve the lab's load runs on stdin." [] (fun _ ->
        AttackWorker.serve Console.In Console.Out)

/// plait null-server
let nullServer () : Command =
    let tls = Options.flag "--tls" "answer over TLS"

    Verb.hidden
        CommandLine.nullServerVerb
        "Answer every request at once, for calibration."
        [ tls ]
        (fun parsed -> NullServer.serve (Options.value parsed tls) Console.In Console.Out)
