// A socket that never waits, with TLS or without: opened step by step as its events come, then bytes in and out. For the one thread of
// the engine.
namespace Plait.Load

open System
open System.Net
open System.Net.Sockets
open System.Runtime.InteropServices

module private NativeSocket =
    [<DllImport("libc", SetLastError = true)>]
    extern int connect(int descriptor, byte& address, int length)

/// Sockets that never wait.
module internal ConnectionSocket =
    /// A socket for a destination, not connected; or why this machine gives none.
    let make (destination: Destination) : Result<Socket, SocketError> =
        try
            match destination.EndPoint with
            | :? IPEndPoint as address ->
                new Socket(
                    address.AddressFamily,
                    SocketType.Stream,
                    ProtocolType.Tcp,
                    NoDelay = true,
                    Blocking = false
                )
            | other ->
                new Socket(other.AddressFamily, SocketType.Stream, ProtocolType.Unspecified, Blocking = false)
            |> Ok
        with :? SocketException as trouble ->
            Error trouble.SocketErrorCode

    // Socket.Connect throws if the connection is not open at once, and an exception takes as long as the rest of a connect. None: a call
    // of it is needed.
    let private connectNatively (socket: Socket) (endPoint: EndPoint) : SocketError voption =
        let address = endPoint.Serialize()
        let descriptor = int (socket.SafeHandle.DangerousGetHandle())
        let first = &MemoryMarshal.GetReference address.Buffer.Span

        if NativeSocket.connect (descriptor, &first, address.Size) = 0 then
            ValueSome SocketError.Success
        else
            match Marshal.GetLastPInvokeError() with
            // EINPROGRESS and ECONNREFUSED
            | 115 -> ValueSome SocketError.InProgress
            | 111 -> ValueSome SocketError.ConnectionRefused
            | _ -> ValueNone

    /// Begins to connect. Success, WouldBlock and InProgress: its poller will tell.
    let connect (socket: Socket) (destination: Destination) : SocketError =
        try
            let native =
                if OperatingSystem.IsLinux() then
                    connectNatively socket destination.EndPoint
                else
                    ValueNone

            match native with
            | ValueSome result -> result
            | ValueNone ->
                // Also after a failure: this call raises its reason.
                socket.Connect destination.EndPoint
                SocketError.Success
        with :? SocketException as trouble ->
            match destination.EndPoint with
            // A Unix socket does not connect later: its server's queue is full.
            | :? UnixDomainSocketEndPoint when trouble.SocketErrorCode = SocketError.WouldBlock ->
                SocketError.ConnectionRefused
            | _ -> trouble.SocketErrorCode

    /// The outcome of connecting.
    let errorOf (socket: Socket) : SocketError =
        nonNull (socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error))
        |> unbox<int>
        |> enum<SocketError>

    /// After this error the connection was open, and was reset before this side noticed: a refusal is another error.
    let wasOpen (error: SocketError) : bool =
        error = SocketError.ConnectionReset || error = SocketError.Shutdown

    /// The result of a request whose connection could not be made.
    let resultOf (destination: Destination) (error: SocketError) : RequestResult =
        match error with
        // For a Unix socket this error means that there is no such file.
        | SocketError.AddressNotAvailable when (destination.EndPoint :? IPEndPoint) ->
            RequestResult.NoLocalPort
        | SocketError.TooManyOpenSockets
        | SocketError.NoBufferSpaceAvailable -> RequestResult.NoDescriptor
        | SocketError.TimedOut -> RequestResult.TimedOut
        | error when wasOpen error -> RequestResult.Reset
        | _ -> RequestResult.Refused

/// The error that broke a socket, or kept it from being opened.
[<Struct; NoEquality; NoComparison>]
type internal SocketFailure =
    {
        Result: RequestResult
        Sentence: string
        /// The other side is gone, or has closed it.
        IsGone: bool
    }

/// The state of a socket.
type internal SocketState =
    | Connecting = 0
    /// TLS is being agreed on.
    | Handshaking = 1
    | Open = 2
    | Closed = 3

module internal SocketState =
    /// Why a socket carries nothing yet, as a part of a sentence; null: it carries requests.
    let obstacle (state: SocketState) : string | null =
        match state with
        | SocketState.Open -> null
        | SocketState.Handshaking -> "TLS was not agreed on"
        | _ -> "its connection was not open"

