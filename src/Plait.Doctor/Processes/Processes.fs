// The .NET processes of this machine: their list, the facts about each from outside, and the reason if one cannot be looked at.
// Every route begins here.
namespace Plait.Doctor

open System
open System.ComponentModel
open System.Diagnostics
open Plait.Common
open Microsoft.Diagnostics.NETCore.Client

/// The .NET processes of this machine.
[<RequireQualifiedAccess>]
module Processes =

    // A process that answers does so in milliseconds; a stopped one never does.
    let private answerLimit = TimeSpan.FromSeconds 1.0

    // ".../shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so"
    let internal runtimeOf (maps: string list) : string option =
        maps
        |> List.tryFind _.EndsWith("/libcoreclr.so", StringComparison.Ordinal)
        |> Option.bind (fun file -> file.Split '/' |> List.ofArray |> List.rev |> List.tryItem 1)
        |> Option.filter (fun folder -> folder.Length > 0 && Char.IsDigit folder[0])

    // A value of System.Diagnostics about a process; None: it has ended, or is not ours.
    let private ofSystem (pid: int) (read: Process -> 'T) : 'T option =
        try
            use found = Process.GetProcessById pid
            Some(read found)
        with
        | :? ArgumentException
        | :? InvalidOperationException
        | :? NotSupportedException
        | :? Win32Exception -> None

    // By the answer of its port, else from outside.
    let private made (pid: int) (answer: DiagnosticsPort.Answer option) : ProcessFacts =
        let isThere =
            if OperatingSystem.IsLinux() then
                (ProcFiles.status pid).IsSome
            else
                (ofSystem pid ignore).IsSome

        if not isThere then
            raise (
                CannotAttach(
                    pid,
                    $"there is no process {pid}: 'plait doctor' without arguments lists the processes of .NET"
                )
            )

        let filled text =
            text |> Option.filter (fun text -> not (String.IsNullOrWhiteSpace text))

        let outside () =
            if OperatingSystem.IsLinux() then
                ProgramName.ofProcess pid
            else
                ofSystem pid _.ProcessName |> Option.defaultValue ""

        let name =
            answer |> Option.map _.EntryAssembly |> filled |> Option.defaultWith outside

        {
            Pid = pid
            Name = name
            CommandLine =
                answer
                |> Option.map _.CommandLine
                |> Option.orElseWith (fun () -> Some(String.Join(' ', ProcFiles.commandLine pid)))
                |> filled
                |> Option.defaultValue name
            Processors =
                (if OperatingSystem.IsLinux() then ProcFiles.processors pid else None)
                |> Option.defaultValue Environment.ProcessorCount
            Runtime =
                answer
                |> Option.map _.Runtime
                |> filled
                |> Option.orElseWith (fun () -> ProcFiles.maps pid |> Option.bind runtimeOf)
        }

    /// The facts about a process, and whether its diagnostics port answered within a second. Raises CannotAttach when
    /// there is no such process.
    let internal asked (pid: int) : ProcessFacts * bool =
        let answer = DiagnosticsPort.info pid answerLimit
        made pid answer, answer.IsSome

    /// The facts about a process: by its diagnostics port if that answers within a second, and from outside
    /// otherwise. Raises CannotAttach when there is no such process.
    let facts (pid: int) : ProcessFacts = fst (asked pid)

    /// The same without asking the process. Raises CannotAttach when there is no such process.
    let internal factsFromOutside (pid: int) : ProcessFacts = made pid None

    /// A process and its descendants, itself first. On Linux; elsewhere itself alone.
    let family (pid: int) : int list =
        let rec go (pid: int) : int list =
            pid :: List.collect go (ProcFiles.children pid)

        if OperatingSystem.IsLinux() then go pid else [ pid ]

    /// Whether a process of this name is a tool that starts the program: `dotnet run` is a .NET process as well.
    let isTool (name: string) : bool =
        List.contains
            name
            [ "dotnet"; "MSBuild"; "VBCSCompiler"; "csc"; "fsc"; "dotnet-watch"; "vstest.console" ]

    /// The .NET processes among a process and its descendants, without tools, the outermost first.
    let programs (pid: int) : ProcessFacts list =
        family pid
        |> List.choose (fun pid ->
            try
                Some(facts pid)
            with :? CannotAttach ->
                None)
        |> List.filter (fun facts -> facts.Runtime.IsSome && not (isTool facts.Name))

    /// The sentence about the programs that a tool has started: the user who looks at `dotnet watch` means its program. A test host
    /// runs tests itself, or starts a program that runs them.
    let internal started (tool: ProcessFacts) (programs: unit -> ProcessFacts list) : string list =
        if isTool tool.Name || tool.Name = "testhost" then
            match programs () |> List.filter (fun program -> program.Pid <> tool.Pid) |> List.tryLast with
            | None -> []
            | Some program ->
                [
                    $"process {tool.Pid} is the tool {tool.Name}, which has started process {program.Pid} ({program.Name}): 'plait doctor {program.Pid}' looks at that program"
                ]
        else
            []

    // With its diagnostics off a process has no socket, but maps its runtime.
    let private isOurs (pid: int) =
        match ProcFiles.status pid with
        | None
        | Some { State = 'Z' } -> false
        | Some _ -> ProcFiles.maps pid |> Option.exists Refusal.isDotNet || (DiagnosticsPort.find pid).IsSome

    /// The .NET processes of this user without this one, in the order of their numbers: those with a diagnostics port, and on
    /// Linux also those whose port is off or hidden; --ptrace can look at these.
    let list () : int list =
        let found =
            if OperatingSystem.IsLinux() then
                ProcFiles.everyone () |> List.filter isOurs
            else
                DiagnosticsClient.GetPublishedProcesses()
                |> Seq.filter (fun pid -> (ofSystem pid ignore).IsSome)
                |> List.ofSeq

        found |> List.filter ((<>) Environment.ProcessId) |> List.sort

    // As many as a screen holds.
    let private shown (several: ProcessFacts list) =
        let lines =
            several
            |> List.truncate 20
            |> List.map (fun facts -> $"\n  {facts.Pid}  {facts.Name}  {facts.CommandLine}")

        let more = if several.Length > 20 then "\n  ..." else ""
        String.Join("", lines) + more

    /// The process among these with this name, else with a name that contains it, in any case of letters. Raises BadInput, with
    /// the candidates, if there is none or several.
    let internal choose (name: string) (candidates: ProcessFacts list) : int =
        let isSame (facts: ProcessFacts) =
            facts.Name.Equals(name, StringComparison.OrdinalIgnoreCase)

        let has (facts: ProcessFacts) =
            facts.Name.Contains(name, StringComparison.OrdinalIgnoreCase)

        match List.filter isSame candidates, List.filter has candidates with
        | [ only ], _
        | [], [ only ] -> only.Pid
        | [], [] when candidates.IsEmpty ->
            raise (BadInput $"there is no .NET process called '{name}': no .NET process of this user runs")
        | [], [] ->
            let nearestFirst =
                candidates |> List.sortBy (fun facts -> NearestName.distance name facts.Name)

            raise (BadInput $"there is no .NET process called '{name}'. There are:{shown nearestFirst}")
        | [], several
        | several, _ ->
            raise (
                BadInput $"'{name}' may be {several.Length} processes: give the number of one.{shown several}"
            )

    /// The facts about each that has not ended, and whether its port answered. All are asked at once, because each may need the
    /// full second.
    let internal askedAll (pids: int list) : (ProcessFacts * bool) list =
        let ifThere (ask: int -> ProcessFacts * bool) (pid: int) =
            try
                Some(ask pid)
            with :? CannotAttach ->
                None

        [ for pid in pids -> fun () -> ifThere asked pid ]
        |> TimeLimit.all "asks a process" (2.0 * answerLimit)
        |> List.map2
            (fun pid answer ->
                match answer with
                | Some(Ok facts) -> facts
                | _ -> ifThere (fun pid -> factsFromOutside pid, false) pid)
            pids
        |> List.choose id

    /// The process by its number, its name, or a part of its name, in any case of letters. Raises BadInput, with the candidates,
    /// if there is none or several.
    let find (name: string) : int =
        match Int32.TryParse(name.Trim()) with
        | true, pid when pid > 0 -> pid
        | _ -> list () |> askedAll |> List.map fst |> choose (name.Trim())

    /// A client for the diagnostics port of a process. Its socket is in its TMPDIR, in /tmp, or in the same folders of its
    /// container or service. Raises CannotAttach with the reason.
    let rec client (pid: int) : DiagnosticsClient =
        try
            DiagnosticsPort.client pid
        with :? DiagnosticsClientException as error ->
            raise (explain pid (Some error))

    /// The reason why the diagnostics port cannot be used, in one sentence with the remedy. `error`: the exception of an attempt,
    /// if there was one. NoAnswer: the process exists and may be looked at, but does not answer.
    and explain (pid: int) (error: exn option) : CannotAttach =
        match error with
        | Some(:? CannotAttach as told) -> told
        | _ when OperatingSystem.IsLinux() ->
            Refusal.ofPort (Refusal.inspect pid) (error |> Option.map _.Message) |> Refusal.raised pid
        | _ when (ofSystem pid ignore).IsNone ->
            CannotAttach(
                pid,
                $"there is no process {pid}: 'plait doctor' without arguments lists the processes of .NET"
            )
        | Some(:? UnauthorizedAccessException) ->
            CannotAttach(
                pid,
                $"process {pid} belongs to another user: run plait doctor as that user or as administrator"
            )
        | Some(:? TimeoutException)
        | Some(:? OperationCanceledException) ->
            NoAnswer(
                pid,
                $"process {pid} does not answer: it is stopped, or the machine is too busy; try again"
            )
        | _ ->
            CannotAttach(
                pid,
                $"process {pid} has no diagnostics port: it is no .NET process, it belongs to another user, or DOTNET_EnableDiagnostics=0 turned its diagnostics off; run plait doctor as its user, and start it without that setting"
            )

    /// Whether a signal, and no debugger, has stopped a process: it does not answer until it continues. On Linux.
    let internal isStopped (pid: int) : bool =
        OperatingSystem.IsLinux()
        && ProcFiles.status pid |> Option.exists (fun status -> status.State = 'T')

    /// Whether a process has ended: it is gone, or its parent has not read its exit code yet.
    let internal hasEnded (pid: int) : bool =
        if OperatingSystem.IsLinux() then
            match ProcFiles.status pid with
            | None -> true
            | Some status -> status.State = 'Z'
        else
            ofSystem pid _.HasExited |> Option.defaultValue true

    /// Whether --ptrace may work if the port does not. On Linux alone.
    let internal mayBeTraced (pid: int) : bool =
        OperatingSystem.IsLinux() && Refusal.mayBeTraced (Refusal.inspect pid)

    /// The processor time of a process since its start; None: it has ended, or is not ours.
    let internal processorTime (pid: int) : TimeSpan option = ofSystem pid _.TotalProcessorTime

    /// Threads of the operating system that a process has.
    let internal threads (pid: int) : int option =
        if OperatingSystem.IsLinux() then
            ProcFiles.status pid |> Option.map _.Threads
        else
            ofSystem pid _.Threads.Count
