// The hidden verb that turns this program into the process that runs jobs which wait.
module internal Plait.Tool.BlockingJobsVerb

open System
open System.CommandLine

open Plait.Lab.Blocking

/// plait blocking-jobs
let command () : Command =
    let command =
        Command(
            CommandLine.blockingJobsVerb,
            "Serve the lab's requests for jobs that wait on stdin.",
            Hidden = true
        )

    command.SetAction(fun (_: ParseResult) ->
        BlockingWorker.serve Console.In Console.Out
        Endings.success)

    command
