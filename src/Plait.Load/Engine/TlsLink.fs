// TLS on one connection of the load engine: what is asked for goes in, what has been decrypted comes out, nothing waits.
namespace Plait.Load


open System
open System.IO
open System.Net.Security
open System.Net.Sockets
open System.Security.Cryptography.X509Certificates
open System.Threading
open System.Threading.Tasks

/// What came of reading.
[<Struct; RequireQualifiedAccess>]
type internal Decrypted =
    /// So many bytes are in the buffer.
    | Bytes of count: int
    /// Nothing yet.
    | Later
    /// The peer has closed.
    | Over
    /// TLS or the connection is broken.
    | Broken of sentence: string

/// TLS over a connected socket. `host`: the name that the certificate must be for; `insecure`: any will do.
type internal TlsLink(socket: Socket, host: string, insecure: bool) =
    let wire = new WireStream(socket)
    let stream = new SslStream(wire, true)

    let options =
        SslClientAuthenticationOptions(
            TargetHost = host,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            ApplicationProtocols = ResizeArray [ SslApplicationProtocol.Http11 ]
        )

    do
        if insecure then
            options.RemoteCertificateValidationCallback <-
                RemoteCertificateValidationCallback(fun _ _ _ _ -> true)

    let mutable handshake: Task = Task.CompletedTask
    let mutable reading: Task<int> | null = null

    let sentenceOf (trouble: exn) =
        let inner =
            match trouble.InnerException with
            | null -> ""
            | inner -> $" ({inner.Message})"

        trouble.Message + inner

    /// Begins to agree with the peer.
    member _.Start() : unit =
        handshake <- stream.AuthenticateAsClientAsync(options, CancellationToken.None)

    /// Brings in what the socket has. Returns how many bytes there were.
    member _.Pump() : int = wire.Pump()

    /// Sends what the socket did not take before.
    member _.Push() : unit = wire.Push()

    /// Whether the peers agree: None: not yet.
    member _.Agreed: Result<unit, string> option =
        if not handshake.IsCompleted then
            if wire.Error <> SocketError.Success then
                Some(Error(SocketException(int wire.Error).Message))
            else
                None
        else
            match handshake.Exception with
            | null -> Some(Ok())
            | trouble -> Some(Error(sentenceOf (nonNull trouble.InnerException)))

    /// Sends bytes; what the socket does not take is kept for Push. Returns what is wrong, or null.
    member _.Write(bytes: byte[]) : string | null =
        try
            stream.WriteAsync(ReadOnlyMemory bytes, CancellationToken.None).AsTask().GetAwaiter().GetResult()
            null
        with
        | :? IOException
        | :? InvalidOperationException as trouble -> sentenceOf trouble

    /// Reads into the buffer. Until it is told something, it must be called with the same place.
    member _.Read(into: Memory<byte>) : Decrypted =
        let begin' () =
            try
                stream.ReadAsync(into, CancellationToken.None).AsTask()
            with
            | :? IOException
            | :? InvalidOperationException as trouble -> Task.FromException<int> trouble

        let task =
            match reading with
            | null -> begin' ()
            | task -> task

        if task.IsCompletedSuccessfully then
            reading <- null
            if task.Result = 0 then Decrypted.Over else Decrypted.Bytes task.Result
        elif task.IsCompleted then
            reading <- null

            match task.Exception with
            | null -> Decrypted.Broken "reading was cancelled"
            | trouble -> Decrypted.Broken(sentenceOf (nonNull trouble.InnerException))
        else
            reading <- task
            Decrypted.Later

    /// Bytes wait for the socket to take them.
    member _.HasOutgoing = wire.HasOutgoing
    /// The peer has closed.
    member _.HasEnded = wire.HasEnded
    /// What is wrong with the socket.
    member _.Error = wire.Error

    member _.Dispose() : unit = stream.Dispose()
