// A program of a user's scenario while it runs: started, asked by its protocol, and its answers checked once before it is
// measured.
namespace Plait.Lab

open System
open System.Net.Http

open Plait.Load
open Plait.Common

/// The right answer: the body of the first request to the base, once it is known.
type internal ExpectedAnswer() =
    /// None: not asked yet, or bodies do not matter.
    member val Body: string option = None with get, set

/// A running program that serves.
type internal RunningProgram =
    {
        /// Without a path.
        Address: string
        Port: int
        /// Its use of CPU and memory since its start.
        Usage: unit -> Usage
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

    let private watch (pid: int option) =
        match pid |> Option.map (fun pid -> Counters.Start(pid, counterMilliseconds)) with
        | Some(Ok counters) -> Some counters, None
        | Some(Error sentence) -> None, Some sentence
        | None -> None, Some "it does not say its process id"

    let private core (placement: Affinity.Placement) (program: ScenarioProgram) =
        match program.Core with
        | OnServerCore -> placement.Server
        | OnClientCore -> placement.Client
        | OnAnyCore -> None

    // A path is relative to the folder of the scenario, if the program is one of the scenario's own.
    let private executable (program: ScenarioProgram) =
        if program.Command.StartsWith '.' then
            IO.Path.GetFullPath(IO.Path.Combine(program.Folder, program.Command))
        else
            program.Command

    // A process that serves, with any protocol; `isCounted`: bytes or counters are wanted.
    let private serving isCounted (child: IDisposable) (introduction: Introduction) port usage =
        let counters, noCounters =
            if isCounted then watch introduction.ProcessId else None, None

        {
            Address = $"http://127.0.0.1:{port}"
            Port = port
            Usage = usage
            Counters = counters
            NoCounters = noCounters
            Introduction = introduction
            Close = child.Dispose
        }

    let private http (context: Context) isCounted (program: ScenarioProgram) command port =
        let patience = context.Settings.PatienceMilliseconds

        let child =
            ServiceProcess.Start { Command = command; Folder = program.Folder; Port = port }

        Started.andThen child (fun () ->
            match program.Ready with
            | Line text -> child.UntilLine(text, patience)
            | Answer url -> child.UntilAnswer(ScenarioFile.fill port Map.empty url, patience)
            | Listens -> child.UntilListening patience

            let introduction =
                {
                    Candidate = program.Name
                    Runtime = "the one of each server"
                    LibraryVersion = None
                    ServerGc = false
                    ProcessId = Some child.Id
                }

            serving isCounted child introduction port (fun () ->
                {
                    CpuMicroseconds = child.CpuMicroseconds
                    AllocatedBytes = nan
                    CompilingMicroseconds = 0.0
                }))

    let private worker (context: Context) isCounted (program: ScenarioProgram) (command: ChildCommand) =
        // Relative paths of a worker are seen from the folder of the scenario.
        let place (text: string) =
            let path = IO.Path.GetFullPath(IO.Path.Combine(program.Folder, text))
            if text.Contains '/' && IO.File.Exists path then path else text

        let child =
            CandidateProcess.StartProgram(
                { command with
                    Arguments = List.map place command.Arguments
                    Variables = CandidateProcess.Variables @ command.Variables
                },
                context.Settings.PatienceMilliseconds
            )

        Started.andThen child (fun () ->
            serving isCounted child child.Introduction (child.Serve 0) child.Usage)

    /// Starts a program and waits until it serves. `isCounted`: bytes or counters are wanted; `more`: the additions
    /// of factors; `ports`: those of the services.
    let start
        (context: Context)
        (isCounted: bool)
        (subject: string)
        (program: ScenarioProgram)
        (more: FactorValue list)
        (ports: Map<string, int>)
        : RunningProgram =
        let port = ServiceProcess.FreePort()
        let fill = ScenarioFile.fill port ports
        let added = more |> List.collect (fun (value: FactorValue) -> value.Arguments)

        let variables =
            program.Variables @ (more |> List.collect (fun (value: FactorValue) -> value.Variables))

        let command: ChildCommand =
            {
                Subject = subject
                File = executable program
                Arguments = program.Arguments @ added |> List.map fill
                Variables = [ for name, value in variables -> name, fill value ]
                Core = core context.Placement program
            }

        match program.Protocol with
        | Http -> http context isCounted program command port
        | Worker -> worker context isCounted program command

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
        (row: MeasuredRow)
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
