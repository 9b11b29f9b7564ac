// One connection of HTTP/1.1 for the engine: it carries one request at a time, never waits, and reports the result of
// the request. It is opened when a request needs it. For the one thread of the engine.
namespace Plait.Load

open System

/// One connection. `id`: the number in the tokens of its events; `destinationIndex`: which destination it is for, as the pool
/// counts them.
type internal HttpConnection
    (id: int, destinationIndex: int, destination: Destination, context: ConnectionContext) =
    inherit RequestSlot(destinationIndex, id)
    static let timeoutHead = "HTTP/1.1 408"B
    static let oldTimeoutHead = "HTTP/1.0 408"B
    let reader = ResponseReader(context.ExpectedBody, context.Options.MaxHead)
    let mutable socket: NonBlockingSocket | null = null
    let mutable generation = 0
    let mutable request: PreparedRequest | null = null
    let mutable written = 0
    let mutable result = RequestResult.Right
    let mutable complaint: string | null = null
    let mutable bytesIn = 0L
    let mutable wasOpen = false
    // The socket has carried a request to its end.
    let mutable isUsed = false
    // It had carried a request when the present one was sent.
    let mutable isReused = false
    // It was open when the present request began.
    let mutable wasReady = false
    let mutable wasRetried = false
    // The bytes that went out and came in before the retry.
    let mutable writtenBefore = 0
    let mutable bytesInBefore = 0L
    // Bytes in the buffer, without a request, that may be the beginning of a 408.
    let mutable idleBytes = 0

    let bytesLeft () =
        match request with
        | null -> 0
        | prepared -> prepared.Bytes.Length - written

    /// It is reused, and the server has sent nothing since the request began.
    let isUnanswered () = isReused && bytesIn = 0L

    /// It was open when the request began, and no byte of the request was sent.
    let isUntouched (open': NonBlockingSocket) =
        wasReady && bytesIn = 0L && written = 0 && not open'.TookPart

    let isUp () =
        match socket with
        | null -> false
        | socket -> socket.State = SocketState.Open

    let drop () =
        match socket with
        | null -> ()
        | open' ->
            socket <- null
            isUsed <- false
            idleBytes <- 0
            open'.Close()

        // Events of the old socket may still come: they have the old generation.
        generation <- generation + 1

    /// The request is over: true, which callers pass on.
    let over (ending: RequestResult) (sentence: string | null) =
        request <- null
        result <- ending
        complaint <- sentence
        true

    /// The connection is broken; true: that was the end of a request.
    let broken (ending: RequestResult) (sentence: string | null) =
        drop ()

        if isNull request then
            complaint <- sentence
            false
        else
            over ending sentence

    let connect () : bool =
        let fresh = NonBlockingSocket(destination, context, Token.make id generation)

        socket <- fresh
        not (fresh.Connect()) && broken fresh.Failure.Result fresh.Failure.Sentence

    /// Sends the request once more, over a new connection.
    let sendAgain (prepared: PreparedRequest) : bool =
        drop ()
        isReused <- false
        wasReady <- false
        wasRetried <- true
        writtenBefore <- written
        written <- 0
        bytesInBefore <- bytesIn
        bytesIn <- 0L
        reader.Start prepared.IsHead
        connect ()

    /// The response is whole.
    let answered () : bool =
        match request with
        | null -> over RequestResult.Right null
        // RFC 9110, 15.5.9: the server had given up the idle connection before the request came.
        | prepared when
            isReused
            && reader.Status = 408
            && not context.Expects408
            && reader.Closes
            && prepared.IsIdempotent
            ->
            sendAgain prepared
        | _ -> over RequestResult.Right null

    let judge (open': NonBlockingSocket) =
        // After a 101 another protocol begins.
        if reader.Extra > 0 && reader.Status <> 101 then
            broken
                RequestResult.Garbage
                $"{ResponseWords.bytes (int64 reader.Extra)} came after the end of the response"
        else
            let isEarly = open'.IsFull || bytesLeft () > 0

            let closes =
                match request with
                | null -> true
                | prepared -> prepared.Closes

            isUsed <- true

            if reader.Closes || isEarly || closes then
                drop ()

            answered ()

    /// Bytes came without a request. RFC 9110, 15.5.9: a server may end an idle connection by a 408.
    let tookIdle (count: int) : bool =
        idleBytes <- idleBytes + count
        let bytes = ReadOnlySpan(reader.Buffer, 0, idleBytes)
        let length = min idleBytes timeoutHead.Length
        let begins = bytes.Slice(0, length)

        if
            not (
                begins.SequenceEqual(ReadOnlySpan(timeoutHead, 0, length))
                || begins.SequenceEqual(ReadOnlySpan(oldTimeoutHead, 0, length))
            )
        then
            context.Violations.Note $"it sent '{ResponseWords.beginning bytes}' although no request was out"
            broken RequestResult.Garbage null
        elif idleBytes < timeoutHead.Length then
            false
        else
            // The connection is of no further use.
            broken RequestResult.Garbage null

    let took (open': NonBlockingSocket) (count: int) : bool =
        bytesIn <- bytesIn + int64 count

        if isNull request then
            tookIdle count
        else
            match reader.Take count with
            | ResponseProgress.Complete -> judge open'
            | ResponseProgress.NotHttp -> broken RequestResult.Garbage reader.Trouble
            | ResponseProgress.HeadTooLong -> broken RequestResult.HeadTooLong reader.Trouble
            | _ -> false

    /// The peer is gone. If it had sent no byte of the response over a reused connection, it had closed the connection before the
    /// request came: the request is sent once more, over a new connection, if it may be sent twice. So is a request of which no byte
    /// was sent over a connection that was open before.
    let gone (open': NonBlockingSocket) (ending: RequestResult) (sentence: string) : bool =
        match request with
        | null -> broken ending sentence
        | prepared when isUntouched open' || isUnanswered () && prepared.IsIdempotent -> sendAgain prepared
        | prepared when isUnanswered () ->
            broken
                RequestResult.StaleConnection
                $"the connection had been used before and was closed before a byte of the response; {prepared.Request.Method} may not be sent twice"
        | _ -> broken ending sentence

    let brokenSocket (open': NonBlockingSocket) : bool =
        let failure = open'.Failure

        let sentence =
            if not (isNull request) && reader.EndsWithConnection then
                $"{failure.Sentence}, after the head of a response with the status {reader.Status} and without a length: it may be cut off"
            else
                failure.Sentence

        (if failure.IsGone then gone open' else broken) failure.Result sentence

    let ended (open': NonBlockingSocket) : bool =
        if not (isNull request) && reader.End() = ResponseProgress.Complete then
            // RFC 9112, 9.8.
            if open'.IsCutOff then
                broken
                    RequestResult.Closed
                    "the connection was closed without the end of TLS (close_notify), and nothing else ends this response: it may be cut off"
            else
                drop ()
                answered ()
        else
            gone open' RequestResult.Closed "the connection was closed before the whole response was there"

    /// Where the next bytes go in the buffer.
    let place () =
        if isNull request then idleBytes else reader.Filled

    /// Reads until the request is over, or with TLS until there is nothing more: the end of the connection may have come with the
    /// response.
    let rec receive (open': NonBlockingSocket) : bool =
        match open'.Receive(reader.Buffer, place ()) with
        | ReadResult.Bytes count ->
            let isOver = took open' count

            if not open'.HoldsBack || open'.State <> SocketState.Open then
                isOver
            elif isOver then
                // Without a request it returns false.
                receive open' |> ignore
                true
            else
                receive open'
        | ReadResult.NothingYet -> false
        | ReadResult.EndOfStream -> ended open'
        | ReadResult.Failed -> brokenSocket open'

    /// Sending failed: reads the bytes that the server sent before.
    let rec readLast (open': NonBlockingSocket) : bool =
        match open'.ReceiveLast(reader.Buffer, place ()) with
        // A request that is sent again goes over another socket.
        | ReadResult.Bytes count -> took open' count || open'.State = SocketState.Open && readLast open'
        | _ -> brokenSocket open'

    /// Sends the bytes that the socket has not taken yet.
    let send (open': NonBlockingSocket) : bool =
        let left =
            match request with
            | null -> ReadOnlyMemory.Empty
            | prepared -> ReadOnlyMemory(prepared.Bytes, written, bytesLeft ())

        match open'.Send left with
        // Bytes that came before the request was sent are no response to it.
        | -1 when isUntouched open' -> brokenSocket open'
        | -1 -> readLast open'
        | count ->
            written <- written + count
            false

    let begin' (prepared: PreparedRequest) : bool =
        request <- prepared
        written <- 0
        bytesIn <- 0L
        result <- RequestResult.Right
        complaint <- null
        wasRetried <- false
        writtenBefore <- 0
        bytesInBefore <- 0L
        reader.Start prepared.IsHead

        // The server has begun to end it.
        if idleBytes > 0 then
            drop ()

        isReused <- isUsed
        wasReady <- isUp ()

        match socket with
        | null -> connect ()
        | open' when open'.State = SocketState.Open -> send open'
        | _ -> false

    let read (open': NonBlockingSocket) : bool =
        open'.Pump()
        receive open'

    let handle (token': int64) (readable: bool) (writable: bool) : bool =
        match socket with
        | null -> false
        | _ when not (Token.isOf generation token') -> false
        | open' when open'.State = SocketState.Open ->
            readable && read open'
            // Reading may have closed it.
            || writable && open'.IsFull && open'.State = SocketState.Open && send open'
        | open' ->
            if not (open'.GoOn(readable, writable)) then
                brokenSocket open'
            else
                wasOpen <- wasOpen || open'.State = SocketState.Open

                open'.State = SocketState.Open
                && (send open'
                    // The server's first bytes may have come with the end of the TLS handshake.
                    || open'.HoldsBack && open'.State = SocketState.Open && receive open')

    override _.Begin prepared = begin' prepared
    override _.GiveUp(ending, sentence) = broken ending sentence |> ignore
    override _.IsFree = isNull request
    override _.IsUnsent = not (isNull request) && not (isUp ())
    override _.Withdraw() = request <- null

    override _.Obstacle =
        match socket with
        | null -> SocketState.obstacle SocketState.Closed
        | open' -> SocketState.obstacle open'.State

    override _.BytesLeft = bytesLeft ()

    override _.AwaitsFirstByte = not (isNull request) && not isUsed && bytesIn = 0L

    override _.Result = result
    override _.Complaint = complaint
    override _.Status = reader.Status
    override _.Date = reader.Date
    override _.IsInterim = reader.IsInterim
    override _.EndsWithConnection = reader.EndsWithConnection
    override _.IsExpected = reader.IsExpected
    override _.BodyLength = reader.BodyLength
    override _.Location = reader.Location
    override _.Retries = if wasRetried then 1 else 0
    override _.BytesOut = writtenBefore + written
    override _.BytesIn = bytesInBefore + bytesIn
    override _.BytesInSinceSent = bytesIn

    interface IConnection with
        member this.Slots = [| this |]
        member _.MaxRequests = 1

        member _.Open() =
            if isNull socket then
                connect () |> ignore

        member _.IsOpen = isUp ()
        member _.WasOpen = wasOpen
        member _.IsOpening = not (isNull socket) && not (isUp ())
        member _.HasAnswered = isUsed

        member _.Close() =
            if isNull request then
                drop ()

        member _.Complaint = complaint

        member this.Handle(token', readable, writable, over) =
            if handle token' readable writable then
                over.Add this

        // A request is sent as it begins.
        member _.Flush _ = ()
        member _.Dispose() = drop ()
