// A program of a user's scenario while it runs: started, spoken to in its protocol, and what it has used so far.
namespace Plait.Lab.Scenarios

open System


open Plait.Load
open Plait.Lab.Measure

/// A running program that serves.
type internal RunningProgram =
    {
        /// Whose it is, in sentences.
        Subject: string
        /// Without a path.
        Address: string
        Port: int
        /// CPU microseconds so far, and allocated bytes where the program itself tells them.
        Usage: unit -> float * float option
        Counters: Counters option
        /// Why its bytes are not known, if they are not.
        Blind: string option
        Introduction: Introduction
        Close: unit -> unit
    }

    interface IDisposable with
        member this.Dispose() =
            this.Counters |> Option.iter (fun counters -> (counters :> IDisposable).Dispose())
            this.Close()

module internal RunningProgram =
    // Often enough to tell bytes between any two moments, seldom enough not to cost the server anything.
    let private counterMilliseconds = 200

    let private watch (wanted: bool) (pid: int) =
        if not wanted then
            None, None
        else
            match Counters.Start(pid, counterMilliseconds) with
            | Ok counters -> Some counters, None
            | Error sentence -> None, Some sentence

    let private core (placement: Affinity.Placement) (name: string) =
        match name with
        | "server" -> placement.Server
        | "client" -> placement.Client
        | _ -> None

    // What a path means is seen from the folder of the scenario, where the program is one of the scenario's own.
    let private executable (program: Program') =
        if program.Command.StartsWith '.' then
            IO.Path.GetFullPath(IO.Path.Combine(program.Folder, program.Command))
        else
            program.Command

    let private command (context: Context) subject program arguments variables : ChildCommand =
        {
            Subject = subject
            File = executable program
            Arguments = arguments
            Variables = variables
            Core = core context.Placement program.Core
        }

    let private http (context: Context) wanted subject (program: Program') arguments variables port =
        let patience = context.Settings.PatienceMilliseconds

        let child =
            ServiceProcess.Start
                {
                    Command = command context subject program arguments variables
                    Folder = program.Folder
                    Port = port
                }

        try
            match program.Ready with
            | Line text -> child.UntilLine(text, patience)
            | Answer url -> child.UntilAnswer(ScenarioFile.fill port Map.empty url, patience)
            | Listens -> child.UntilListening patience

            let counters, blind = watch wanted child.Id

            {
                Subject = subject
                Address = $"http://127.0.0.1:{port}"
                Port = port
                Usage = fun () -> child.CpuMicroseconds, None
                Counters = counters
                Blind = blind
                Introduction =
                    {
                        Candidate = program.Name
                        Runtime = "that of each server"
                        LibraryVersion = None
                        ServerGc = false
                    }
                Close = fun () -> (child :> IDisposable).Dispose()
            }
        with _ ->
            (child :> IDisposable).Dispose()
            reraise ()

    let private worker (context: Context) wanted subject (program: Program') arguments variables =
        let patience = context.Settings.PatienceMilliseconds

        // Relative paths of a worker are seen from the folder of the scenario.
        let place (text: string) =
            let path = IO.Path.GetFullPath(IO.Path.Combine(program.Folder, text))
            if text.Contains '/' && IO.File.Exists path then path else text

        let child, ready =
            LineProcess.Start(
                command context subject program (List.map place arguments) (Start.variables @ variables),
                patience
            )

        try
            let port =
                child.Ask("starting its server", """{"do":"serve"}""", patience)
                |> Reply.whole subject "port"
                |> int

            let counters, blind =
                match Reply.whole subject "pid" ready with
                | pid -> watch wanted (int pid)

            let usage () =
                let reply = child.Ask("serving requests", """{"do":"usage"}""", patience)

                Reply.number subject "cpuMicroseconds" reply,
                Some(Reply.number subject "allocatedBytes" reply)

            {
                Subject = subject
                Address = $"http://127.0.0.1:{port}"
                Port = port
                Usage = usage
                Counters = counters
                Blind = (if wanted then None else blind)
                Introduction =
                    {
                        Candidate = Reply.text subject "candidate" ready
                        Runtime = Reply.text subject "runtime" ready
                        LibraryVersion = Reply.textOption "libraryVersion" ready
                        ServerGc = Reply.flag "serverGc" ready
                    }
                Close = fun () -> (child :> IDisposable).Dispose()
            }
        with _ ->
            (child :> IDisposable).Dispose()
            reraise ()

    /// Starts a program and waits until it serves. `more`: what factors add to it; `ports`: those of the services.
    let start
        (context: Context)
        (wanted: bool)
        (subject: string)
        (program: Program')
        (more: FactorValue list)
        (ports: Map<string, int>)
        : RunningProgram =
        let port = ServiceProcess.FreePort()
        let fill = ScenarioFile.fill port ports
        let added = more |> List.collect (fun (value: FactorValue) -> value.Arguments)
        let arguments = program.Arguments @ added |> List.map fill

        let variables =
            program.Variables @ (more |> List.collect (fun (value: FactorValue) -> value.Variables))
            |> List.map (fun (name, value) -> name, fill value)

        match program.Protocol with
        | Http -> http context wanted subject program arguments variables port
        | Worker -> worker context wanted subject program arguments variables
