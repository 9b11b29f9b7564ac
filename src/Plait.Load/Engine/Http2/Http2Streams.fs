// The requests over one socket of HTTP/2: which of them have a stream, which wait for one, and how each ends: with a
// result, or sent again over another socket. For the one thread of the engine.
namespace Plait.Load

open System
open System.Collections.Generic

open Plait.Http2

/// The limits of a destination that a new connection to it assumes before its settings come.
[<Sealed>]
type internal StreamLimit() =
    /// The streams that it allows at a time.
    member val MaxStreams = Int32.MaxValue with get, set
    /// It has answered a request.
    member val HasAnswered = false with get, set

/// The messages of a socket to its connection.
type internal ISocketOwner =
    /// The request of a stream is over.
    abstract Completed: stream: Http2Stream -> unit
    /// A request that the server cannot have processed is to be sent over another socket.
    abstract Retry: stream: Http2Stream -> unit
    /// There is something to flush.
    abstract Unflushed: unit -> unit
    /// The server allows so many streams at a time.
    abstract MaxStreamsChanged: streams: int -> unit
    /// It opens no more streams.
    abstract Retired: token: int64 -> unit
    /// Its socket is closed.
    abstract Ended: token: int64 * sentence: string | null -> unit

/// The requests of the socket `token`. `limit`: the limits of its destination; `lastStream`: the number of its last stream.
[<Sealed>]
type internal Http2Streams
    (token: int64, limit: StreamLimit, lastStream: int, sender: Http2Sender, owner: ISocketOwner) =
    // The most refusals after which a request is sent again: by a server that has answered nothing, and by a server that answers some
    // requests and refuses others at random.
    static let mostRefusals = 3
    static let mostOfSome = 15
    let streams = Dictionary<int, Http2Stream>()
    // Requests without a stream.
    let waiting = List<Http2Stream>()
    let mutable nextStream = 1
    // A response has come over it.
    let mutable isUsed = false
    let mutable isRetired = false
    // The server's GOAWAY, in words.
    let mutable goAway = ""
    // It had an error: the server may have processed requests that it does not answer.
    let mutable isFailing = false
    // The last streams that the server ended, of which no more frames may come.
    let ended = Array.zeroCreate<int> 256
    let mutable nextEnded = 0

    /// The sentence, with the server's GOAWAY if there was one.
    let afterGoAway (sentence: string) =
        if goAway = "" then sentence else $"{sentence}, after {goAway}"

    /// It opens no more streams. Requests that wait for one go to another socket.
    let retire () =
        if not isRetired then
            isRetired <- true
            owner.Retired token

        let others = waiting.ToArray()
        waiting.Clear()

        for stream in others do
            owner.Retry stream

    let over (stream: Http2Stream) (result: RequestResult) (sentence: string | null) =
        stream.End(result, sentence)
        owner.Completed stream

    let retry (stream: Http2Stream) =
        stream.RetryCount <- stream.RetryCount + 1
        owner.Retry stream

    /// The server has not processed a request (RFC 9113, 8.7), which is sent again with any method, up to the most refusals. Its stream
    /// is released before.
    let notTakenUp (stream: Http2Stream) (isRefusal: bool) (result: RequestResult) (sentence: string) =
        if isRefusal then
            stream.Refusals <- stream.Refusals + 1

        if stream.HasHead then
            over stream result $"{sentence}, although its response had begun"
        elif stream.Refusals > (if limit.HasAnswered then mostOfSome else mostRefusals) then
            over stream result $"{sentence}, each of the {stream.Refusals} times that the request was sent"
        else
            retry stream

    let release (stream: Http2Stream) =
        streams.Remove stream.Id |> ignore
        sender.Release stream

    let isExhausted () =
        nextStream < 0 || nextStream > lastStream

    /// The settings of the other side are there.
    member val IsReady = false with get, set
    /// The streams that it allows at a time.
    member val MaxStreams = Int32.MaxValue with get, set
    /// A response has come over it.
    member _.IsUsed = isUsed
    /// The streams that are open.
    member _.Open = streams.Values
    /// Requests wait for a stream.
    member _.HasWaiting = waiting.Count > 0
    /// Nothing is carried.
    member _.IsEmpty = streams.Count = 0 && waiting.Count = 0
    /// It opens no more streams, and its streams are over.
    member _.IsDone = isRetired && streams.Count = 0

    /// A stream of this number was opened at some time.
    member _.WasOpened(id: int) : bool =
        id % 2 = 1 && (id < nextStream || nextStream < 0)

    /// The slot of a stream; null: its request is over, or it was never opened.
    member _.Find(id: int) : Http2Stream | null =
        let mutable stream = Unchecked.defaultof<Http2Stream>
        if streams.TryGetValue(id, &stream) then stream else null

    /// The other side ended this stream, as one of the last.
    member _.HasEnded(id: int) : bool = Array.IndexOf(ended, id) >= 0

    member _.Retire() : unit = retire ()

    member private this.HasRoom =
        this.IsReady && streams.Count < this.MaxStreams && not (isExhausted ())

    member private this.Start(stream: Http2Stream, prepared: PreparedRequest) : unit =
        stream.Id <- nextStream
        nextStream <- nextStream + 2
        stream.State <- StreamState.Open
        stream.IsReused <- isUsed
        streams.Add(stream.Id, stream)
        sender.Start(stream, prepared)

    /// Takes up the request of a slot.
    member this.Take(stream: Http2Stream, prepared: PreparedRequest) : unit =
        stream.Socket <- token

        if this.HasRoom then
            this.Start(stream, prepared)

            if isExhausted () then
                retire ()
        else
            waiting.Add stream

    /// Gives streams to requests that have none.
    member this.StartWaiting() : unit =
        while waiting.Count > 0 && this.HasRoom do
            let stream = waiting[0]
            waiting.RemoveAt 0

            match stream.Request with
            | null -> ()
            | prepared -> this.Start(stream, prepared)

        if isExhausted () then
            retire ()

    /// Takes back a request without a stream: another connection carries it.
    member _.Withdraw(stream: Http2Stream) : unit = waiting.Remove stream |> ignore

    /// The request of an open stream is given up.
    member this.Cancel(stream: Http2Stream, result: RequestResult, sentence: string) : unit =
        sender.Reset(stream, Http2Error.cancel)
        release stream
        stream.End(result, afterGoAway sentence)
        this.StartWaiting()

    /// A request is over, and its stream.
    member this.Finish(stream: Http2Stream, result: RequestResult, sentence: string | null) : unit =
        release stream
        over stream result sentence

        if waiting.Count > 0 then
            this.StartWaiting()

    /// This side breaks a stream off.
    member this.BreakOff(stream: Http2Stream, code: int, result: RequestResult, sentence: string) : unit =
        sender.Reset(stream, code)
        this.Finish(stream, result, sentence)

    /// The response of a stream is malformed.
    member this.Malformed(stream: Http2Stream, sentence: string) : unit =
        this.BreakOff(stream, Http2Error.protocol, RequestResult.Garbage, sentence)

    /// The last frame of a response has come.
    member this.Answered(stream: Http2Stream) : unit =
        isUsed <- true
        limit.HasAnswered <- true

        if stream.IsSent then
            ended[nextEnded] <- stream.Id
            nextEnded <- (nextEnded + 1) % ended.Length
        else
            // The response came before the whole request was sent.
            sender.Reset(stream, Http2Error.cancel)

        let wrong = stream.TakeEnd()
        this.Finish(stream, (if isNull wrong then RequestResult.Right else RequestResult.Garbage), wrong)

    /// The other side refuses a stream.
    member this.Refused(stream: Http2Stream, sentence: string) : unit =
        release stream

        // It would refuse the third time as well.
        if stream.RefusedBy = token then
            retire ()

        stream.RefusedBy <- token
        notTakenUp stream true RequestResult.StreamRefused sentence
        this.StartWaiting()

    /// The server takes no more streams, and has processed none above `last`; `isError`: it ends the connection because of an error;
    /// `words`: its GOAWAY, for sentences.
    member _.GoAway(last: int, isError: bool, words: string) : unit =
        goAway <- words
        isFailing <- isFailing || isError
        retire ()

        let sentence =
            $"the server ended the connection before it took the request up: {words}"

        // In the order in which they were sent.
        let late =
            [
                for stream in streams.Values do
                    if stream.Id > last then
                        stream
            ]
            |> List.sortBy _.Id

        for stream in late do
            release stream
            notTakenUp stream (last = 0) RequestResult.GoAway sentence

    /// The socket is closed: every request over it has this result. Requests of which no byte was sent go elsewhere; so do
    /// requests that may be sent twice, if the server had closed the socket before they came (`isGone`). Returns the sentence for the
    /// other ones.
    member this.Fail(isGone: bool, result: RequestResult, sentence: string) : string =
        let sentence = afterGoAway sentence

        if not this.IsReady then
            for stream in waiting do
                over stream result sentence

            waiting.Clear()

        // Requests without a stream go to another socket.
        retire ()

        for stream in streams.Values do
            match stream.Request with
            | null -> ()
            | _ when sender.IsNeverSent stream ->
                stream.Out <- stream.EarlierConnectionsOut
                notTakenUp stream true result sentence
            // Frames of the connection, or of other streams, are no answer to it.
            | prepared when
                isGone && stream.IsReused && stream.In = 0L && not stream.WasStale && not isFailing
                ->
                if prepared.IsIdempotent then
                    stream.WasStale <- true
                    retry stream
                else
                    over stream RequestResult.StaleConnection sentence
            | _ -> over stream result sentence

        streams.Clear()
        sender.Clear()
        sentence
