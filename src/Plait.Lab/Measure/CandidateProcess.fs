// The process of one candidate, typed: the requests of the worker protocol, and the replies.
namespace Plait.Lab

open System
open System.IO
open System.Runtime.InteropServices
open System.Text.Json

open Plait.Common
open Plait.Report

open Plait.Load

/// The introduction of a candidate's process when it is ready.
type Introduction =
    {
        /// The name it was built with.
        Candidate: string
        /// The runtime it runs on.
        Runtime: string
        /// The version of the library it is named after, if there is one.
        LibraryVersion: string option
        /// Whether it runs the server garbage collector.
        ServerGc: bool
        /// Its process id; None: its first line has none.
        ProcessId: int option
    }

/// Totals of a process since its start.
type Usage =
    {
        /// User and system.
        CpuMicroseconds: float
        /// By all threads; no number where the process does not report it.
        AllocatedBytes: float
        /// Spent by the runtime's compiler; 0 where the process does not report it.
        CompilingMicroseconds: float
    }

/// The result of starting a process.
module internal Started =
    /// Goes on with a process that has just been started, and ends it when that fails.
    let andThen (started: IDisposable) (next: unit -> 'T) : 'T =
        try
            next ()
        with _ ->
            started.Dispose()
            reraise ()

/// A running candidate. Raises WorkerFailed when its process does not do as it should.
type CandidateProcess private (worker: LineProcess, introduction: Introduction, patience: int) =
    let subject = worker.Subject

    /// The executable that runs assemblies: the one of the runtime this process runs on.
    static member Host =
        let name = if OperatingSystem.IsWindows() then "dotnet.exe" else "dotnet"

        let own =
            Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "../../..", name))

        if File.Exists own then own else name

    /// The usual variables of candidates. The runtime counts the calls of a method, and compiles hot ones again, only
    /// after nothing new was compiled for 100 ms, and ten times as long on one core: a server under load is put off by
    /// that for seconds. Without the delay it is warm after a third of the time, as fast as it ever gets. It changes
    /// when code is compiled, not how.
    static member Variables = [ "DOTNET_TC_CallCountingDelayMs", "0" ]

    /// Starts a program with the worker protocol. `patience`: milliseconds that any answer may take beyond the time it
    /// asks for.
    static member StartProgram(command: ChildCommand, patience: int) : CandidateProcess =
        let worker, ready = LineProcess.Start(command, patience)

        Started.andThen worker (fun () ->
            let introduction =
                {
                    Candidate = Reply.text command.Subject "candidate" ready
                    Runtime = Reply.text command.Subject "runtime" ready
                    LibraryVersion = Reply.textOption "libraryVersion" ready
                    ServerGc = Reply.flag "serverGc" ready
                    ProcessId =
                        match ready.TryGetProperty "pid" with
                        | true, pid when pid.ValueKind = JsonValueKind.Number -> Some(pid.GetInt32())
                        | _ -> None
                }

            new CandidateProcess(worker, introduction, patience))

    /// Starts `assembly` as `subject`.
    static member Start
        (subject, assembly: string, arguments: string list, variables, core, patience: int)
        : CandidateProcess =
        if not (File.Exists assembly) then
            raise (
                WorkerFailed(
                    subject,
                    $"{subject} cannot be started: there is no {assembly}; build the candidates first"
                )
            )

        // Published with a runtime of its own it is a program.
        let file, arguments =
            if assembly.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) then
                CandidateProcess.Host, assembly :: arguments
            else
                assembly, arguments

        CandidateProcess.StartProgram(
            {
                Subject = subject
                File = file
                Arguments = arguments
                Variables = variables
                Core = core
            },
            patience
        )

    /// Its introduction when it was ready.
    member _.Introduction = introduction

    /// The body of one request, as it would be sent.
    member _.Body() : string =
        worker.Ask("answering the first request", """{"do":"body"}""", patience)
        |> Reply.text subject "body"

    /// Runs requests in process for about `milliseconds`. `doing` is for sentences.
    member _.Run(doing: string, milliseconds: int) : Slice =
        let reply =
            worker.Ask(doing, $"""{{"do":"run","milliseconds":{milliseconds}}}""", patience + milliseconds)

        let slice =
            {
                Operations = Reply.whole subject "operations" reply
                CpuMicroseconds = Reply.number subject "cpuMicroseconds" reply
                WallMicroseconds = Reply.number subject "wallMicroseconds" reply
                AllocatedBytes = Reply.number subject "allocatedBytes" reply
                Errors = ErrorCounts.None
                ClientBusy = 0.0
                Counters =
                    Map
                        [
                            for property in reply.EnumerateObject() do
                                if property.Value.ValueKind = JsonValueKind.Number then
                                    property.Name, property.Value.GetDouble()
                        ]
            }

        if slice.Operations <= 0L || slice.CpuMicroseconds <= 0.0 then
            raise (WorkerFailed(subject, $"{subject} did no request in {milliseconds} ms while {doing}"))

        slice

    /// Starts to serve HTTP on the loopback; 0: a port of the system's choice. Returns the port.
    member _.Serve(port: int) : int =
        let request =
            if port = 0 then """{"do":"serve"}""" else $"""{{"do":"serve","port":{port}}}"""

        worker.Ask("starting its server", request, patience) |> Reply.whole subject "port" |> int

    /// Tells it where FizzBoom fetches from.
    member _.FetchFrom(url: string) : unit =
        worker.Ask("getting the address of its upstream", $"""{{"do":"upstream","url":"{url}"}}""", patience)
        |> ignore

    /// Evaluates FizzBoom on one thread of the pool and returns the waits, and whether that thread was held meanwhile.
    /// `milliseconds`: the length of a wait.
    member _.Boom(milliseconds: int) : int * bool =
        let reply =
            worker.Ask("evaluating FizzBoom on one thread", """{"do":"boom"}""", patience + milliseconds)

        int (Reply.whole subject "waits" reply), Reply.whole subject "blockedPoolThreads" reply > 0L

    /// Of the slow service: the most requests that were in flight at once since it was asked last.
    member _.TakeMostInFlight() : int =
        worker.Ask("delaying requests", """{"do":"usage"}""", patience)
        |> Reply.whole subject "mostInFlight"
        |> int

    /// Of the slow service: the requests that it has answered.
    member _.Answered() : int64 =
        worker.Ask("delaying requests", """{"do":"usage"}""", patience)
        |> Reply.whole subject "answered"

    /// Totals since the process started.
    member _.Usage() : Usage =
        let reply = worker.Ask("serving requests", """{"do":"usage"}""", patience)

        {
            CpuMicroseconds = Reply.number subject "cpuMicroseconds" reply
            AllocatedBytes = Reply.number subject "allocatedBytes" reply
            CompilingMicroseconds =
                match reply.TryGetProperty Slice.Compiling with
                | true, value -> value.GetDouble()
                | _ -> 0.0
        }

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()
