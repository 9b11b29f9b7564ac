// One slot of a connection of HTTP/2: the request that it carries, over one stream after the other, and the response
// so far. For the one thread of the engine.
namespace Plait.Load

open System
open System.Buffers
open System.Buffers.Text
open System.Text

open Plait.Http2

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

    static let aboutConnection =
        "a field of the response is about one connection, which fields of HTTP/2 never are"

    // What no name may have besides the colon in front of :status (RFC 9113, 8.2.1).
    static let forbidden =
        SearchValues.Create(
            ReadOnlySpan
                [|
                    yield! [| 0uy .. 0x20uy |]
                    ':'B
                    yield! [| 'A'B .. 'Z'B |]
                    yield! [| 0x7Fuy .. 0xFFuy |]
                |]
        )

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

    // The last Date in its coded form. A new Date, once a second, is decoded.
    let codedDate = Array.zeroCreate<byte> 32
    let mutable codedLength = 0
    let mutable decoded = 0L

    let dateOf (fields: FieldReader) : int64 =
        let coded = fields.CodedValue

        if codedLength = 0 || not (coded.SequenceEqual(ReadOnlySpan(codedDate, 0, codedLength))) then
            decoded <- ResponseHead.secondsOf fields.Value
            codedLength <- if decoded > 0L && coded.Length <= codedDate.Length then coded.Length else 0
            coded.Slice(0, codedLength).CopyTo(Span codedDate)

        decoded

    let statusOf (text: ReadOnlySpan<byte>) : int =
        let mutable value = 0
        let mutable used = 0

        if text.Length = 3 && Utf8Parser.TryParse(text, &value, &used) && used = 3 && value >= 100 then
            value
        else
            0

    /// The error in the name of a field that is not the :status in front (RFC 9113, 8.2 and 8.3), or null.
    let wrongName (name: ReadOnlySpan<byte>) : string | null =
        match name.Length with
        | 0 -> "a field of the response has no name"
        | _ when name[0] = ':'B ->
            "a field of the response begins with a colon, and is not the one :status in front of the others"
        | _ when name.IndexOfAny forbidden >= 0 ->
            if name.IndexOfAnyInRange('A'B, 'Z'B) >= 0 then
                "a field of the response has capitals in its name"
            else
                $"a field of the response has a byte in its name that no name may have: '{ResponseWords.beginning name}'"
        | 7 when name.SequenceEqual(ReadOnlySpan "upgrade"B) -> aboutConnection
        | 10 when
            name.SequenceEqual(ReadOnlySpan "connection"B)
            || name.SequenceEqual(ReadOnlySpan "keep-alive"B)
            ->
            aboutConnection
        | 16 when name.SequenceEqual(ReadOnlySpan "proxy-connection"B) -> aboutConnection
        | 17 when name.SequenceEqual(ReadOnlySpan "transfer-encoding"B) -> aboutConnection
        | _ -> null

    let isBlank (letter: byte) = letter = ' 'B || letter = '\t'B

    /// The error in the value of a field (RFC 9113, 8.2.1), or null. A value in the Huffman code is not decoded for it.
    let wrongValue (fields: FieldReader) : string | null =
        if not fields.IsValuePlain then
            null
        else
            let value = fields.Value

            if value.IndexOfAny(0uy, '\r'B, '\n'B) >= 0 then
                "the value of a field of the response has a NUL or a line end in it"
            elif value.Length > 0 && (isBlank value[0] || isBlank value[value.Length - 1]) then
                "the value of a field of the response begins or ends with a blank"
            else
                null

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
    /// The bytes that had come over its socket when the request was sent; -1: no response had come.
    member val ReceivedBefore = -1L with get, set
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
        this.ReceivedBefore <- -1L
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

    /// Reads the fields of a head. Returns the error in them, or null.
    member _.TakeHead(fields: FieldReader) : string | null =
        let mutable found = 0
        let mutable where: string | null = null
        let mutable length = ResponseHead.noLength
        let mutable wrong: string | null = null
        let mutable isFirst = true
        let mutable seconds = 0L

        while fields.Next() do
            let name = fields.Name

            // By their length first: most fields are none of these.
            match name.Length with
            | 7 when isFirst && name.SequenceEqual(ReadOnlySpan ":status"B) -> found <- statusOf fields.Value
            | _ when isNull wrong && not (isNull (wrongName name)) -> wrong <- wrongName name
            | 4 when name.SequenceEqual(ReadOnlySpan "date"B) -> seconds <- dateOf fields
            | 8 when name.SequenceEqual(ReadOnlySpan "location"B) ->
                where <- Encoding.UTF8.GetString fields.Value
            | 14 when name.SequenceEqual(ReadOnlySpan "content-length"B) ->
                length <- ResponseHead.lengthWith length fields.Value
            | _ -> ()

            if isNull wrong then
                wrong <- wrongValue fields

            isFirst <- false

        if not (isNull fields.Trouble) then
            fields.Trouble
        elif not (isNull wrong) then
            wrong
        elif found = 0 then
            "the head of the response has no status of three digits"
        elif found = 101 then
            "the status of the response is 101, which HTTP/2 does not have"
        elif length = ResponseHead.badLength then
            "content-length is not a number, or there are two that differ"
        else
            // Behind an interim response comes the response itself.
            if found >= 200 then
                status <- found
                location <- where
                contentLength <- length
                date <- seconds
            else
                isInterim <- true

            null

    /// Reads the fields behind the body. Returns the error in them, or null.
    member _.TakeTrailers(fields: FieldReader) : string | null =
        let mutable wrong: string | null = null

        while fields.Next() do
            if isNull wrong then
                wrong <- wrongName fields.Name

            if isNull wrong then
                wrong <- wrongValue fields

        if isNull fields.Trouble then wrong else fields.Trouble

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

    override _.IsExpected =
        match expected with
        | null -> true
        | expected -> matches && bodyLength = int64 expected.Length

    override _.BodyLength = bodyLength
    override _.Location = location
    override this.Retries = this.RetryCount
    override this.BytesOut = this.Out
    override this.BytesIn = this.In
