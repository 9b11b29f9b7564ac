// A small HTTP/1.1 server on raw sockets, one thread a connection, so that it can be wrong in ways that a real
// server cannot.
module Plait.Lab.FakeWorker.Server

open System
open System.Net
open System.Net.Sockets
open System.Text
open System.Threading

open Plait.Lab.FakeWorker.Manner

/// Requests after which a load is in its middle: one asks whether the answer is right, and each of four connections sends one
/// before anything is timed, however busy the machine is.
let private enough = 4L

/// Whether it hangs by now.
let mutable hung = false

let private ok (body: string) =
    $"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {body.Length}\r\n\r\n{body}"

let private response (mode: Mode) (number: int64) (body: string) =
    match mode with
    | SometimesStatus when number % 10L = 0L ->
        "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno"
    | SometimesShort when number % 10L = 0L -> ok (body.Substring 1)
    | WrongHttpBody -> ok (body.Replace("fizzbuzz", "fuzzbizz"))
    | Chunked ->
        $"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body.Length:x}\r\n{body}\r\n0\r\n\r\n"
    | CrashUnderLoad when number > enough ->
        eprintfn "the fake worker crashes under load, as it was asked to"
        exit 5
    | HangUnderLoad when number > enough ->
        hung <- true
        Thread.Sleep Timeout.Infinite
        ok body
    | _ -> ok body

let private serve
    (manner: Manner)
    (work: unit -> unit)
    (body: string)
    (requests: int64 ref)
    (socket: Socket)
    =
    let buffer = Array.zeroCreate<byte> 4096

    try
        use socket = socket
        socket.NoDelay <- true
        let mutable count = socket.Receive buffer

        // The client of a test sends one whole request at a time, so one receive is one request.
        while count > 0 do
            work ()
            let number = Interlocked.Increment &requests.contents
            socket.Send(Encoding.ASCII.GetBytes(response manner.Mode number body)) |> ignore
            count <- socket.Receive buffer
    with :? SocketException ->
        ()

/// Starts to serve on a port (0: the system's choice); returns the port, or a sentence why not.
let start (manner: Manner) (work: unit -> unit) (body: string) (port: int) : Result<int, string> =
    let listener =
        new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)

    try
        listener.Bind(IPEndPoint(IPAddress.Loopback, port))
        listener.Listen 128
        let requests = ref 0L

        let accept () =
            while true do
                let socket = listener.Accept()
                Thread((fun () -> serve manner work body requests socket), IsBackground = true).Start()

        Thread(accept, IsBackground = true).Start()

        match listener.LocalEndPoint with
        | :? IPEndPoint as bound -> Ok bound.Port
        | _ -> Error "the fake worker's socket has no address"
    with :? SocketException as trouble ->
        Error $"port {port} on 127.0.0.1 is taken ({trouble.Message})"
