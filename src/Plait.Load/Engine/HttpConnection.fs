// One connection of the load engine: it carries one request at a time, never waits, and tells what became of it. It is
// opened when a request needs it. For the one thread of the engine.
//
// It is one type in one file although it is long: every function here is on the path of a request, and all of them read and
// write the same dozen of fields. Parts of it would have to hand these to each other at every step.
namespace Plait.Load

open System
open System.Net.Sockets

open Plait.Report

/// Sockets that never wait.
module internal ConnectionSocket =
    /// A socket for a destination, not connected. Raises RunFailed when this machine gives none.
    let make (destination: Destination) : Socket =
        try
            new Socket(
                destination.EndPoint.AddressFamily,
                SocketType.Stream,
                ProtocolType.Tcp,
                NoDelay = true,
                Blocking = false
            )
        with :? SocketException as trouble ->
            raise (
                RunFailed
                    $"the generator cannot open a connection more: {trouble.Message}; each takes a file of this machine: ask for fewer --connections, or raise the limit (ulimit -n)"
            )

    /// Begins to connect. Success, WouldBlock and InProgress: its poller will tell.
    let connect (socket: Socket) (destination: Destination) : SocketError =
        try
            socket.Connect destination.EndPoint
            SocketError.Success
        with :? SocketException as trouble ->
            trouble.SocketErrorCode

    /// What became of connecting.
    let errorOf (socket: Socket) : SocketError =
        nonNull (socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error))
        |> unbox<int>
        |> enum<SocketError>

type private Stage =
    | Down = 0
    | Connecting = 1
    | Handshaking = 2
    | Up = 3

