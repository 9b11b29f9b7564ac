// Starting a child process: on its core, with its pipes in our hands.
namespace Plait.Load

open Plait.Report

open System.ComponentModel
open System.Diagnostics


/// How a child process is started.
type ChildCommand =
    {
        /// Whose process it is, in sentences: the id of a row, or "the load client".
        Subject: string
        /// The executable.
        File: string
        /// Its arguments.
        Arguments: string list
        /// Environment variables besides the inherited ones.
        Variables: (string * string) list
        /// The core it is bound to.
        Core: int option
    }

module internal ChildProcess =
    /// Starts it, in `folder` if one is named. Raises WorkerFailed when there is no such program.
    let start (command: ChildCommand) (folder: string option) : Process =
        let info =
            ProcessStartInfo(
                command.File,
                command.Arguments,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false
            )

        folder |> Option.iter (fun folder -> info.WorkingDirectory <- folder)

        for name, value in command.Variables do
            info.Environment[name] <- value

        try
            Affinity.withCore command.Core (fun () -> Process.Start info) |> nonNull
        with :? Win32Exception as trouble ->
            raise (
                WorkerFailed(
                    command.Subject,
                    $"{command.Subject} cannot be started: {command.File}: {trouble.Message}"
                )
            )
