// A socket that never waits, with TLS or without: opened step by step as its events come, then bytes in and out. Knows nothing
// of what they mean. For the one thread of the engine.
namespace Plait.Load

open System
open System.Net.Sockets

/// What broke a socket, or kept it from being opened.
[<Struct; NoEquality; NoComparison>]
type internal Breakage =
    {
        Fate: Fate
        Sentence: string
        /// The other side is gone, or has closed it.
        IsGone: bool
    }

/// How far a socket is.
type internal WireStage =
    | Connecting = 0
    /// TLS is being agreed on.
    | Handshaking = 1
    | Up = 2
    | Down = 3

/// One socket. `token`: what its events bear.
[<Sealed>]
type internal Wire(destination: Destination, tls: TlsClient, poller: Poller, token: int64) =
    let mutable socket: Socket | null = null
    let mutable link: TlsLink | null = null
    let mutable stage = WireStage.Connecting
    let mutable isWriting = false
    let mutable breakage = { Fate = Fate.Right; Sentence = ""; IsGone = false }

    let watch (open': Socket) write =
        if write <> isWriting then
            isWriting <- write
            poller.Change(open', token, write)

    let break' (isGone: bool) (fate: Fate) (sentence: string) =
        breakage <- { Fate = fate; Sentence = sentence; IsGone = isGone }

    let breakBy (error: SocketError) (doing: string) =
        let sentence =
            $"{destination.EndPoint}: {SocketException(int error).Message} while {doing}"

        match stage, error with
        | WireStage.Connecting, _ -> break' false (ConnectionSocket.fateOf destination error) sentence
        | WireStage.Handshaking, _ -> break' false Fate.Tls sentence
        | _, SocketError.TimedOut -> break' false Fate.TimedOut sentence
        | _ -> break' true Fate.Reset sentence

    let agree (open': Socket) (secure: TlsLink) : bool =
        match secure.Agreed with
        | None ->
            watch open' secure.HasOutgoing
            true
        | Some(Error sentence) ->
            break' false Fate.Tls sentence
            false
        | Some(Ok()) ->
            stage <- WireStage.Up
            watch open' secure.HasOutgoing
            true

    let connected (open': Socket) : bool =
        let error = ConnectionSocket.errorOf open'

        if error <> SocketError.Success then
            breakBy error "connecting"
            false
        else
            watch open' false

            if destination.IsTls then
                let secure = new TlsLink(open', destination.Host, tls)
                link <- secure
                stage <- WireStage.Handshaking
                secure.Start()
                agree open' secure
            else
                stage <- WireStage.Up
                true

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

        // What the socket does not take of this is kept by the link.
        let count = if secure.HasOutgoing then 0 else bytes.Length
        let trouble = if count > 0 then secure.Write bytes else null

        if secure.Error <> SocketError.Success then
            breakBy secure.Error "sending the request"
            -1
        elif not (isNull trouble) then
            break' true Fate.Reset (nonNull trouble)
            -1
        else
            watch open' secure.HasOutgoing
            count

    member _.Stage = stage

    /// What was wrong, where something was.
    member _.Breakage = breakage

    /// Begins to open it; false: it cannot be.
    member _.Connect() : bool =
        match ConnectionSocket.make destination with
        | Error error ->
            breakBy error "connecting"
            false
        | Ok fresh ->
            socket <- fresh
            isWriting <- true

            match ConnectionSocket.connect fresh destination with
            | SocketError.Success
            | SocketError.WouldBlock
            | SocketError.InProgress ->
                poller.Add(fresh, token, true)
                true
            | error ->
                socket <- null
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
                secure.Pump() |> ignore

            if writable then
                secure.Push()

            if agree open' secure then
                // The end of it tells on itself while it agrees, and nobody else waits.
                if stage = WireStage.Handshaking && secure.HasEnded then
                    break' false Fate.Tls "the connection was closed while TLS was being agreed on"
                    false
                else
                    true
            else
                false

    /// Brings in what the socket has, for Receive.
    member _.Pump() : unit =
        match link with
        | null -> ()
        | secure -> secure.Pump() |> ignore

    /// Bytes that have come. Until it is told something, it must be called with the same place.
    member _.Receive(into: Memory<byte>) : Decrypted =
        match socket, link with
        | null, _ -> Decrypted.Later
        | open', null ->
            let mutable error = SocketError.Success
            let count = open'.Receive(into.Span, SocketFlags.None, &error)

            if error = SocketError.WouldBlock then
                Decrypted.Later
            elif error <> SocketError.Success then
                breakBy error "reading the response"
                Decrypted.Broken breakage.Sentence
            elif count = 0 then
                Decrypted.Over
            else
                Decrypted.Bytes count
        | _, secure ->
            match secure.Read into with
            | Decrypted.Broken sentence as said ->
                if secure.Error <> SocketError.Success then
                    breakBy secure.Error "reading the response"
                else
                    break' false Fate.Garbage sentence

                said
            | said -> said

    /// There may be more than Receive has told of, although the socket has none.
    member _.HoldsBack = not (isNull link)

    /// Sends bytes. Returns how many were taken; -1: it is broken. Where not all are, an event will tell when to go on.
    member _.Send(bytes: ReadOnlyMemory<byte>) : int =
        match socket, link with
        | null, _ -> 0
        | open', null -> sendPlainly open' bytes
        | open', secure -> sendSecurely open' secure bytes

    /// The socket takes no more for now.
    member _.IsFull = isWriting

    member _.Close() : unit =
        match socket with
        | null -> ()
        | open' ->
            poller.Remove open'
            socket <- null

            match link with
            | null -> ()
            | secure ->
                link <- null
                secure.Dispose()

            open'.Dispose()

        stage <- WireStage.Down
