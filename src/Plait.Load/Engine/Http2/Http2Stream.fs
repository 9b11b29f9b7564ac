// One lane of a connection of HTTP/2: the request that it carries, over one stream after the other, and what has come of the
// response. For the one thread of the engine.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Text

/// Where a lane's request is.
type internal StreamStage =
    | Free = 0
    /// It has no stream yet.
    | Waiting = 1
    | Open = 2

/// A lane. `expected`: the body that is right; null: any.
[<AbstractClass>]
type internal Http2Stream(place: int, expected: byte[] | null) =
    inherit Lane(place)
    let mutable request: Prepared | null = null
    let mutable fate = Fate.Right
    let mutable complaint: string | null = null
    let mutable status = 0
    let mutable bodyLength = 0L
    let mutable announced = -1L
    let mutable matches = true
    let mutable location: string | null = null

    let statusOf (text: ReadOnlySpan<byte>) : int =
        let mutable value = 0
        let mutable used = 0

        if text.Length = 3 && Utf8Parser.TryParse(text, &value, &used) && used = 3 && value >= 100 then
            value
        else
            0

    let lengthOf (text: ReadOnlySpan<byte>) : int64 =
        let mutable value = 0L
        let mutable used = 0

        if Utf8Parser.TryParse(text, &value, &used) && used = text.Length && value >= 0L then
            value
        else
            -2L

    member val Stage = StreamStage.Free with get, set
    /// The token of the session that has it.
    member val Session = 0L with get, set
    /// The number of its stream, where it has one.
    member val Id = 0 with get, set
    /// What of the body may be sent before the other side takes it.
    member val Window = 0L with get, set
    /// Bytes of the body that were sent.
    member val BodySent = 0 with get, set
    /// Bytes of response bodies that were taken and that the other side was not told of.
    member val Untold = 0 with get, set
    /// Bytes that its connection had brought when the request was sent; -1: the connection was opened for it.
    member val HeardBefore = -1L with get, set
    /// The request.
    member _.Request = request
    member val Out = 0 with get, set
    member val In = 0L with get, set
    member val IsRetried = false with get, set

    /// Takes up a request.
    member this.Start(asked: Prepared) : unit =
        request <- asked
        this.IsRetried <- false
        this.StartOver()

    /// Forgets what was sent and what has come.
    member this.StartOver() : unit =
        this.Stage <- StreamStage.Waiting
        this.Id <- 0
        this.BodySent <- 0
        this.Untold <- 0
        this.HeardBefore <- -1L
        this.Out <- 0
        this.In <- 0L
        fate <- Fate.Right
        complaint <- null
        status <- 0
        bodyLength <- 0L
        announced <- -1L
        matches <- true
        location <- null

    /// The request is over.
    member this.End(ending: Fate, sentence: string | null) : unit =
        this.Stage <- StreamStage.Free
        request <- null
        fate <- ending
        complaint <- sentence

    /// The whole body was sent.
    member this.IsSent =
        match request with
        | null -> true
        | asked -> this.BodySent = asked.Body.Length

    /// The head of the response was there.
    member _.HasHead = status > 0

    /// Reads the fields of a head. Returns what is wrong with them, or null.
    member _.TakeHead(fields: FieldReader) : string | null =
        let mutable found = 0
        let mutable where: string | null = null

        while fields.Next() do
            let name = fields.Name

            // By their length first: most fields are none of these.
            match name.Length with
            | 7 when name.SequenceEqual(ReadOnlySpan ":status"B) -> found <- statusOf fields.Value
            | 8 when name.SequenceEqual(ReadOnlySpan "location"B) ->
                where <- Encoding.UTF8.GetString fields.Value
            | 14 when name.SequenceEqual(ReadOnlySpan "content-length"B) -> announced <- lengthOf fields.Value
            | _ -> ()

        if not (isNull fields.Trouble) then
            fields.Trouble
        elif found = 0 then
            "the head of the response has no status of three digits"
        elif found = 101 then
            "the status of the response is 101, which HTTP/2 does not have"
        elif announced = -2L then
            "content-length is not a number"
        else
            // Behind an interim response comes the response itself.
            if found >= 200 then
                status <- found
                location <- where

            null

    /// Takes a part of the body. Returns what is wrong, or null.
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
        | asked when asked.IsHead && bytes.Length > 0 -> "the response to HEAD has a body"
        | _ -> null

    /// The response is over. Returns what is wrong with it, or null.
    member this.TakeEnd() : string | null =
        let hasBody =
            match request with
            | null -> false
            | asked -> not asked.IsHead && status <> 304

        if status = 0 then
            "the response ended before its head"
        elif hasBody && announced >= 0L && announced <> bodyLength then
            $"the body ended with {bodyLength} bytes although content-length says {announced}"
        else
            null

    override this.IsFree = this.Stage = StreamStage.Free
    override _.Fate = fate
    override _.Complaint = complaint
    override _.Status = status

    override _.IsExpected =
        match expected with
        | null -> true
        | expected -> matches && bodyLength = int64 expected.Length

    override _.BodyLength = bodyLength
    override _.Location = location
    override this.WasRetried = this.IsRetried
    override this.BytesOut = this.Out
    override this.BytesIn = this.In
