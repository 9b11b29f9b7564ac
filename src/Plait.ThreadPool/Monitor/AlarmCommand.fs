// Layer: monitor. Runs an outside command for an alarm. Owns the rule that this needs no thread of the pool, which has none
// to give at that time.
namespace Plait.Kernel

open System
open System.Diagnostics
open System.IO
open System.Threading
open Plait

[<Sealed>]
type internal AlarmCommand(settings: StarvationMonitorSettings) =
    let command = settings.Command
    let arguments = Seq.toArray settings.Arguments
    let folder = settings.Folder
    let coolDown = settings.CoolDown
    let limit = settings.CommandLimit
    let mutable lastAt: Nullable<int64> = Nullable()

    let onThread (name: string) (work: unit -> unit) =
        let thread = Thread(work, IsBackground = true, Name = name)
        thread.UnsafeStart()
        thread

    let run (alarm: StarvationAlarm) : StarvationReport =
        let file =
            Path.Combine(
                folder,
                $"plait-alarm-{Environment.ProcessId.ToString()}-" + $"{Guid.NewGuid().ToString()}.json"
            )

        try
            let start =
                ProcessStartInfo(
                    command,
                    UseShellExecute = false,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true
                )

            for argument in arguments do
                start.ArgumentList.Add(
                    argument.Replace("{pid}", Environment.ProcessId.ToString()).Replace("{file}", file)
                )

            use started =
                match Process.Start start with
                | null -> raise (InvalidOperationException $"{command} did not start.")
                | started -> started

            // ones of their own: the asynchronous readers of Process need the pool
            let reader (name: string) (read: unit -> unit) =
                onThread name (fun () ->
                    try
                        read ()
                    with _ ->
                        ())

            let outputText = ref ""
            let errorText = ref ""

            let readers =
                [|
                    reader "Plait alarm: output" (fun () ->
                        outputText.Value <- started.StandardOutput.ReadToEnd())
                    reader "Plait alarm: errors" (fun () ->
                        errorText.Value <- started.StandardError.ReadToEnd())
                |]

            let isInTime = started.WaitForExit(int limit.TotalMilliseconds)

            if not isInTime then
                started.Kill true
                started.WaitForExit 5_000 |> ignore

            for reader in readers do
                reader.Join 5_000 |> ignore

            let output = outputText.Value + errorText.Value

            if isInTime then
                StarvationReport(alarm, file, Nullable started.ExitCode, output, null)
            else
                StarvationReport(
                    alarm,
                    file,
                    Nullable(),
                    output,
                    TimeoutException $"{command} was stopped after {limit.TotalSeconds.ToString()} s."
                )
        with failure ->
            StarvationReport(alarm, file, Nullable(), "", failure)

    /// Starts the command unless there is none or its last run was too short a time ago; `ended` is called on a thread of its own.
    member _.Start(alarm: StarvationAlarm, ended: StarvationReport -> unit) =
        let now = Environment.TickCount64

        let isDue =
            not lastAt.HasValue || float (now - lastAt.Value) >= coolDown.TotalMilliseconds

        if not (String.IsNullOrEmpty command) && isDue then
            lastAt <- Nullable now
            onThread "Plait alarm: command" (fun () -> ended (run alarm)) |> ignore
