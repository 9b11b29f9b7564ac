// Starting a program in order to watch it from its first second on: finding the process to watch among those that it starts, and
// ending all of them.
module internal Plait.Tool.DoctorRun

open System
open System.Diagnostics
open System.Threading
open System.Threading.Tasks

open Plait.Common
open Plait.Doctor

/// How long a program may take until it is a .NET process that can be looked at.
let patience = TimeSpan.FromSeconds 60.0

/// How long a runtime that is loaded may take until it answers, and how long one request waits: a runtime that starts may lose it.
let private startUp, private firstAnswer =
    TimeSpan.FromSeconds 30.0, TimeSpan.FromSeconds 5.0

/// The time that a program may take to end, after its process has stopped answering, or after Ctrl-C, which it gets as well.
let private ending = TimeSpan.FromSeconds 5.0

let private startItself =
    "start the program itself, as in 'plait doctor run -- dotnet MyApp.dll'"

let private start (quietly: bool) (command: string list) : Process =
    let info =
        ProcessStartInfo(
            command.Head,
            command.Tail,
            UseShellExecute = false,
            RedirectStandardOutput = quietly
        )

    try
        match Process.Start info with
        | null -> raise (BadInput $"'{command.Head}' could not be started")
        | started -> started
    with :? ComponentModel.Win32Exception as trouble ->
        let reason = Files.systemSays trouble.NativeErrorCode
        raise (BadInput $"'{command.Head}' could not be started: {reason}; check the name of the program")

/// The program's output goes to standard error if the JSON has standard output.
let private divert (root: Process) : Task =
    root.StandardOutput.BaseStream.CopyToAsync(Console.OpenStandardError())

/// Signals that end programs, by their numbers: a program that one of them has ended has 128 and that number as its exit code. So has a
/// program that ended with that number by itself, or whose child was ended so: the runtime does not report which.
let private signals =
    Map
        [
            1, "SIGHUP"
            2, "SIGINT"
            3, "SIGQUIT"
            4, "SIGILL"
            5, "SIGTRAP"
            6, "SIGABRT"
            7, "SIGBUS"
            8, "SIGFPE"
            9, "SIGKILL"
            11, "SIGSEGV"
            13, "SIGPIPE"
            15, "SIGTERM"
        ]

/// How a program has ended.
let private endOf (name: string) (since: DateTime) (root: Process) : ProgramEnd =
    {
        Command = name
        ExitCode = root.ExitCode
        Signal = if OperatingSystem.IsWindows() then None else Map.tryFind (root.ExitCode - 128) signals
        Seconds = max 0.0 (root.ExitTime.ToUniversalTime() - since).TotalSeconds
    }

/// Begins the watch of the process that is meant: the program itself, or the one that a tool of the SDK started for it. Raises
/// BadInput, CannotAttach, and OperationCanceledException.
let private attach
    (name: string)
    (since: DateTime)
    (root: Process)
    (token: CancellationToken)
    settings
    tell
    : Watch * ProcessFacts =
    tell $"waiting up to {int patience.TotalSeconds} s for '{name}' to become a .NET process"
    let clock = Stopwatch.StartNew()

    let waitFor (milliseconds: int) =
        token.WaitHandle.WaitOne milliseconds |> ignore
        token.ThrowIfCancellationRequested()

    let ended () : exn =
        let ending = endOf name since root

        if ending.IsFailure then
            RunFailed $"{VerdictSentences.ending ending}, before it could be looked at"
        else
            BadInput
                $"'{name}' ended with exit code 0 before it could be looked at; it must be a .NET program that runs for a second at least"

    let rec find (loaded: TimeSpan option) : Watch * ProcessFacts =
        waitFor 50

        match Processes.programs root.Id with
        | facts :: _ ->
            let loaded = loaded |> Option.defaultValue clock.Elapsed

            let watch =
                try
                    Some(new Watch(settings, firstAnswer, facts))
                // Its runtime is loaded before it can answer.
                with :? CannotAttach when clock.Elapsed - loaded < startUp ->
                    None

            match watch with
            | Some watch -> watch, facts
            | None -> find (Some loaded)
        | [] when root.HasExited -> raise (ended ())
        | [] when clock.Elapsed > patience ->
            raise (
                BadInput
                    $"'{name}' did not become a .NET process within {int patience.TotalSeconds} s; {startItself}"
            )
        | [] -> find None

    find None

/// Ends a process and its children, if it still runs.
let private put (started: Process) =
    if not started.HasExited then
        started.Kill true
        started.WaitForExit()