/// One socket. `token`: the token of its events.
[<Sealed>]
type internal NonBlockingSocket(destination: Destination, context: ConnectionContext, token: int64) =
    let poller = context.Poller
    let mutable socket: Socket | null = null
    let mutable link: TlsLink | null = null
    let mutable state = SocketState.Connecting
    let mutable isWriting = false
    let mutable began = 0L

    let mutable failure =
        { Result = RequestResult.Right; Sentence = ""; IsGone = false }

    let mutable tookPart = false

    let watch (open': Socket) write =
        if write <> isWriting then
            isWriting <- write
            poller.Change(open', token, write)

    let up () =
        state <- SocketState.Open
        context.Connects.Record(Clock.now () - began)

    let break' (isGone: bool) (result: RequestResult) (sentence: string) =
        failure <- { Result = result; Sentence = sentence; IsGone = isGone }

    let breakBy (error: SocketError) (doing: string) =
        let sentence =
            match ConnectionSocket.resultOf destination error with
            | RequestResult.NoLocalPort when state = SocketState.Connecting ->
                $"this machine has no local port left for a connection to {destination.EndPoint}"
            | RequestResult.NoDescriptor when state = SocketState.Connecting ->
                $"this process has no file left for a connection to {destination.EndPoint} (ulimit -n)"
            | _ -> $"{destination.EndPoint}: {SocketException(int error).Message} while {doing}"

        match state, error with
        | SocketState.Connecting, _ -> break' false (ConnectionSocket.resultOf destination error) sentence
        | SocketState.Handshaking, _ -> break' false RequestResult.Tls sentence
        | _, SocketError.TimedOut -> break' false RequestResult.TimedOut sentence
        | _ -> break' true RequestResult.Reset sentence

    let agree (open': Socket) (secure: TlsLink) : bool =
        match secure.Agreed with
        | None ->
            watch open' secure.HasOutgoing
            true
        | Some(Error sentence) ->
            break' false RequestResult.Tls sentence
            false
        | Some(Ok()) ->
            if state <> SocketState.Open then
                up ()

            watch open' secure.HasOutgoing
            true

    let connected (open': Socket) : bool =
        let error = ConnectionSocket.errorOf open'

        if error <> SocketError.Success then
            // The server has it in its log too.
            if not destination.IsTls && ConnectionSocket.wasOpen error then
                up ()

            breakBy error "connecting"
            false
        else
            watch open' false

            if destination.IsTls then
                let secure = new TlsLink(open', destination.Host, context.Tls)
                link <- secure
                state <- SocketState.Handshaking
                secure.Start()
                agree open' secure
            else
                up ()
                true

    let receivePlainly (buffer: byte[]) (from: int) : ReadResult =
        match socket with
        | null -> ReadResult.NothingYet
        | open' ->
            let mutable error = SocketError.Success

            let count =
                open'.Receive(Span(buffer, from, buffer.Length - from), SocketFlags.None, &error)

            if error = SocketError.Success then
                if count = 0 then ReadResult.EndOfStream else ReadResult.Bytes count
            elif error = SocketError.WouldBlock then
                ReadResult.NothingYet
            else
                breakBy error "reading the response"
                ReadResult.Failed

    let receive (buffer: byte[]) (from: int) : ReadResult =
        match link with
        | null -> receivePlainly buffer from
        | secure ->
            match secure.Read(Memory(buffer, from, buffer.Length - from)) with
            | ReadResult.Failed ->
                if secure.IsBroken then
                    breakBy secure.Error "reading the response"
                else
                    break' false RequestResult.Tls (nonNull secure.Trouble)

                ReadResult.Failed
            | said -> said

    let sendPlainly (open': Socket) (bytes: ReadOnlyMemory<byte>) : int =
        let mutable error = SocketError.Success

        let count =
            if bytes.IsEmpty then 0 else open'.Send(bytes.Span, SocketFlags.None, &error)

        if error = SocketError.Success || error = SocketError.WouldBlock then
            watch open' (count < bytes.Length)
            count
        else
            breakBy error "sending the request"
            -1

    let sendSecurely (open': Socket) (secure: TlsLink) (bytes: ReadOnlyMemory<byte>) : int =
        secure.Push()

        // The link keeps the bytes that the socket does not take.
        let count = if secure.HasOutgoing then 0 else bytes.Length
        let before = secure.Sent
        let trouble = if count > 0 then secure.Write bytes else null
        tookPart <- secure.Sent > before

        if secure.Error <> SocketError.Success then
            breakBy secure.Error "sending the request"
            -1
        elif not (isNull trouble) then
            break' true RequestResult.Reset (nonNull trouble)
            -1
        else
            watch open' secure.HasOutgoing
            count

    member _.State = state

    /// The error, if there was one.
    member _.Failure = failure

    /// Begins to open it; false: it cannot be.
    member _.Connect() : bool =
        match ConnectionSocket.make destination with
        | Error error ->
            breakBy error "connecting"
            false
        | Ok fresh ->
            began <- Clock.now ()

            match ConnectionSocket.connect fresh destination with
            | SocketError.Success
            | SocketError.WouldBlock
            | SocketError.InProgress ->
                if poller.Add(fresh, token, true) then
                    socket <- fresh
                    isWriting <- true
                    true
                else
                    fresh.Dispose()

                    break'
                        false
                        RequestResult.NoDescriptor
                        "this machine watches no more sockets for this user (fs.epoll.max_user_watches)"

                    false
            | error ->
                fresh.Dispose()
                breakBy error "connecting"
                false

    /// Goes on opening it, at an event; false: it cannot be opened.
    member _.GoOn(readable: bool, writable: bool) : bool =
        match socket, link with
        | null, _ -> true
        | open', null -> (not readable && not writable) || connected open'
        | open', secure ->
            if readable then
                secure.Pump()

            if writable then
                secure.Push()

            if agree open' secure then
                // In the handshake the end of the connection is noticed here alone.
                if state = SocketState.Handshaking && secure.HasEnded then
                    break' false RequestResult.Tls "the connection was closed in the middle of TLS"
                    false
                else
                    true
            else
                false

    /// Brings in the bytes of the socket, for Receive: if there are more, another event comes.
    member _.Pump() : unit =
        match link with
        | null -> ()
        | secure -> secure.Pump()

    /// Reads bytes into a buffer, from a place on. After NothingYet the next call must have the same place.
    member _.Receive(buffer: byte[], from: int) : ReadResult = receive buffer from

    /// Reads bytes that came before Send failed: a response or an alert of TLS may have the reason. Failed: there are no more; Failure
    /// has the alert, or the error of Send.
    member this.ReceiveLast(buffer: byte[], from: int) : ReadResult =
        let ofSend = failure
        this.Pump()

        match receive buffer from with
        | ReadResult.Bytes _ as bytes -> bytes
        | _ ->
            if failure.Result <> RequestResult.Tls then
                failure <- ofSend

            ReadResult.Failed

    /// There may be more bytes than Receive has given, although the socket has none: TLS may hold some.
    member _.HoldsBack = not (isNull link)

    /// It was closed without the end of TLS: bytes may be missing.
    member _.IsCutOff =
        match link with
        | null -> false
        | secure -> secure.IsCutOff

    /// Sends bytes. Returns how many were taken; -1: it is broken. If not all were taken, an event comes when it takes more.
    member _.Send(bytes: ReadOnlyMemory<byte>) : int =
        match socket, link with
        | null, _ -> 0
        | open', null -> sendPlainly open' bytes
        | open', secure -> sendSecurely open' secure bytes

    /// The failed Send had taken a part of the bytes, because TLS splits them into records.
    member _.TookPart = tookPart

    /// The socket takes no more for now.
    member _.IsFull = isWriting

    member _.Close() : unit =
        match socket with
        | null -> ()
        | open' ->
            // It may be open although its event was not read: the server has it in its log.
            if
                state = SocketState.Connecting
                && failure.Result = RequestResult.Right
                && not destination.IsTls
                && open'.Poll(0, SelectMode.SelectWrite)
                && ConnectionSocket.errorOf open' = SocketError.Success
            then
                up ()

            poller.Remove open'
            socket <- null

            match link with
            | null -> ()
            | secure ->
                link <- null
                secure.Dispose()

            open'.Dispose()

        state <- SocketState.Closed
