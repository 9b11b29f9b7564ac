// TLS on one connection of the load engine, all on the engine's thread: requests go in, decrypted bytes come out,
// nothing waits. SslStream works over a stream of ours, whose reads stay open until the engine has brought bytes and
// whose writes keep the bytes that the socket does not take.
namespace Plait.Load

open System
open System.IO
open System.Net.Security
open System.Net.Sockets
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// The stream of one connection.
type internal WireStream(socket: Socket) =
    inherit Stream()
    let mutable source = ManualResetValueTaskSourceCore<int>()
    let mutable waiting = false
    let mutable wanted = Memory<byte>.Empty
    let incoming = GC.AllocateUninitializedArray<byte> 32768
    let mutable first = 0
    let mutable filled = 0
    let mutable outgoing = Array.zeroCreate<byte> 0
    let mutable outFirst = 0
    let mutable outFilled = 0
    let mutable ended = false
    // The reader has got the end.
    let mutable toldEnd = false
    let mutable error = SocketError.Success
    // The reader has got the error.
    let mutable toldError = false
    let mutable sent = 0L
    // The first bytes of each side, until they agree.
    let mutable firstOut: byte[] | null = null
    let mutable firstIn: byte[] | null = null

    let take (into: Memory<byte>) =
        let count = min into.Length (filled - first)
        incoming.AsSpan(first, count).CopyTo into.Span
        first <- first + count

        if first = filled then
            first <- 0
            filled <- 0

        count

    let keep (bytes: ReadOnlySpan<byte>) =
        if outFirst = outFilled then
            outFirst <- 0
            outFilled <- 0

        if outFilled + bytes.Length > outgoing.Length then
            Array.Resize(&outgoing, 2 * (outFilled + bytes.Length))

        bytes.CopyTo(outgoing.AsSpan outFilled)
        outFilled <- outFilled + bytes.Length

    let send (bytes: ReadOnlySpan<byte>) : int =
        if isNull firstOut then
            firstOut <- bytes.ToArray()

        let mutable problem = SocketError.Success
        let count = socket.Send(bytes, SocketFlags.None, &problem)

        if problem <> SocketError.Success && problem <> SocketError.WouldBlock then
            error <- problem

        sent <- sent + int64 (max 0 count)
        count

    /// Brings in the bytes of the socket, as far as there is room for them.
    member _.Pump() : unit =
        let mutable more = true

        if first > 0 then
            Buffer.BlockCopy(incoming, first, incoming, 0, filled - first)
            filled <- filled - first
            first <- 0

        while more && filled < incoming.Length do
            let mutable problem = SocketError.Success

            let count = socket.Receive(incoming.AsSpan filled, SocketFlags.None, &problem)

            if problem = SocketError.Success && count > 0 then
                filled <- filled + count

                if isNull firstIn then
                    firstIn <- incoming.AsSpan(0, filled).ToArray()
            else
                more <- false

                if problem = SocketError.Success then
                    ended <- true
                elif problem <> SocketError.WouldBlock then
                    error <- problem

        if waiting && (filled > first || ended || error <> SocketError.Success) then
            waiting <- false

            if error <> SocketError.Success && filled = first then
                toldError <- true
                source.SetException(SocketException(int error))
            else
                toldEnd <- filled = first
                source.SetResult(take wanted)

    /// Sends the bytes that the socket did not take before.
    member _.Push() : unit =
        if outFilled > outFirst then
            outFirst <- outFirst + send (ReadOnlySpan(outgoing, outFirst, outFilled - outFirst))

    /// The offer of this side and the choice of the other one, if they are known.
    member _.Hellos: TlsHello option * TlsHello option =
        let read (hello: byte[] -> TlsHello option) (first: byte[] | null) =
            first |> Option.ofObj |> Option.bind hello

        read TlsHello.client firstOut, read TlsHello.server firstIn

    /// Both sides agree: their first bytes are of no use any more.
    member _.Agreed() : unit =
        firstOut <- [||]
        firstIn <- [||]

    /// Bytes wait for the socket to take them.
    member _.HasOutgoing = outFilled > outFirst
    /// The peer has closed.
    member _.HasEnded = ended
    /// The bytes ended before TLS did: after close_notify a reader does not read again.
    member _.IsCutOff = toldEnd
    /// The error of the socket.
    member _.Error = error
    /// The reader has got that error. Until then it gets the bytes that came before.
    member _.ToldError = toldError
    /// Bytes that the socket has taken.
    member _.Sent = sent

    override this.ReadAsync(into: Memory<byte>, _: CancellationToken) : ValueTask<int> =
        if filled > first then
            ValueTask<int>(take into)
        elif ended then
            toldEnd <- true
            ValueTask<int> 0
        elif error <> SocketError.Success then
            toldError <- true
            ValueTask.FromException<int>(SocketException(int error))
        else
            waiting <- true
            wanted <- into
            source.Reset()
            ValueTask<int>((this :> IValueTaskSource<int>), source.Version)

    override _.WriteAsync(bytes: ReadOnlyMemory<byte>, _: CancellationToken) : ValueTask =
        let count = if outFilled > outFirst then 0 else send bytes.Span

        if count < bytes.Length then
            keep (bytes.Span.Slice count)

        ValueTask.CompletedTask

    override _.Write(bytes: ReadOnlySpan<byte>) : unit =
        let count = if outFilled > outFirst then 0 else send bytes

        if count < bytes.Length then
            keep (bytes.Slice count)

    override _.Write(bytes: byte[], offset: int, count: int) : unit =
        // The bytes of SslStream when it is disposed of: they may get lost.
        send (ReadOnlySpan(bytes, offset, count)) |> ignore

    override _.FlushAsync _ = Task.CompletedTask
    override _.Flush() = ()
    override _.CanRead = true
    override _.CanWrite = true
    override _.CanSeek = false
    override _.Length = raise (NotSupportedException())

    override _.Position
        with get () = raise (NotSupportedException())
        and set _ = raise (NotSupportedException())

    override _.Read(_: byte[], _: int, _: int) : int = raise (NotSupportedException())
    override _.Seek(_, _) = raise (NotSupportedException())
    override _.SetLength _ = raise (NotSupportedException())

    interface IValueTaskSource<int> with
        member _.GetResult token = source.GetResult token
        member _.GetStatus token = source.GetStatus token

        member _.OnCompleted(continuation, state, token, flags) =
            source.OnCompleted(continuation, state, token, flags)

