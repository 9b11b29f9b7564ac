// A child process that answers lines of JSON: every request has a time limit, and each failure of the process or of its answer
// becomes one sentence. Disposing ends the process, and waits for its end.
namespace Plait.Load

open System
open System.Collections.Concurrent
open System.ComponentModel
open System.Diagnostics
open System.IO
open System.Text.Json

open Plait.Common

/// How a child process is started.
type ChildCommand =
    {
        /// Whose process it is, in sentences: the id of a row, or "the load generator".
        Subject: string
        /// The executable.
        File: string
        /// Its arguments.
        Arguments: string list
        /// Environment variables besides the inherited ones.
        Variables: (string * string) list
        /// The core it is bound to.
        Core: int option
    }

/// Starting child processes, with their pipes in our hands.
module internal ChildProcess =
    /// Starts it, in `folder` if one is named. Raises WorkerFailed when there is no such program.
    let start (command: ChildCommand) (folder: string option) : Process =
        let info =
            ProcessStartInfo(
                command.File,
                command.Arguments,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false
            )

        folder |> Option.iter (fun folder -> info.WorkingDirectory <- folder)

        for name, value in command.Variables do
            info.Environment[name] <- value

        try
            Affinity.withCore command.Core (fun () -> Process.Start info) |> nonNull
        with :? Win32Exception as trouble ->
            raise (
                WorkerFailed(
                    command.Subject,
                    $"{command.Subject} cannot be started: {command.File}: {Files.systemSays trouble.NativeErrorCode}"
                )
            )

/// Reading a reply: a value that is missing or of the wrong kind becomes a sentence about the process.
module internal Reply =
    let private property (subject: string) (name: string) (reply: JsonElement) =
        match reply.TryGetProperty name with
        | true, value -> value
        | _ -> raise (WorkerFailed(subject, $"{subject} answered without '{name}': {reply.GetRawText()}"))

    let private wrong subject name (value: JsonElement) kind =
        raise (
            WorkerFailed(
                subject,
                $"{subject} answered '{name}' with {value.GetRawText()}, which is not {kind}"
            )
        )

    /// A number.
    let number subject name reply : float =
        let value = property subject name reply

        if value.ValueKind = JsonValueKind.Number then
            value.GetDouble()
        else
            wrong subject name value "a number"

    /// A whole number.
    let whole subject name reply : int64 =
        let value = property subject name reply

        match value.ValueKind with
        | JsonValueKind.Number ->
            match value.TryGetInt64() with
            | true, whole -> whole
            | _ -> wrong subject name value "a whole number"
        | _ -> wrong subject name value "a whole number"

    /// Text that may be null or absent.
    let textOption (name: string) (reply: JsonElement) : string option =
        match reply.TryGetProperty name with
        | true, value when value.ValueKind = JsonValueKind.String -> Option.ofObj (value.GetString())
        | _ -> None

    /// Text.
    let text subject name (reply: JsonElement) : string =
        match textOption name reply with
        | Some text -> text
        | None -> wrong subject name (property subject name reply) "text"

    /// A truth value; absent is false.
    let flag (name: string) (reply: JsonElement) : bool =
        match reply.TryGetProperty name with
        | true, value -> value.ValueKind = JsonValueKind.True
        | _ -> false

/// A running child process that answers lines of JSON. Not for use from two threads at once.
type LineProcess private (command: ChildCommand, child: Process) =
    let subject = command.Subject
    let lastWords = ConcurrentQueue<string>()
    let mutable busy = "starting"

    let fail sentence = raise (WorkerFailed(subject, sentence))

    let shorten (text: string) =
        if text.Length <= 120 then text else text.Substring(0, 120) + " ..."

    do
        child.ErrorDataReceived.Add(fun line ->
            match line.Data with
            | null -> ()
            | text when String.IsNullOrWhiteSpace text -> ()
            | text ->
                lastWords.Enqueue(text.Trim())

                if lastWords.Count > 20 then
                    lastWords.TryDequeue() |> ignore)

        child.BeginErrorReadLine()

    let ended () =
        // The exit code and the rest of stderr come a moment after the end of the output: seconds on a busy machine.
        let code =
            if child.WaitForExit 60000 then
                child.WaitForExit()
                $"exit code {child.ExitCode}"
            else
                "its output is closed, but it still runs"

        let words =
            match Seq.tryHead lastWords with
            | Some first -> $"; its stderr begins: {shorten first}"
            | None -> "; its stderr is empty"

        fail $"the process of {subject} ended while {busy} ({code}){words}"

    let readLine (milliseconds: int) : string =
        let reading = child.StandardOutput.ReadLineAsync()

        let inTime =
            try
                reading.Wait milliseconds
            with :? AggregateException ->
                true

        if not inTime then
            child.Kill true
            fail $"{subject} did not answer within {milliseconds} ms while {busy}, and was stopped"
        elif reading.IsFaulted then
            ended ()
        else
            match reading.Result with
            | null -> ended ()
            | line -> line

    let readReply (milliseconds: int) : JsonElement =
        let line = readLine milliseconds

        try
            use document = JsonDocument.Parse line
            let reply = document.RootElement.Clone()

            if reply.ValueKind <> JsonValueKind.Object then
                fail
                    $"{subject} answered with something that is not a JSON object while {busy}: {shorten line}"

            match Reply.textOption "error" reply with
            | Some sentence -> fail $"{subject} answered with an error while {busy}: {sentence}"
            | None -> reply
        with :? JsonException ->
            fail $"{subject} answered with something that is not JSON while {busy}: {shorten line}"

    /// Whose process it is.
    member _.Subject = subject

    /// Starts the process and reads the line that says it is ready. `milliseconds`: how long that may take.
    static member Start(command: ChildCommand, milliseconds: int) : LineProcess * JsonElement =
        let child = ChildProcess.start command None
        let started = new LineProcess(command, child)

        try
            started, started.Ready milliseconds
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()

    member private _.Ready(milliseconds: int) : JsonElement =
        let reply = readReply milliseconds

        if Reply.flag "ready" reply then
            reply
        else
            fail $"{subject} did not begin with its ready line, but with: {shorten (reply.GetRawText())}"

    /// Asks `request` (one line of JSON) and returns the reply. `doing` names the work in sentences ("measuring in
    /// process"). Raises WorkerFailed when there is no proper reply within `milliseconds`; the process is then of no
    /// further use.
    member _.Ask(doing: string, request: string, milliseconds: int) : JsonElement =
        busy <- doing

        let sent =
            try
                child.StandardInput.WriteLine request
                child.StandardInput.Flush()
                true
            with :? IOException ->
                false

        if sent then readReply milliseconds else ended ()

    interface IDisposable with
        member _.Dispose() =
            try
                // A worker ends when its input is closed; one that hangs is killed.
                try
                    child.StandardInput.Close()
                with :? IOException ->
                    ()

                if not (child.WaitForExit 1000) then
                    child.Kill true
                    child.WaitForExit 5000 |> ignore
            with
            // It is gone already, or parts of its tree cannot be ended: nothing that a caller could mend.
            | :? InvalidOperationException
            | :? Win32Exception
            | :? AggregateException -> ()

            child.Dispose()
