// The diagnostics port of a runtime: the path of its socket, and its answer about its process. The package has the rest of the
// protocol. Only the files of Processes use it.
[<RequireQualifiedAccess>]
module internal Plait.Doctor.DiagnosticsPort

open System
open System.Buffers.Binary
open System.IO
open System.IO.Pipes
open System.Net.Sockets
open System.Text
open System.Threading
open Microsoft.Diagnostics.NETCore.Client

/// The answer of the port about its process.
type Answer =
    {
        CommandLine: string
        /// The name of the started assembly; "": the runtime is older than .NET 6.
        EntryAssembly: string
        /// As "10.0.12"; "": the runtime is older than .NET 6.
        Runtime: string
    }

// The runtime puts its socket into its TMPDIR. If the settings of the process cannot be read, ours are assumed.
let private folder (pid: int) =
    let named =
        match ProcFiles.environment pid with
        | Some settings -> settings |> Map.tryFind "TMPDIR" |> Option.defaultValue "/tmp"
        | None -> Path.GetTempPath()

    ProcFiles.reach pid named

// A dead process may leave its socket behind: then nobody listens there.
let private isDead (path: string) : bool =
    use socket =
        new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified, Blocking = false)

    try
        socket.Connect(UnixDomainSocketEndPoint path)
        false
    with
    | :? SocketException as error -> error.SocketErrorCode = SocketError.ConnectionRefused
    // the connection itself reports a path that is too long
    | :? ArgumentException -> false

// The name ends in the start time of the process: an older process with the same number has another name.
let private inFolder (pid: int) (folder: string) =
    let inside = ProcFiles.numberInside pid

    let exact =
        ProcFiles.started pid
        |> Option.map (fun moment -> Path.Combine(folder, $"dotnet-diagnostic-{inside}-{moment}-socket"))
        |> Option.filter File.Exists

    match exact with
    | Some _ -> exact
    | None ->
        // where clocks differ between namespaces, and on macOS: the newest socket with a listener
        let isElsewhere = not (OperatingSystem.IsLinux()) || ProcFiles.hasOwnFiles pid

        ProcFiles.ifReadable (fun () -> Directory.GetFiles(folder, $"dotnet-diagnostic-{inside}-*-socket"))
        |> Option.defaultValue [||]
        |> Array.filter (fun _ -> isElsewhere)
        |> Array.sortByDescending File.GetLastWriteTimeUtc
        |> Array.tryFind (isDead >> not)

/// The folder of a process's temporary files, as the doctor reaches it.
let temporaryFiles (pid: int) : string =
    if OperatingSystem.IsLinux() then folder pid else Path.GetTempPath()

/// The socket of a process, as the doctor reaches it; None: none was found. On Windows the port is a named pipe instead.
let find (pid: int) : string option =
    if OperatingSystem.IsLinux() then
        [ folder pid; ProcFiles.reach pid "/tmp"; Path.GetTempPath() ]
        |> List.distinct
        |> List.tryPick (inFolder pid)
    else
        inFolder pid (Path.GetTempPath())

/// The package's client for the port of a process.
let client (pid: int) : DiagnosticsClient =
    if OperatingSystem.IsWindows() then
        DiagnosticsClient pid
    else
        match find pid with
        | None ->
            raise (
                ServerNotAvailableException
                    $"Process {pid} has no diagnostics socket that can be seen from here."
            )
        | Some path ->
            // for a path with `connect` this returns at once
            DiagnosticsClientConnector
                .FromDiagnosticPort($"{path},connect", CancellationToken.None)
                .Result.Instance

let private connect (pid: int) (limit: CancellationToken) =
    task {
        if OperatingSystem.IsWindows() then
            let pipe =
                new NamedPipeClientStream(
                    ".",
                    $"dotnet-diagnostic-{pid}",
                    PipeDirection.InOut,
                    PipeOptions.Asynchronous
                )

            try
                do! pipe.ConnectAsync limit
                return pipe :> Stream
            with _ ->
                pipe.Dispose()
                return raise (ServerNotAvailableException "no answer")
        else
            // plait: ignore PLT202 the socket that finds out whether somebody listens does not block
            match find pid with
            | None -> return raise (ServerNotAvailableException "no answer")
            | Some path ->
                let socket =
                    new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)

                try
                    do! socket.ConnectAsync(UnixDomainSocketEndPoint path, limit)
                    return new NetworkStream(socket, ownsSocket = true) :> Stream
                with _ ->
                    socket.Dispose()
                    return raise (ServerNotAvailableException "no answer")
    }

let private magic = Encoding.ASCII.GetBytes "DOTNET_IPC_V1\000"

/// Bytes of a message's head: magic word, length of the whole, set of commands, command, two unused.
let private headLength = 20

let private processCommands = 0x04uy

let private head (command: byte) =
    [|
        yield! magic
        yield byte headLength
        yield 0uy
        yield processCommands
        yield command
        yield 0uy
        yield 0uy
    |]

/// A version of .NET, as "10.0.12" of "10.0.12 @Commit: ..." or "10.0.12+...".
let parseVersion (text: string) : string = text.Split([| ' '; '+'; '@' |], 2)[0]

/// An answer's body: number and cookie of the process, then strings in UTF-16, each after its length in characters.
let parseAnswer (hasEntry: bool) (body: byte[]) : Answer =
    let mutable at = 8 + 16

    let next () =
        let characters = BinaryPrimitives.ReadInt32LittleEndian(ReadOnlySpan(body, at, 4))
        let text = Encoding.Unicode.GetString(body, at + 4, 2 * characters)
        at <- at + 4 + 2 * characters
        text.TrimEnd '\000'

    let commandLine = next ()
    let _system = next ()
    let _architecture = next ()

    {
        CommandLine = commandLine
        EntryAssembly = if hasEntry then next () else ""
        Runtime = if hasEntry then parseVersion (next ()) else ""
    }

// The second form of the question is of .NET 6; before it there is the first.
let private ask (pid: int) (command: byte) (limit: CancellationToken) =
    task {
        use! stream = connect pid limit
        do! stream.WriteAsync(ReadOnlyMemory(head command), limit)
        let answered = Array.zeroCreate<byte> headLength
        do! stream.ReadExactlyAsync(Memory answered, limit)

        let length =
            int (BinaryPrimitives.ReadUInt16LittleEndian(ReadOnlySpan(answered, magic.Length, 2)))

        let body = Array.zeroCreate<byte>(max 0 (length - headLength))
        do! stream.ReadExactlyAsync(Memory body, limit)
        let isGood = answered[magic.Length + 3] = 0uy
        return if isGood then Some body else None
    }

/// The answer of the port within the time; None: no answer, or no port.
let info (pid: int) (limit: TimeSpan) : Answer option =
    use ending = new CancellationTokenSource(limit)

    // also ends a wait that no token ends (a full queue of connections)
    let within (work: System.Threading.Tasks.Task<'T>) =
        work.WaitAsync(ending.Token).GetAwaiter().GetResult()

    try
        match within (ask pid 0x04uy ending.Token) with
        | Some body -> Some(parseAnswer true body)
        | None -> within (ask pid 0x00uy ending.Token) |> Option.map (parseAnswer false)
    with
    | :? OperationCanceledException
    | :? DiagnosticsClientException
    | :? IOException
    | :? SocketException
    | :? ArgumentException -> None
