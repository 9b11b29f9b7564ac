// One slot of a connection of HTTP/2: the request that it carries, over one stream after the other, and the response
// so far. For the one thread of the engine.
namespace Plait.Load

open System

/// Where a slot's request is.
type internal StreamState =
    | Free = 0
    /// It has no stream yet.
    | Waiting = 1
    | Open = 2

/// A slot. `expected`: the body that is right; null: any.
[<AbstractClass>]
type internal Http2Stream(destination: int, connection: int, expected: byte[] | null) =
    inherit RequestSlot(destination, connection)

    let mutable request: PreparedRequest | null = null
    let mutable result = RequestResult.Right
    let mutable complaint: string | null = null
    let mutable status = 0
    let mutable bodyLength = 0L
    let mutable contentLength = ResponseHead.noLength
    let mutable matches = true
    let mutable location: string | null = null
    let mutable date = 0L
    let mutable isInterim = false

    member val State = StreamState.Free with get, set
    /// The token of its socket.
    member val Socket = 0L with get, set
    /// The number of its stream, where it has one.
    member val Id = 0 with get, set
    /// The bytes of the body that may be sent before the server allows more.
    member val Window = 0L with get, set
    /// Bytes of the body that were sent.
    member val BodySent = 0 with get, set
    /// Bytes of response bodies that no window update has acknowledged.
    member val Unacknowledged = 0 with get, set
    /// A response had come over its socket when the request was sent.
    member val IsReused = false with get, set
    /// The request.
    member _.Request = request
    /// Bytes of it that were sent over all sockets; and over earlier sockets than the present one.
    member val Out = 0 with get, set
    member val EarlierConnectionsOut = 0 with get, set
    /// Where it begins in the output of its socket.
    member val From = 0L with get, set
    member val In = 0L with get, set
    /// The number of times that it was sent again.
    member val RetryCount = 0 with get, set
    /// The number of retries because a server refused it, or processed no request of a connection.
    member val Refusals = 0 with get, set
    /// The token of the socket that refused it last.
    member val RefusedBy = 0L with get, set
    /// It was sent again because its connection was found closed.
    member val WasStale = false with get, set

    /// Takes up a request.
    member this.Start(prepared: PreparedRequest) : unit =
        request <- prepared
        this.RetryCount <- 0
        this.Refusals <- 0
        this.RefusedBy <- 0L
        this.WasStale <- false
        this.Out <- 0
        this.StartOver()

    /// Begins the request anew. The bytes that went out before still count.
    member this.StartOver() : unit =
        this.State <- StreamState.Waiting
        this.Id <- 0
        this.BodySent <- 0
        this.Unacknowledged <- 0
        this.IsReused <- false
        this.EndedByServerAt <- Int64.MaxValue
        this.In <- 0L
        result <- RequestResult.Right
        complaint <- null
        status <- 0
        bodyLength <- 0L
        contentLength <- ResponseHead.noLength
        matches <- true
        location <- null
        date <- 0L
        isInterim <- false

    /// The request is over.
    member this.End(ending: RequestResult, sentence: string | null) : unit =
        this.State <- StreamState.Free
        request <- null
        result <- ending
        complaint <- sentence

    /// The whole body was sent.
    member this.IsSent =
        match request with
        | null -> true
        | prepared -> this.BodySent = prepared.Body.Length

    /// The head of the response has come.
    member _.HasHead = status > 0

    /// Takes the fields of a head. Returns the error in them, or null.
    member _.TakeHead(head: inref<Http2Head>) : string | null =
        if isNull head.Wrong then
            // Behind an interim response comes the response itself.
            if head.Status >= 200 then
                status <- head.Status
                location <- head.Location
                contentLength <- head.ContentLength
                date <- head.Date
            else
                isInterim <- true

        head.Wrong

    /// Takes a part of the body. Returns the error, or null.
    member this.TakeBody(bytes: ReadOnlySpan<byte>) : string | null =
        match expected with
        | null -> ()
        | expected ->
            matches <-
                matches
                && bodyLength + int64 bytes.Length <= int64 expected.Length
                && bytes.SequenceEqual(ReadOnlySpan(expected, int bodyLength, bytes.Length))

        bodyLength <- bodyLength + int64 bytes.Length

        match request with
        | null -> null
        | prepared when prepared.IsHead && bytes.Length > 0 -> "the response to HEAD has a body"
        | _ when bytes.Length > 0 && (status = 204 || status = 304) ->
            $"a response of status {status} has a body"
        | _ -> null

    /// The response is over. Returns the error in it, or null.
    member this.TakeEnd() : string | null =
        let hasBody =
            match request with
            | null -> false
            | prepared -> not prepared.IsHead && status <> 304

        if status = 0 then
            "the response ended before its head"
        elif hasBody && contentLength >= 0L && contentLength <> bodyLength then
            $"the body ended with {bodyLength} bytes although content-length says {contentLength}"
        else
            null

    override this.IsFree = this.State = StreamState.Free
    override this.IsUnsent = this.State = StreamState.Waiting

    override this.BytesLeft =
        match request with
        | null -> 0
        | prepared -> prepared.Body.Length - this.BodySent

    override _.Result = result
    override _.Complaint = complaint
    override _.Status = status
    override _.Date = date
    override _.IsInterim = isInterim && status = 0

    override _.EndsWithConnection = false

    override _.IsExpected =
        match expected with
        | null -> true
        | expected -> matches && bodyLength = int64 expected.Length

    override _.BodyLength = bodyLength
    override _.Location = location
    override this.Retries = this.RetryCount
    override this.BytesOut = this.Out
    override this.BytesIn = this.In
    override this.BytesInSinceSent = this.In
