// A work item of our own in the queue of another process, and how long it waits there: the delay that its users have. What is
// loaded into the process for it stays there until it ends.
module Plait.Doctor.Canary

open System
open System.Diagnostics
open System.Globalization
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.NETCore.Client

[<DllImport("libc", SetLastError = true)>]
extern int private chown(string path, uint32 user, uint32 group)

/// How long the process may take to load the hook. It does so on a thread of its own, however its pool is.
let private loading = TimeSpan.FromSeconds 10.0

/// The assembly that is loaded; its project is in src/Plait.Doctor/Canary.
let private hook = Path.Combine(AppContext.BaseDirectory, "Plait.Doctor.Canary.dll")

// A process of another user must be able to write what root has made.
let private give (pid: int) (path: string) =
    if not (OperatingSystem.IsWindows()) then
        match ProcFiles.status pid with
        | Some status when status.User >= 0 -> chown (path, uint32 status.User, UInt32.MaxValue) |> ignore
        | _ -> ()

// The number that the process has for itself.
let private ownNumber (pid: int) =
    if OperatingSystem.IsLinux() then
        ProcFiles.status pid
        |> Option.bind (fun status -> List.tryLast status.Numbers)
        |> Option.defaultValue pid
    else
        pid

/// Calls `load` with the path by which the process finds the hook. One that sees other files, or belongs to another user, finds it
/// in a folder among its own temporary files, which is there only for the call: a second copy counts as the first to its runtime.
let private withHook (pid: int) (temporary: string) (load: string -> unit) =
    let seesOurs =
        not (OperatingSystem.IsLinux())
        || not (ProcFiles.hasOwnFiles pid)
           && (ProcFiles.status pid |> Option.map _.User) =
               (ProcFiles.status Environment.ProcessId |> Option.map _.User)

    if seesOurs then
        load hook
    else
        let folder =
            Directory.CreateDirectory(Path.Combine(temporary, $"plait-canary-{Guid.NewGuid():N}"))

        try
            let copy = Path.Combine(folder.FullName, string (Path.GetFileName hook))
            File.Copy(hook, copy)
            give pid copy
            give pid folder.FullName
            let root = $"/proc/{pid}/root"
            load (if copy.StartsWith(root, StringComparison.Ordinal) then copy[root.Length ..] else copy)
        finally
            folder.Delete true

// The answer is one number and the end of its line.
let private answer (question: string) : float option =
    let text = File.ReadAllText question

    if text.EndsWith '\n' then
        Some(Double.Parse(text.Trim(), CultureInfo.InvariantCulture))
    else
        None

let private load (pid: int) (path: string) =
    try
        use ending = new CancellationTokenSource(loading)
        let client = Processes.client pid
        client.ApplyStartupHookAsync(path, ending.Token).WaitAsync(ending.Token).GetAwaiter().GetResult()
    with
    | :? UnsupportedCommandException ->
        raise (
            CannotAttach(
                pid,
                $"process {pid} cannot be given a work item: its runtime is older than .NET 8; look at it without --inject"
            )
        )
    | :? ServerErrorException as error ->
        raise (
            CannotAttach(
                pid,
                $"process {pid} did not load the work item ({error.Message.Trim().TrimEnd('.')}): it may be trimmed or have startup hooks turned off; look at it without --inject"
            )
        )
    | :? OperationCanceledException -> raise (Processes.explain pid (Some(TimeoutException() :> exn)))
    | :? DiagnosticsClientException
    | :? IOException
    | :? System.Net.Sockets.SocketException as error -> raise (Processes.explain pid (Some error))

/// Puts one work item that does nothing into the queue of process `pid`, and waits for a thread to take it, at most for `limit`. An
/// item that did not run by then has waited as long as is said, and runs later without a trace. The process has the assembly
/// Plait.Doctor.Canary loaded from then on, which nothing undoes. Needs .NET 8 in the process. Raises CannotAttach.
let wait (pid: int) (limit: TimeSpan) : CanaryItem =
    let temporary = DiagnosticsPort.temporaryFiles pid

    let question =
        Path.Combine(temporary, $"plait-canary-{ownNumber pid}-{Guid.NewGuid():N}")

    try
        try
            File.WriteAllText(question, "")
        with
        | :? IOException
        | :? UnauthorizedAccessException as error ->
            raise (
                CannotAttach(
                    pid,
                    $"process {pid} cannot be given a work item: nothing can be written to {temporary}, where its temporary files are ({error.Message.Trim().TrimEnd('.')}); look at it without --inject"
                )
            )

        give pid question
        withHook pid temporary (load pid)

        // it was queued before the call came back
        let clock = Stopwatch.StartNew()
        let mutable answered = answer question

        while answered.IsNone && clock.Elapsed < limit do
            Thread.Sleep 5
            answered <- answer question

        match answered with
        | Some waited -> { WaitedMilliseconds = waited; Ran = true }
        | None -> { WaitedMilliseconds = clock.Elapsed.TotalMilliseconds; Ran = false }
    finally
        File.Delete question
