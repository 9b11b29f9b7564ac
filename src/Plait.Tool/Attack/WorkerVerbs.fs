// Hidden verbs: this program as a process that the lab or plait attack starts, with commands on stdin and answers on stdout.
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
    let http2 = Options.flag "--http2" "answer over HTTP/2"

    Verb.hidden
        CommandLine.nullServerVerb
        "Answer every request at once, for calibration."
        [ tls; http2 ]
        (fun parsed ->
            NullServer.serve (Options.value parsed tls) (Options.value parsed http2) Console.In Console.Out)
