// A connection of HTTP/2: its slots, and its sockets one after the other. When a socket opens no more streams, a new one replaces it.
// For the one thread of the engine.
namespace Plait.Load

open System
open System.Collections.Generic

/// One connection. `id`: the number in the tokens of its events; `destinationIndex`: the index of its destination in the pool;
/// `streams`: the number of its slots; `allowsMore`: called when more slots may carry requests; `unflushed`: the list to which it adds
/// itself when it has something to send; `lastStream`: the number of the last stream that a socket may have.
type internal Http2Connection
    (
        id: int,
        destinationIndex: int,
        destination: Destination,
        context: ConnectionContext,
        streams: int,
        limit: StreamLimit,
        allowsMore: unit -> unit,
        unflushed: List<IConnection>,
        lastStream: int
    ) as this =
    // The socket for new streams; and all sockets whose streams are not over.
    let mutable current: Http2Socket | null = null
    let sockets = List<Http2Socket>()
    let mutable generation = 0
    let mutable most = min streams limit.MaxStreams
    let mutable complaint: string | null = null
    let mutable wasOpen = false
    let mutable isUnflushed = false
    // Slots whose requests are over, until they are added to `over`.
    let finished = List<Http2Stream>()

    let open' () : Http2Socket =
        generation <- generation + 1

        let socket =
            Http2Socket(destination, context, Token.make id generation, limit, lastStream, this)

        current <- socket
        sockets.Add socket
        socket

    let carry (stream: Http2Stream) (prepared: PreparedRequest) =
        match current with
        | null ->
            let socket = open' ()
            socket.Take(stream, prepared)
            socket.Connect()
        | socket -> socket.Take(stream, prepared)

    let begin' (stream: Http2Stream) (prepared: PreparedRequest) : bool =
        stream.Start prepared
        carry stream prepared
        // A request that is over at once is not added to `over`.
        stream.IsFree && finished.Remove stream

    /// The socket whose events bear this token; null: it is closed.
    let socketOf (token: int64) : Http2Socket | null =
        let mutable found: Http2Socket | null = null

        for socket in sockets do
            if socket.Token = token then
                found <- socket

        found

    let giveUp (stream: Http2Stream) (result: RequestResult) (sentence: string) =
        match socketOf stream.Socket with
        | null -> stream.End(result, sentence)
        | socket -> socket.GiveUp(stream, result, sentence)

    let withdraw (stream: Http2Stream) =
        match socketOf stream.Socket with
        | null -> ()
        | socket -> socket.Withdraw stream

        stream.End(RequestResult.Right, null)

    let isOpening (stream: Http2Stream) =
        match socketOf stream.Socket with
        | null -> false
        | socket -> socket.IsOpening

    let obstacle (stream: Http2Stream) : string | null =
        match socketOf stream.Socket with
        | null -> SocketState.obstacle SocketState.Closed
        | socket -> socket.Obstacle

    let slots: RequestSlot[] =
        Array.init streams (fun _ ->
            { new Http2Stream(destinationIndex, id, context.ExpectedBody) with
                override slot.Begin prepared = begin' slot prepared
                override slot.GiveUp(result, sentence) = giveUp slot result sentence
                override slot.Withdraw() = withdraw slot
                // A request is sent after the settings of the server have come.
                override slot.AwaitsFirstByte = slot.IsUnsent && isOpening slot
                override slot.Obstacle = if slot.IsUnsent then obstacle slot else null
            })

    let allow (allowed: int) =
        limit.MaxStreams <- allowed
        let before = most
        most <- min streams allowed

        if most > before then
            allowsMore ()

    let handUp (over: List<RequestSlot>) =
        for stream in finished do
            over.Add stream

        finished.Clear()

    interface ISocketOwner with
        member _.Completed stream = finished.Add stream

        member _.Retry stream =
            match stream.Request with
            | null -> ()
            | prepared ->
                stream.StartOver()
                carry stream prepared

        member _.Unflushed() =
            if not isUnflushed then
                isUnflushed <- true
                unflushed.Add this

        member _.MaxStreamsChanged allowed = allow allowed

        member _.Retired token =
            match current with
            | null -> ()
            | socket ->
                if socket.Token = token then
                    current <- null

        member _.Ended(token, sentence) =
            sockets.RemoveAll(fun socket -> socket.Token = token) |> ignore
            complaint <- sentence

            // A new socket may allow some; without this no request would open one.
            if sockets.Count = 0 && limit.MaxStreams = 0 then
                allow Int32.MaxValue

    interface IConnection with
        member _.Slots = slots
        member _.MaxRequests = most

        member _.Open() =
            if isNull current then
                open'().Connect()

        member _.IsOpen =
            match current with
            | null -> false
            | socket -> socket.IsReady

        member _.WasOpen = wasOpen

        member _.IsOpening =
            match current with
            | null -> false
            | socket -> socket.IsOpening

        member _.HasAnswered =
            match current with
            | null -> false
            | socket -> socket.IsUsed

        member _.Close() =
            match current with
            | null -> ()
            | socket -> socket.Leave()

        member _.Complaint = complaint

        member _.Handle(token, readable, writable, over) =
            match socketOf token with
            | null -> ()
            | socket ->
                socket.Handle(readable, writable)
                wasOpen <- wasOpen || socket.IsReady

            handUp over

        member _.Flush over =
            isUnflushed <- false

            // Backwards, because a socket that ends is removed.
            for index in sockets.Count - 1 .. -1 .. 0 do
                sockets[index].Flush()

            handUp over

        member _.Dispose() =
            for socket in sockets do
                socket.Dispose()