/// One connection. `token`: what its events bear in their upper half is `id`.
type internal HttpConnection(id: int, destination: Destination, expected: byte[] | null, poller: Poller) =
    let reader = ResponseReader expected
    let mutable socket: Socket | null = null
    let mutable link: TlsLink | null = null
    let mutable stage = Stage.Down
    let mutable generation = 0
    let mutable isWriting = false
    let mutable request: Prepared | null = null
    let mutable written = 0
    let mutable fate = Fate.Right
    let mutable complaint: string | null = null
    let mutable bytesIn = 0L

    let token () =
        (int64 id <<< 32) ||| int64 (uint32 generation)

    let watch (open': Socket) write =
        if write <> isWriting then
            isWriting <- write
            poller.Change(open', token (), write)

    let drop () =
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

        stage <- Stage.Down
        isWriting <- false
        // Events of the old socket that are already on their way are not those of the new one.
        generation <- generation + 1

    /// The request is over: true, for the callers to hand up.
    let over (ending: Fate) (sentence: string | null) =
        request <- null
        fate <- ending
        complaint <- sentence
        true

    /// The connection is broken; true: that was the end of a request.
    let broken (ending: Fate) (sentence: string | null) =
        drop ()

        if isNull request then
            complaint <- sentence
            false
        else
            over ending sentence

    let brokenBy (error: SocketError) (doing: string) =
        let ending =
            match error with
            | _ when stage = Stage.Handshaking -> Fate.Tls
            | SocketError.TimedOut -> Fate.TimedOut
            | _ when stage = Stage.Connecting -> Fate.Refused
            | _ -> Fate.Reset

        broken ending $"{destination.EndPoint}: {SocketException(int error).Message} while {doing}"

    let judge () =
        if reader.Extra > 0 then
            broken Fate.Garbage $"{reader.Extra} bytes came behind the end of the response"
        else
            let isEarly = isWriting

            if reader.Closes || isEarly then
                drop ()

            over Fate.Right null

    let took (count: int) : bool =
        bytesIn <- bytesIn + int64 count

        if isNull request then
            // Nobody asked: the connection is of no further use.
            broken Fate.Garbage null
        else
            match reader.Take count with
            | Reading.Whole -> judge ()
            | Reading.NotHttp -> broken Fate.Garbage reader.Trouble
            | _ -> false

    let ended () : bool =
        if not (isNull request) && reader.End() = Reading.Whole then
            drop ()
            over Fate.Right null
        elif stage = Stage.Handshaking then
            broken Fate.Tls "the connection was closed while TLS was being agreed on"
        else
            broken Fate.Closed "the connection was closed before the whole response was there"

    let receive (open': Socket) : bool =
        let from = reader.Filled
        let mutable error = SocketError.Success

        let count =
            open'.Receive(Span(reader.Buffer, from, reader.Buffer.Length - from), SocketFlags.None, &error)

        if error = SocketError.WouldBlock then false
        elif error <> SocketError.Success then brokenBy error "reading the response"
        elif count = 0 then ended ()
        else took count

    let write (open': Socket) (asked: Prepared) : bool =
        let mutable error = SocketError.Success

        let count =
            open'.Send(
                ReadOnlySpan(asked.Bytes, written, asked.Bytes.Length - written),
                SocketFlags.None,
                &error
            )

        if error = SocketError.Success || error = SocketError.WouldBlock then
            written <- written + count
            watch open' (written < asked.Bytes.Length)
            false
        else
            brokenBy error "sending the request"

    let writeSecurely (open': Socket) (secure: TlsLink) (asked: Prepared) : bool =
        let trouble =
            if written = 0 then
                written <- asked.Bytes.Length
                secure.Write asked.Bytes
            else
                secure.Push()
                null

        if secure.Error <> SocketError.Success then
            brokenBy secure.Error "sending the request"
        elif not (isNull trouble) then
            broken Fate.Reset trouble
        else
            watch open' secure.HasOutgoing
            false

    let send (open': Socket) : bool =
        match request, link with
        | null, _ -> false
        | asked, null -> write open' asked
        | asked, secure -> writeSecurely open' secure asked

    /// Reads what has been decrypted until the request is over or there is nothing more.
    let rec decrypt (secure: TlsLink) : bool =
        let from = reader.Filled

        match secure.Read(Memory(reader.Buffer, from, reader.Buffer.Length - from)) with
        | Decrypted.Bytes count ->
            if took count then true
            elif isNull link then false
            else decrypt secure
        | Decrypted.Later -> false
        | Decrypted.Over -> ended ()
        | Decrypted.Broken _ when secure.Error <> SocketError.Success ->
            brokenBy secure.Error "reading the response"
        | Decrypted.Broken sentence -> broken Fate.Garbage sentence

    let agree (open': Socket) (secure: TlsLink) : bool =
        match secure.Agreed with
        | None ->
            watch open' secure.HasOutgoing
            false
        | Some(Error sentence) -> broken Fate.Tls sentence
        | Some(Ok()) ->
            stage <- Stage.Up
            watch open' secure.HasOutgoing
            send open'

    let receiveSecurely (open': Socket) (secure: TlsLink) : bool =
        secure.Pump() |> ignore

        if stage = Stage.Handshaking then
            agree open' secure
        elif not (isNull request) then
            decrypt secure
        else
            // An idle peer may say something about its sessions; it is read with the next response.
            if secure.HasEnded || secure.Error <> SocketError.Success then
                drop ()

            false

    let connected (open': Socket) : bool =
        let error = ConnectionSocket.errorOf open'

        if error <> SocketError.Success then
            brokenBy error "connecting"
        else
            watch open' false

            if destination.IsTls then
                let secure = new TlsLink(open', destination.Host, destination.Insecure)
                link <- secure
                stage <- Stage.Handshaking
                secure.Start()
                agree open' secure
            else
                stage <- Stage.Up
                send open'

    /// Goes on writing where the socket took no more.
    let push (open': Socket) : bool =
        match link with
        | secure when not (isNull secure) && stage = Stage.Handshaking ->
            (nonNull secure).Push()
            agree open' (nonNull secure)
        | _ -> send open'

    let connect () : bool =
        let fresh = ConnectionSocket.make destination
        socket <- fresh
        stage <- Stage.Connecting

        match ConnectionSocket.connect fresh destination with
        | SocketError.Success
        | SocketError.WouldBlock
        | SocketError.InProgress ->
            poller.Add(fresh, token (), true)
            isWriting <- true
            false
        | error -> brokenBy error "connecting"

    /// Its number.
    member _.Id = id

    /// The connection of an event.
    static member IdOf(token: int64) = int (token >>> 32)

    /// Opens the connection ahead of the first request.
    member _.Open() : unit =
        if stage = Stage.Down then
            connect () |> ignore

    /// Requests can be sent over it.
    member _.IsOpen = stage = Stage.Up
    /// It is being opened.
    member _.IsOpening = stage = Stage.Connecting || stage = Stage.Handshaking

    /// Takes up a request. True: it is over already.
    member _.Begin(asked: Prepared) : bool =
        request <- asked
        written <- 0
        bytesIn <- 0L
        fate <- Fate.Right
        complaint <- null
        reader.Start asked.IsHead

        match socket with
        | null -> connect ()
        | open' when stage = Stage.Up -> send open'
        | _ -> false

    /// An event of its socket. True: the request that it carried is over.
    member _.Handle(token': int64, readable: bool, writable: bool) : bool =
        match socket with
        | null -> false
        | _ when int32 token' <> generation -> false
        | open' when stage = Stage.Connecting -> (writable || readable) && connected open'
        | open' ->
            let isOver =
                readable
                && match link with
                   | null -> receive open'
                   | secure -> receiveSecurely open' secure

            if isOver then true
            // Reading may have dropped it.
            elif writable && isWriting && not (isNull socket) then push open'
            else false

    /// Gives up: the connection is dropped, and the request it carried has this fate.
    member _.GiveUp(ending: Fate, sentence: string) : unit = broken ending sentence |> ignore

    /// Nothing is being carried.
    member _.IsFree = isNull request
    /// What became of the last request.
    member _.Fate = fate
    /// What was wrong with it, or null.
    member _.Complaint = complaint
    /// The status of its response; 0: there was none.
    member _.Status = reader.Status
    /// Its response had the expected body.
    member _.IsExpected = reader.IsExpected
    /// The bytes of the body.
    member _.BodyLength = reader.BodyLength
    /// Bytes of it that went out.
    member _.BytesOut = written
    /// Bytes that came since it began.
    member _.BytesIn = bytesIn

    /// When the request was due, and when it was sent: the engine's notes.
    member val Intended = 0L with get, set
    member val Sent = 0L with get, set
    /// When the connection became free.
    member val FreedAt = Int64.MinValue with get, set

    member _.Dispose() : unit = drop ()
