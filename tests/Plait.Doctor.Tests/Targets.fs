// Processes that tests look at: programs of the gallery and of the machine, started and ended by number.
module Plait.Doctor.Tests.Targets

open System
open System.Diagnostics
open System.IO
open System.Net.Sockets
open System.Threading
open Xunit

open Plait.Doctor

/// Longer than anything here takes on a loaded machine: it ends a hang.
let limit = TimeSpan.FromMinutes 5.0

/// Waits until something is so.
let until (what: string) (so: unit -> bool) =
    let clock = Stopwatch.StartNew()

    while not (so ()) do
        if clock.Elapsed > limit then
            Assert.Fail $"Not within {limit.TotalMinutes} minutes: {what}."

        Thread.Sleep 20

/// The built F# gallery.
let gallery =
    Path.Combine(SickProgram.root, "artifacts", "bin", "Plait.Samples.Sick", "release", "sick-fsharp.dll")

/// Whether the tests run as root, whom the system lets make namespaces.
let isRoot = Environment.UserName = "root"

/// Whether there is no such process any more.
let isGone (pid: int) = not (Directory.Exists $"/proc/{pid}")

/// Processes whose parent is the given one.
let childrenOf (pid: int) : int list =
    try
        File.ReadAllText $"/proc/{pid}/task/{pid}/children"
        |> _.Split(' ', StringSplitOptions.RemoveEmptyEntries)
        |> Array.map int
        |> List.ofArray
    with :? IOException ->
        []

/// A process that ends with the value, and its descendants with it.
type Target(command: string list, environment: (string * string) list) =
    let started =
        let info =
            ProcessStartInfo(
                List.head command,
                List.tail command,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false
            )

        for name, value in environment do
            info.Environment[name] <- value

        nonNull (Process.Start info)

    do started.ErrorDataReceived.Add ignore
    do started.BeginErrorReadLine()

    /// Its number; of a command under `timeout` that of the command itself.
    member _.Pid =
        if List.head command = "timeout" then
            List.exactlyOne (childrenOf started.Id)
        else
            started.Id

    /// The number of the process that was started.
    member _.Process = started.Id

    /// Its next line, which begins with a word; without the word.
    member _.Line(word: string) : string =
        let reading = started.StandardOutput.ReadLineAsync()

        if not (reading.Wait limit) then
            Assert.Fail $"No line '{word}' within {limit.TotalMinutes} minutes."

        match reading.Result with
        | null -> failwith $"The process ended without a line '{word}'."
        | line ->
            Assert.StartsWith(word, line)
            line.Substring(word.Length).Trim()

    /// Work items that the pool of a program of the gallery has completed.
    member this.Completed() : int64 =
        started.StandardInput.WriteLine "?"
        started.StandardInput.Flush()
        int64 (this.Line "completed")

    /// Fails unless its pool goes on completing work items.
    member this.GoesOn() =
        let before = this.Completed()
        until "the process completes work again" (fun () -> this.Completed() > before)

    interface IDisposable with
        member _.Dispose() =
            started.Kill true
            started.WaitForExit()
            started.Dispose()

/// A program that is no .NET, under way.
let sleeper () : Target =
    let target = new Target(Apart.command [ "sleep"; "1000" ], [])

    until "the program is started" (fun () ->
        match childrenOf target.Process with
        | [ child ] -> (File.ReadAllText $"/proc/{child}/comm").Trim() = "sleep"
        | _ -> false)

    target

/// A socket of diagnostics for a process with this folder for its temporary files: everybody is let in and nobody is answered. `opened`
/// and `closed` are called for each who comes.
let silentSocket (target: Target) (folder: string) (opened: unit -> unit) (closed: unit -> unit) : Socket =
    let began = Option.get (ProcFiles.started target.Process)

    let path =
        Path.Combine(folder, $"dotnet-diagnostic-{target.Process}-{began}-socket")

    let listener =
        new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)

    listener.Bind(UnixDomainSocketEndPoint path)
    listener.Listen 10

    let serve () =
        task {
            try
                while true do
                    use! who = listener.AcceptAsync()
                    opened ()
                    let question = Array.zeroCreate<byte> 1000
                    let mutable isThere = true

                    while isThere do
                        let! count = who.ReceiveAsync(Memory question)
                        isThere <- count > 0

                    closed ()
            with
            | :? SocketException
            | :? ObjectDisposedException -> ()
        }

    serve () |> ignore
    listener

/// A program of the gallery under way, with settings of its environment.
let sickWith (environment: (string * string) list) (name: string) : Target =
    if not (File.Exists gallery) then
        Assert.Fail $"{gallery} is missing: build it first, with 'make build'."

    let target = new Target(Apart.command [ "dotnet"; gallery; name ], environment)
    target.Line "ready" |> ignore
    target

/// A program of the gallery under way.
let sick (name: string) : Target = sickWith [] name

/// Sends a signal to a process, by the system's own command.
let signal (name: string) (pid: int) =
    use sent = Process.Start("kill", [ $"-{name}"; string pid ])
    sent.WaitForExit()
    Assert.Equal(0, sent.ExitCode)

/// Stops a process, and waits until it stands.
let stop (pid: int) =
    signal "STOP" pid
    until "the process is stopped" (fun () -> (File.ReadAllText $"/proc/{pid}/status").Contains "State:\tT")

/// A program of the gallery with process numbers and temporary files of its own, as in a container: the process that makes them, and
/// the number of the program as we see it. Only for root.
let containedOf (assembly: string) (name: string) : Target * int =
    let script =
        "mount -t tmpfs none /var/tmp && exec env TMPDIR=/var/tmp dotnet \"$0\" \"$1\""

    let target =
        new Target(
            [
                "unshare"
                "--mount"
                "--pid"
                "--fork"
                "--mount-proc"
                "--kill-child"
                "sh"
                "-c"
                script
                assembly
                name
            ],
            []
        )

    Assert.Equal("1", target.Line "ready")
    target, List.exactlyOne (childrenOf target.Pid)

let contained (name: string) : Target * int = containedOf gallery name