/// The result of reading.
[<Struct; RequireQualifiedAccess>]
type internal ReadResult =
    /// So many bytes are in the buffer.
    | Bytes of count: int
    /// Nothing yet.
    | NothingYet
    /// The peer has closed.
    | EndOfStream
    /// TLS or the connection is broken.
    | Failed

/// TLS over a connected socket. `host`: the name that the certificate must be for.
type internal TlsLink(socket: Socket, host: string, tls: TlsClient) =
    let wire = new WireStream(socket)
    let stream = new SslStream(wire, true)
    let mutable handshake: Task = Task.CompletedTask
    let mutable trouble: string | null = null
    let mutable reading: Task<int> | null = null

    // Why the peer's certificate is not trusted.
    let mutable rejected: string | null = null

    /// Begins to agree with the peer.
    member _.Start() : unit =
        handshake <-
            stream.AuthenticateAsClientAsync(
                tls.Options(host, (fun why -> rejected <- why)),
                CancellationToken.None
            )

    /// Brings in the bytes of the socket, as far as there is room for them.
    member _.Pump() : unit = wire.Pump()

    /// Sends the bytes that the socket did not take before.
    member _.Push() : unit = wire.Push()

    /// Whether the peers agree: None: not yet.
    member _.Agreed: Result<unit, string> option =
        if not handshake.IsCompleted then
            if wire.Error <> SocketError.Success then
                Some(Error(tls.Disagreed(SocketException(int wire.Error), wire.Hellos)))
            else
                None
        else
            match handshake.Exception with
            | null ->
                wire.Agreed()
                Some(tls.Agreed stream.NegotiatedApplicationProtocol)
            | trouble ->
                match rejected with
                | null -> Some(Error(tls.Disagreed(nonNull trouble.InnerException, wire.Hellos)))
                | why -> Some(Error why)

    /// Sends bytes; Push sends the rest that the socket does not take. Returns the error, or null.
    member _.Write(bytes: ReadOnlyMemory<byte>) : string | null =
        try
            stream.WriteAsync(bytes, CancellationToken.None).AsTask().GetAwaiter().GetResult()
            null
        with
        | :? IOException
        | :? InvalidOperationException as trouble -> TlsErrors.sentenceAfterHandshake trouble

    /// Reads into the buffer. After NothingYet the next call must have the same buffer.
    member _.Read(into: Memory<byte>) : ReadResult =
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
            if task.Result = 0 then ReadResult.EndOfStream else ReadResult.Bytes task.Result
        elif task.IsCompleted then
            reading <- null

            trouble <-
                match task.Exception with
                | null -> "reading was cancelled"
                | failed -> TlsErrors.sentenceAfterHandshake (nonNull failed.InnerException)

            ReadResult.Failed
        else
            reading <- task
            ReadResult.NothingYet

    /// The error; null: none.
    member _.Trouble = trouble
    /// Bytes wait for the socket to take them.
    member _.HasOutgoing = wire.HasOutgoing
    /// The peer has closed.
    member _.HasEnded = wire.HasEnded
    /// It has closed without close_notify: bytes may be missing.
    member _.IsCutOff = wire.IsCutOff
    /// The error of the socket.
    member _.Error = wire.Error
    /// Reading failed by that error, and not by the bytes that came before it.
    member _.IsBroken = wire.ToldError
    /// Bytes that the socket has taken.
    member _.Sent = wire.Sent

    member _.Dispose() : unit = stream.Dispose()
