// The process that checks: this program again, with switches of the runtime that make the compiler faster and that only a new process
// can have. It has the standard streams of its parent, and ends with it.
module internal Plait.Tool.CheckWorker

open System
open System.Diagnostics
open System.IO
open System.Threading

open Plait.Common

/// The switches. Profiles cost the compiler more than they bring in one run, and most of its objects die young.
let private switches =
    [
        "DOTNET_TieredPGO", "0"
        "DOTNET_gcServer", "0"
        "DOTNET_gcConcurrent", "0"
        "DOTNET_GCgen0size", "0x4000000"
    ]

/// The stack of the thread that checks: the compiler and the analysis follow the nesting of the code.
[<Literal>]
let private StackBytes = 0x10000000

/// The time that a stopped process may take to report the findings so far. A second Ctrl-C ends it at once.
let private grace = TimeSpan.FromSeconds 60.

/// Runs the worker with these arguments until it ends, and stops it when `token` is cancelled. Returns its exit code.
let run (arguments: string list) (token: CancellationToken) : int =
    let command = CommandLine.selfAs CommandLine.checkWorkerVerb @ arguments

    // It stops when the other end of its standard input is closed, also by the end of this process.
    let info =
        ProcessStartInfo(command.Head, command.Tail, RedirectStandardInput = true, UseShellExecute = false)

    for name, value in switches do
        // The user's settings go before.
        if isNull (Environment.GetEnvironmentVariable name) then
            info.Environment[name] <- value

    use child =
        match Process.Start info with
        | null -> raise (RunFailed "the process that checks could not be started")
        | child -> child

    use _ = token.Register(fun () -> child.StandardInput.Close())
    child.WaitForExitAsync(token).ContinueWith(ignore, CancellationToken.None).Wait()

    if token.IsCancellationRequested && not (child.WaitForExit grace) then
        child.Kill true

    child.WaitForExit()

    match child.ExitCode with
    | code when code >= Endings.success && code <= Endings.badInput -> code
    | code ->
        raise (
            RunFailed
                $"the process that checks ended early, with exit code {code}; it may have had too little memory: check fewer projects at a time"
        )

/// Cancels when standard input is closed.
let private untilClosed (source: CancellationTokenSource) =
    let read () =
        try
            use input = Console.OpenStandardInput()
            let buffer = Array.zeroCreate 256

            while input.Read(buffer, 0, buffer.Length) > 0 do
                ()
        with :? IOException ->
            ()

        try
            source.Cancel()
        with :? ObjectDisposedException ->
            ()

    Thread(read, IsBackground = true).Start()

/// Does the work of the worker on a thread with a large stack. Its token is cancelled by signals, and by the end of the
/// parent.
let serve (work: CancellationToken -> int) : int =
    // They are for this process alone: its children have the runtime's own settings.
    for name, value in switches do
        if Environment.GetEnvironmentVariable name = value then
            Environment.SetEnvironmentVariable(name, null)

    use stop = new StopSignal()
    use source = CancellationTokenSource.CreateLinkedTokenSource stop.Token
    untilClosed source

    let mutable code = Endings.badInput
    let thread = Thread((fun () -> code <- work source.Token), StackBytes)
    thread.Start()
    thread.Join()
    code
