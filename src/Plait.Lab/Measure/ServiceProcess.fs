// Any program as a child: started on a core, waited for until it serves, watched from outside, and ended with all that
// it started itself.
namespace Plait.Lab

open System
open System.Collections.Concurrent
open System.Diagnostics
open System.Net
open System.Net.Http
open System.Net.Sockets

open Plait.Common
open Plait.Load

/// How a service is started.
type ServiceCommand =
    {
        Command: ChildCommand
        /// The folder that it runs in.
        Folder: string
        /// The port it will serve on.
        Port: int
    }

/// A running service. Raises WorkerFailed when it does not do as it should.
type ServiceProcess private (command: ServiceCommand, child: Process) =
    let subject = command.Command.Subject
    let lastWords = ConcurrentQueue<string>()
    let said = ConcurrentQueue<string>()

    // Later a line for each request may come, for as long as the run takes.
    [<VolatileField>]
    let mutable isReady = false

    let hear (line: string | null) =
        match line with
        | null -> ()
        | line when String.IsNullOrWhiteSpace line -> ()
        | line ->
            if not isReady then
                said.Enqueue line

            lastWords.Enqueue(line.Trim())

            while lastWords.Count > 5 do
                lastWords.TryDequeue() |> ignore

    do
        child.OutputDataReceived.Add(fun line -> hear line.Data)
        child.ErrorDataReceived.Add(fun line -> hear line.Data)
        child.BeginOutputReadLine()
        child.BeginErrorReadLine()

    let fail (sentence: string) =
        let words =
            if lastWords.IsEmpty then
                "it printed nothing"
            else
                let text = String.Join(" / ", lastWords)

                "its last words: "
                + (if text.Length <= 300 then text else text.Substring(0, 300) + " ...")

        raise (WorkerFailed(subject, $"{subject} {sentence}; {words}"))

    /// A port of the loopback without a listener now.
    static member FreePort() : int =
        use listener = new TcpListener(IPAddress.Loopback, 0)
        listener.Start()

        match listener.LocalEndpoint with
        | :? IPEndPoint as bound -> bound.Port
        | _ -> 0

    /// Starts it; it may not serve yet.
    static member Start(command: ServiceCommand) : ServiceProcess =
        new ServiceProcess(command, ChildProcess.start command.Command (Some command.Folder))

    /// Its process id.
    member _.Id = child.Id

    /// Raises WorkerFailed when it has ended.
    member _.MustRun(doing: string) : unit =
        if child.HasExited then
            // The last words may come a moment behind the end.
            child.WaitForExit()
            fail $"ended while {doing} (exit code {child.ExitCode})"

    member private this.Until(what: string, milliseconds: int, isSo: unit -> bool) : unit =
        let clock = Stopwatch.StartNew()

        while not (isSo ()) do
            this.MustRun "starting"

            if clock.ElapsedMilliseconds > int64 milliseconds then
                fail $"was not ready within {milliseconds} ms: {what}"

            Threading.Thread.Sleep 10

        isReady <- true
        said.Clear()

    /// Waits until it has written a line that holds `text`.
    member this.UntilLine(text: string, milliseconds: int) : unit =
        this.Until(
            $"no line held '{text}'",
            milliseconds,
            fun () -> said |> Seq.exists (fun line -> line.Contains(text, StringComparison.Ordinal))
        )

    /// Waits until `url` is answered.
    member this.UntilAnswer(url: string, milliseconds: int) : unit =
        use client = new HttpClient(Timeout = TimeSpan.FromMilliseconds(float milliseconds))
        client.DefaultRequestHeaders.ConnectionClose <- true

        let isAnswered () =
            try
                use response = client.GetAsync(url).Result
                int response.StatusCode > 0
            with :? AggregateException ->
                false

        this.Until($"{url} was not answered", milliseconds, isAnswered)

    /// Waits until its port takes connections.
    member this.UntilListening(milliseconds: int) : unit =
        let isOpen () =
            try
                use socket = new TcpClient()
                socket.Connect(IPAddress.Loopback, command.Port)
                true
            with :? SocketException ->
                false

        this.Until($"nothing listens on port {command.Port} of the loopback", milliseconds, isOpen)

    /// CPU microseconds of it and of its children, so far.
    member this.CpuMicroseconds: float =
        this.MustRun "it was measured"
        CpuClock.family child.Id |> List.choose CpuClock.microseconds |> List.sum

    interface IDisposable with
        member _.Dispose() =
            try
                if not child.HasExited then
                    child.Kill true
                    child.WaitForExit 5000 |> ignore
            with
            | :? InvalidOperationException
            | :? AggregateException
            | :? ComponentModel.Win32Exception -> ()

            child.Dispose()