/// The same for the watched process, which the started one may have left behind.
let private putWatched (pid: int) =
    try
        use watched = Process.GetProcessById pid
        put watched
    with
    | :? ArgumentException
    | :? InvalidOperationException -> ()

/// Ends a process and its descendants when this program dies before it has ended them: the script's input then ends without a line.
/// The script is in the process group of Ctrl-C, and ignores it: this program handles it.
let private guardScript =
    "exec > /dev/null 2>&1; trap '' INT TERM HUP; "
    + "finish() { kill -STOP $1; for child in $(cat /proc/$1/task/*/children); do finish $child; done; kill -KILL $1; }; "
    + "read -r word || finish $0"

/// A shell that guards a process until it is disposed of. Without a shell, the process has no guard.
type private Guard(pid: int) =
    let shell =
        try
            ProcessStartInfo(
                "/bin/sh",
                [ "-c"; guardScript; string pid ],
                UseShellExecute = false,
                RedirectStandardInput = true
            )
            |> Process.Start
            |> Option.ofObj
        with :? ComponentModel.Win32Exception ->
            None

    interface IDisposable with
        member _.Dispose() =
            match shell with
            | None -> ()
            | Some shell ->
                try
                    shell.StandardInput.WriteLine "over"
                    shell.StandardInput.Close()
                // somebody has ended it
                with :? IO.IOException ->
                    ()

                shell.WaitForExit ending |> ignore
                shell.Dispose()

/// Starts `command` and watches its process until the end. With `quietly` its output goes to standard error. Returns
/// the diagnosis.
let run
    (look: Look.LookSettings)
    (limit: TimeSpan option)
    (quietly: bool)
    (token: CancellationToken)
    (command: string list)
    : Diagnosis =
    let since = DateTime.UtcNow
    use root = start quietly command
    use _ = new Guard(root.Id)
    let diverted = if quietly then divert root else Task.CompletedTask

    let mutable watchedPid: int option = None
    let clock = Stopwatch()

    let attach settings tell =
        let watch, facts = attach command.Head since root token settings tell
        watchedPid <- Some facts.Pid
        clock.Start()
        watch, facts

    /// Waits for the end of the started process, until the user stops it. True: it has ended by itself.
    let rootEnds (limit: TimeSpan option) : bool =
        let waited = Stopwatch.StartNew()

        while not root.HasExited
              && not token.IsCancellationRequested
              && limit |> Option.forall (fun limit -> waited.Elapsed < limit) do
            token.WaitHandle.WaitOne 50 |> ignore

        root.HasExited && not token.IsCancellationRequested

    /// The diagnosis with the end of the started process. A starter such as a shell may end well although its program failed.
    let withEnd (diagnosis: Diagnosis) : Diagnosis =
        let ending = endOf command.Head since root
        let diagnosis = Judging.ended diagnosis ending
        let evidence = diagnosis.Evidence

        let isOfTool =
            IO.Path.GetFileNameWithoutExtension command.Head
            |> Option.ofObj
            |> Option.exists Processes.isTool

        if ending.IsFailure || evidence.Process.Pid = root.Id || isOfTool then
            diagnosis
        else
            let hidden =
                $"'{command.Head}' ended with exit code 0; the exit code of process {evidence.Process.Pid}, which it started, is not known: {startItself}"

            { diagnosis with Evidence = { evidence with Notes = evidence.Notes @ [ hidden ] } }

    try
        // One that the user stops ends by that, which is no failure of its own.
        let ended (diagnosis: Diagnosis) : Diagnosis =
            if token.IsCancellationRequested then
                diagnosis
            elif rootEnds (Some ending) then
                withEnd diagnosis
            else
                let until = if limit.IsSome then "the time is up" else "it ends"

                let goesOn =
                    $"process {diagnosis.Evidence.Process.Pid} ended, and '{command.Head}', which started it, still runs"

                Streams.say $"note: {goesOn}: waiting for its exit code until {until}, or Ctrl-C"

                if rootEnds (limit |> Option.map (fun limit -> limit - clock.Elapsed)) then
                    withEnd diagnosis
                else
                    Judging.endedUnseen diagnosis $"{goesOn}, so its exit code is missing: {startItself}"

        let diagnosis = DoctorWatch.run look limit token attach ended

        if token.IsCancellationRequested then
            root.WaitForExit ending |> ignore

        diagnosis.Evidence.Ended
        |> Option.filter _.IsFailure
        |> Option.iter (fun ending -> Endings.complain (VerdictSentences.ending ending))

        diagnosis
    finally
        put root
        watchedPid |> Option.iter putWatched
        diverted.Wait ending |> ignore
