// One connection of the load engine: it carries one request at a time, never waits, and tells what became of it. It is
// opened when a request needs it. For the one thread of the engine.
//
// It is one type in one file although it is long: every function here is on the path of a request, and all of them read and
// write the same dozen of fields. Parts of it would have to hand these to each other at every step.
namespace Plait.Load

open System
open System.Net
open System.Net.Sockets

open Plait.Report

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

    /// Begins to connect. Success, WouldBlock and InProgress: its poller will tell.
    let connect (socket: Socket) (destination: Destination) : SocketError =
        try
            socket.Connect destination.EndPoint
            SocketError.Success
        with :? SocketException as trouble ->
            match destination.EndPoint with
            // A Unix socket does not connect later: its server's queue is full.
            | :? UnixDomainSocketEndPoint when trouble.SocketErrorCode = SocketError.WouldBlock ->
                SocketError.ConnectionRefused
            | _ -> trouble.SocketErrorCode

    /// What became of connecting.
    let errorOf (socket: Socket) : SocketError =
        nonNull (socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error))
        |> unbox<int>
        |> enum<SocketError>

    /// The fate of a request whose connection could not be made.
    let fateOf (destination: Destination) (error: SocketError) : Fate =
        match error with
        // Of a Unix socket that is how it is said that there is no such file.
        | SocketError.AddressNotAvailable when (destination.EndPoint :? IPEndPoint) -> Fate.NoLocalPort
        | SocketError.TooManyOpenSockets
        | SocketError.NoBufferSpaceAvailable -> Fate.NoDescriptor
        | SocketError.TimedOut -> Fate.TimedOut
        | _ -> Fate.Refused

type private Stage =
    | Down = 0
    | Connecting = 1
    | Handshaking = 2
    | Up = 3

/// One connection. `id`: what the tokens of its events bear; `place`: which destination it is for, as the pool counts them.
type internal HttpConnection
    (
        id: int,
        place: int,
        destination: Destination,
        connecting: Connecting,
        tls: TlsClient,
        expected: byte[] | null,
        poller: Poller
    ) =
    inherit Lane(place)
    let reader = ResponseReader(expected, connecting.MostHead)
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
    // The socket was there when the request came, and has said nothing since.
    let mutable isStillReused = false
    let mutable wasRetried = false

    let token () = Token.make id generation

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

    let sentence (error: SocketError) (doing: string) =
        $"{destination.EndPoint}: {SocketException(int error).Message} while {doing}"

    let connectionFailed (error: SocketError) =
        broken (ConnectionSocket.fateOf destination error) (sentence error "connecting")

    let judge () =
        // Behind a 101 another protocol begins.
        if reader.Extra > 0 && reader.Status <> 101 then
            broken Fate.Garbage $"{reader.Extra} bytes came behind the end of the response"
        else
            let isEarly = isWriting

            let closes =
                match request with
                | null -> true
                | asked -> asked.Closes

            if reader.Closes || isEarly || closes then
                drop ()

            over Fate.Right null

    let took (count: int) : bool =
        bytesIn <- bytesIn + int64 count
        isStillReused <- false

        if isNull request then
            // Nobody asked: the connection is of no further use.
            broken Fate.Garbage null
        else
            match reader.Take count with
            | Reading.Whole -> judge ()
            | Reading.NotHttp -> broken Fate.Garbage reader.Trouble
            | Reading.HeadTooLong -> broken Fate.HeadTooLong reader.Trouble
            | _ -> false

    let connect () : bool =
        match ConnectionSocket.make destination with
        | Error error -> connectionFailed error
        | Ok fresh ->
            socket <- fresh
            stage <- Stage.Connecting

            match ConnectionSocket.connect fresh destination with
            | SocketError.Success
            | SocketError.WouldBlock
            | SocketError.InProgress ->
                poller.Add(fresh, token (), true)
                isWriting <- true
                false
            | error -> connectionFailed error

    /// The peer is gone. Where that was before it said anything on a connection that had been idle, it had closed it before the
    /// request came: then the request is sent once more, on a fresh one, if it may be sent twice.
    let gone (ending: Fate) (sentence: string) : bool =
        match request with
        | null -> broken ending sentence
        | asked when isStillReused && asked.IsIdempotent ->
            drop ()
            isStillReused <- false
            wasRetried <- true
            written <- 0
            connect ()
        | _ when isStillReused -> broken Fate.StaleConnection sentence
        | _ -> broken ending sentence

    let brokenBy (error: SocketError) (doing: string) =
        match stage, error with
        | Stage.Connecting, _ -> connectionFailed error
        | Stage.Handshaking, _ -> broken Fate.Tls (sentence error doing)
        | _, SocketError.TimedOut -> broken Fate.TimedOut (sentence error doing)
        | _ -> gone Fate.Reset (sentence error doing)

    let ended () : bool =
        if not (isNull request) && reader.End() = Reading.Whole then
            drop ()
            over Fate.Right null
        elif stage = Stage.Handshaking then
            broken Fate.Tls "the connection was closed while TLS was being agreed on"
        else
            gone Fate.Closed "the connection was closed before the whole response was there"

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
                secure.Write(ReadOnlyMemory asked.Bytes)
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
            connectionFailed error
        else
            watch open' false

            if destination.IsTls then
                let secure = new TlsLink(open', destination.Host, tls)
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

    let begin' (asked: Prepared) : bool =
        request <- asked
        written <- 0
        bytesIn <- 0L
        fate <- Fate.Right
        complaint <- null
        wasRetried <- false
        reader.Start asked.IsHead
        isStillReused <- stage = Stage.Up

        match socket with
        | null -> connect ()
        | open' when stage = Stage.Up -> send open'
        | _ -> false

    let handle (token': int64) (readable: bool) (writable: bool) : bool =
        match socket with
        | null -> false
        | _ when not (Token.isOf generation token') -> false
        | open' when stage = Stage.Connecting -> (writable || readable) && connected open'
        | open' ->
            let isOver =
                readable
                && match link with
                   | null -> receive open'
                   | secure -> receiveSecurely open' secure

            if isOver then true
            // Reading may have dropped it, and opened another one.
            elif writable && isWriting && Object.ReferenceEquals(socket, open') then push open'
            else false

    override _.Begin asked = begin' asked
    override _.GiveUp(ending, sentence) = broken ending sentence |> ignore
    override _.IsFree = isNull request
    override _.Fate = fate
    override _.Complaint = complaint
    override _.Status = reader.Status
    override _.IsExpected = reader.IsExpected
    override _.BodyLength = reader.BodyLength
    override _.Location = reader.Location
    override _.WasRetried = wasRetried
    override _.BytesOut = written
    override _.BytesIn = bytesIn

    interface ICarrier with
        member this.Lanes = [| this |]

        member _.Open() =
            if stage = Stage.Down then
                connect () |> ignore

        member _.IsOpen = stage = Stage.Up
        member _.IsOpening = stage = Stage.Connecting || stage = Stage.Handshaking
        member _.Complaint = complaint

        member this.Handle(token', readable, writable, over) =
            if handle token' readable writable then
                over.Add this

        // A request is sent as it begins.
        member _.Flush _ = ()
        member _.Dispose() = drop ()
