// A program of a user's scenario while it runs: started, spoken to in its protocol, and its answers checked once before it is
// measured.
namespace Plait.Lab

open System
open System.Net.Http

open Plait.Load
open Plait.Report

/// What is right: the body of the first request to the base, once it is known.
type internal ExpectedAnswer() =
    /// None: not asked yet, or bodies do not matter.
    member val Body: string option = None with get, set

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
        NoCounters: string option
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

    let private core (placement: Affinity.Placement) (program: ScenarioProgram) =
        match program.Core with
        | OnServerCore -> placement.Server
        | OnClientCore -> placement.Client
        | OnAnyCore -> None

    // What a path means is seen from the folder of the scenario, where the program is one of the scenario's own.
    let private executable (program: ScenarioProgram) =
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
            Core = core context.Placement program
        }

    let private http (context: Context) wanted subject (program: ScenarioProgram) arguments variables port =
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

            let counters, noCounters = watch wanted child.Id

            {
                Subject = subject
                Address = $"http://127.0.0.1:{port}"
                Port = port
                Usage = fun () -> child.CpuMicroseconds, None
                Counters = counters
                NoCounters = noCounters
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

    let private worker (context: Context) wanted subject (program: ScenarioProgram) arguments variables =
        let patience = context.Settings.PatienceMilliseconds

        // Relative paths of a worker are seen from the folder of the scenario.
        let place (text: string) =
            let path = IO.Path.GetFullPath(IO.Path.Combine(program.Folder, text))
            if text.Contains '/' && IO.File.Exists path then path else text

        let child, ready =
            LineProcess.Start(
                command
                    context
                    subject
                    program
                    (List.map place arguments)
                    (CandidateProcess.Variables @ variables),
                patience
            )

        try
            let port =
                child.Ask("starting its server", """{"do":"serve"}""", patience)
                |> Reply.whole subject "port"
                |> int

            let counters, noCounters =
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
                NoCounters = noCounters
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
        (program: ScenarioProgram)
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

    let private isRight (file: ScenarioFile) (status: int) =
        if file.Checks.Status.IsEmpty then
            status >= 200 && status < 400
        else
            List.contains status file.Checks.Status

    /// Asks a server for every request once. Raises WorkerFailed when an answer is not right: by its status, by the body the
    /// scenario names, or by the base's body.
    let check
        (file: ScenarioFile)
        (patience: int)
        (row: RowRun)
        (expected: ExpectedAnswer)
        (program: RunningProgram)
        : unit =
        use client = new HttpClient(Timeout = TimeSpan.FromMilliseconds(float patience))
        client.DefaultRequestHeaders.ConnectionClose <- true
        row.Correct <- Some false

        let fail sentence =
            raise (WorkerFailed(row.Plan.Id, $"{row.Plan.Id} {sentence}, so it is not measured"))

        let bodies =
            file.Requests
            |> List.map (fun request ->
                use message =
                    new HttpRequestMessage(HttpMethod request.Method, program.Address + request.Path)

                if request.Body <> "" then
                    message.Content <- new ByteArrayContent(ScenarioFile.bytes request.Body)

                for name, value in request.Headers do
                    if
                        not (message.Headers.TryAddWithoutValidation(name, value))
                        && not (isNull message.Content)
                    then
                        (nonNull message.Content).Headers.TryAddWithoutValidation(name, value) |> ignore

                let what = $"{request.Method} {request.Path}"

                let status, body =
                    try
                        use response = client.Send message
                        int response.StatusCode, response.Content.ReadAsStringAsync().Result
                    with
                    | :? HttpRequestException as trouble ->
                        fail $"does not answer {what} ({trouble.Message})"
                    | :? OperationCanceledException -> fail $"does not answer {what} within {patience} ms"

                if not (isRight file status) then
                    fail $"answers {what} by status {status}"

                match file.Checks.Body with
                | Some right when right <> body ->
                    fail $"answers {what} wrongly: {AnswerCheck.difference right body}"
                | _ -> body)

        let all = String.concat "\n" bodies

        match file.Checks.Body, expected.Body with
        | Some _, _ -> expected.Body <- Some all
        | None, None when file.Checks.SameBody -> expected.Body <- Some all
        | None, Some right when file.Checks.SameBody && right <> all ->
            fail $"does not answer as the base does: {AnswerCheck.difference right all}"
        | _ -> ()

        row.Correct <- Some true
