// One socket that speaks HTTP/2: its settings, its flow control, and the streams over it. It never waits; it puts its
// bytes together until it is flushed, so that requests that begin at the same moment share one call of the system.
// For the one thread of the engine.
//
// Longer than other files, because all that a frame can bring about reads and writes the state of the same connection.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Text

open Plait.Http2

/// The limits of a destination that a new connection to it assumes before its settings come.
[<Sealed>]
type internal StreamLimit() =
    /// The streams that it allows at a time.
    member val MaxStreams = Int32.MaxValue with get, set
    /// It has answered a request.
    member val HasAnswered = false with get, set

/// The messages of a session to its connection.
type internal ISessionOwner =
    /// The request of a stream is over.
    abstract Over: stream: Http2Stream -> unit
    /// A request that the other side cannot have taken up is to be sent over another session.
    abstract Again: stream: Http2Stream -> unit
    /// There is something to flush.
    abstract Unflushed: unit -> unit
    /// The other side allows so many streams at a time.
    abstract Allows: streams: int -> unit
    /// It takes no new streams any more.
    abstract Retired: token: int64 -> unit
    /// Its socket is closed.
    abstract Ended: token: int64 * sentence: string | null -> unit

/// One socket. `connects`: is told how long its connect took; `token`: the token of its events; `limit`: the limits of its destination; `lastStream`: the number of
/// its last stream.
[<Sealed>]
type internal Http2Session
    (
        destination: Destination,
        connecting: Connecting,
        tls: TlsClient,
        connects: Histogram,
        poller: Poller,
        token: int64,
        limit: StreamLimit,
        lastStream: int,
        owner: ISessionOwner
    ) =
    // More than a response has; the session returns window to the other side when half of it is used up.
    static let window = (1 <<< 30) - 1
    static let told = window / 2
    static let mostWindow = int64 Int32.MaxValue
    // The most bytes that wait for the socket before more of a body is put behind them.
    static let mostPending = 128 * 1024
    static let mostPart = 64 * 1024
    // How often a request is sent again that was refused each time: by a server that has answered nothing, and by one that refuses
    // some, which is the case of a chance each time.
    static let mostRefusals = 3
    static let mostOfSome = 15
    let socket = NonBlockingSocket(destination, tls, connects, poller, token)
    // The settings of the other side are there.
    let mutable isReady = false

    let input =
        GC.AllocateUninitializedArray<byte>(4 * (FrameHead.size + FrameHead.usualMost))

    let mutable filled = 0
    let output = FrameWriter()
    let mutable isUnflushed = false
    let fields = FieldReader()
    let streams = Dictionary<int, Http2Stream>()
    // Requests without a stream.
    let waiting = List<Http2Stream>()
    // Requests whose bodies are not wholly sent.
    let sending = List<Http2Stream>()
    let mutable nextStream = 1
    let mutable mostStreams = Int32.MaxValue
    let mutable mostFrame = FrameHead.usualMost
    let mutable streamWindow = int64 FrameHead.usualWindow
    let mutable sendWindow = int64 FrameHead.usualWindow
    let mutable untold = 0
    let mutable heard = 0L
    // A response has come over it.
    let mutable isUsed = false
    // A head whose fields come in several frames: its stream, the bytes so far, and whether the response ends with it.
    let mutable headOf = 0
    let mutable headEnds = false
    let mutable head = Array.zeroCreate<byte> 0
    let mutable headLength = 0
    let mutable isRetired = false
    // The words of the other side's GOAWAY.
    let mutable farewell = ""

    let unflushed () =
        if not isUnflushed then
            isUnflushed <- true
            owner.Unflushed()

    /// It takes no new streams any more. Those that wait for one go elsewhere.
    let retire () =
        if not isRetired then
            isRetired <- true
            owner.Retired token

        let others = waiting.ToArray()
        waiting.Clear()

        for stream in others do
            owner.Again stream

    let ended (sentence: string | null) =
        socket.Close()
        retire ()
        owner.Ended(token, sentence)

    let over (stream: Http2Stream) (result: RequestResult) (sentence: string | null) =
        stream.End(result, sentence)
        owner.Over stream

    /// The sentence, with the words of the other side's GOAWAY if there was one.
    let afterFarewell (sentence: string) =
        if farewell = "" then sentence else $"{sentence}, after {farewell}"

    let isFirstByteAwaited (stream: Http2Stream) = stream.HeardBefore = heard

    /// The other side has not taken a request up (RFC 9113, 8.7), whatever its method: it is sent again, unless it is refused
    /// again and again. Its stream is released.
    let notTakenUp (stream: Http2Stream) (isRefusal: bool) (result: RequestResult) (sentence: string) =
        if isRefusal then
            stream.Refusals <- stream.Refusals + 1

        if stream.HasHead then
            over stream result $"{sentence}, although its response had begun"
        elif stream.Refusals > (if limit.HasAnswered then mostOfSome else mostRefusals) then
            over stream result $"{sentence}; so it was each of the {stream.Refusals} times that it was sent"
        else
            stream.Again <- stream.Again + 1
            owner.Again stream

    /// No byte of it has left this side.
    let isNeverSent (stream: Http2Stream) =
        output.Taken <= stream.From && not socket.TookPart

    /// The socket is of no further use: every request over it has this result. Those of which nothing was sent are sent elsewhere, and
    /// where the other side had closed it before they came, those that may be sent twice.
    let fail (isGone: bool) (result: RequestResult) (sentence: string) =
        let sentence = afterFarewell sentence
        socket.Close()

        if not isReady then
            for stream in waiting do
                over stream result sentence

            waiting.Clear()

        // Those that were never sent begin again.
        retire ()

        for stream in streams.Values do
            match stream.Request with
            | null -> ()
            | _ when isNeverSent stream ->
                stream.Out <- stream.EarlierConnectionsOut
                notTakenUp stream true result sentence
            | asked when isGone && isFirstByteAwaited stream && not stream.WasStale ->
                if asked.IsIdempotent then
                    stream.WasStale <- true
                    stream.Again <- stream.Again + 1
                    owner.Again stream
                else
                    over stream RequestResult.StaleConnection sentence
            | _ -> over stream result sentence

        streams.Clear()
        sending.Clear()
        owner.Ended(token, sentence)

    let broken () =
        let breakage = socket.Breakage
        fail breakage.IsGone breakage.Result breakage.Sentence

    /// The other side does not keep to the protocol.
    let violated (code: int) (sentence: string) =
        output.GoAway(0, code)
        output.Sent(max 0 (socket.Send output.Pending))
        fail false RequestResult.Garbage $"the answer is not HTTP/2: {sentence}"

    let foreign sentence = violated Http2Error.protocol sentence

    /// A frame of a length that its kind cannot have (RFC 9113, 4.2).
    let misshapen sentence = violated Http2Error.frameSize sentence

    let release (stream: Http2Stream) =
        streams.Remove stream.Id |> ignore

        if not stream.IsSent then
            sending.Remove stream |> ignore

    let start (stream: Http2Stream) (asked: Prepared) =
        stream.Id <- nextStream
        nextStream <- nextStream + 2
        stream.Stage <- StreamStage.Open
        stream.Window <- streamWindow

        if isUsed then
            stream.HeardBefore <- heard

        streams.Add(stream.Id, stream)
        stream.From <- output.Total
        stream.EarlierConnectionsOut <- stream.Out
        stream.Out <- stream.Out + output.Headers(stream.Id, asked.Bytes, asked.Body.Length = 0, mostFrame)

        if asked.Body.Length > 0 then
            sending.Add stream

        unflushed ()

    let isExhausted () =
        nextStream < 0 || nextStream > lastStream

    let hasRoom () =
        isReady && streams.Count < mostStreams && not (isExhausted ())

    /// Gives streams to requests that have none.
    let startWaiting () =
        while waiting.Count > 0 && hasRoom () do
            let stream = waiting[0]
            waiting.RemoveAt 0

            match stream.Request with
            | null -> ()
            | asked -> start stream asked

        if isExhausted () then
            retire ()

    /// A request is over, and its stream.
    let finish (stream: Http2Stream) (result: RequestResult) (sentence: string | null) =
        release stream
        over stream result sentence

        if waiting.Count > 0 then
            startWaiting ()

    /// This side breaks a stream off.
    let breakOff (stream: Http2Stream) (code: int) (result: RequestResult) (sentence: string) =
        output.Reset(stream.Id, code)
        unflushed ()
        finish stream result sentence

    let malformed stream (sentence: string) =
        breakOff stream Http2Error.protocol RequestResult.Garbage sentence

    let responseEnded (stream: Http2Stream) =
        isUsed <- true
        limit.HasAnswered <- true

        if not stream.IsSent then
            // It was answered before it was whole.
            output.Reset(stream.Id, Http2Error.cancel)
            unflushed ()

        let wrong = stream.TakeEnd()
        finish stream (if isNull wrong then RequestResult.Right else RequestResult.Garbage) wrong

    /// The slot of a stream; null: its request is over, or there never was one, which ends the session.
    let streamOf (id: int) (what: string) : Http2Stream | null =
        let mutable stream = Unchecked.defaultof<Http2Stream>

        if id % 2 = 0 || id >= nextStream && nextStream > 0 then
            foreign $"{what} is of stream {id}, which was never opened"
            null
        elif streams.TryGetValue(id, &stream) then
            stream
        else
            null

    // No block of a head that is short enough has more bytes: the longest code of a byte has 30 bits, and the
    // prefixes of a name and a value have less than four times the bytes that the count adds for them.
    let mostBlock = 4L * int64 connecting.MaxHead

    let tooLong stream =
        breakOff
            stream
            Http2Error.cancel
            RequestResult.HeadTooLong
            $"the head of the response is longer than {connecting.MaxHead} bytes; --max-head allows more"

    /// A block of fields is whole.
    let takeHead (stream: Http2Stream) (bytes: byte[]) from length (ends: bool) =
        if stream.HasHead && not ends then
            malformed stream "a second head came before the response was over"
        elif not stream.HasHead && fields.IsLonger(connecting.MaxHead, bytes, from, length) then
            tooLong stream
        else
            fields.Start(bytes, from, length)

            let wrong =
                if stream.HasHead then stream.TakeTrailers fields else stream.TakeHead fields

            if not (isNull fields.Trouble) then
                violated Http2Error.compression (nonNull fields.Trouble)
            elif not (isNull wrong) then
                malformed stream (nonNull wrong)
            elif ends then
                responseEnded stream

    /// The length of a frame's content, without its padding. -1: it has more padding than bytes.
    let unpadded (frame: FrameHead) (at: byref<int>) : int =
        if frame.Has FrameFlag.padded then
            let padding = if frame.Length > 0 then int input[at] else 1
            at <- at + 1
            frame.Length - 1 - padding
        else
            frame.Length

    let onHeaders (frame: FrameHead) (from: int) =
        let mutable at = from
        let mutable length = unpadded frame &at

        if frame.Has FrameFlag.priority then
            at <- at + 5
            length <- length - 5

        let stream = streamOf frame.Stream "a head"

        if socket.Stage = SocketStage.Down then
            ()
        elif length < 0 then
            foreign "a head has more padding than bytes"
        else
            let ends = frame.Has FrameFlag.endStream

            match stream with
            | null -> ()
            | stream -> stream.In <- stream.In + int64 (FrameHead.size + frame.Length)

            if frame.Has FrameFlag.endHeaders then
                match stream with
                | null -> ()
                | stream -> takeHead stream input at length ends
            else
                headOf <- frame.Stream
                headEnds <- ends
                headLength <- length

                if head.Length < length then
                    Array.Resize(&head, 2 * length)

                Buffer.BlockCopy(input, at, head, 0, length)

    let onContinuation (frame: FrameHead) (at: int) =
        let mutable stream = Unchecked.defaultof<Http2Stream>

        // One whose request is over is still to be passed over.
        if streams.TryGetValue(headOf, &stream) then
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)

            if int64 (headLength + frame.Length) > mostBlock then
                tooLong stream
            else
                if head.Length < headLength + frame.Length then
                    Array.Resize(&head, 2 * (headLength + frame.Length))

                Buffer.BlockCopy(input, at, head, headLength, frame.Length)
                headLength <- headLength + frame.Length

                if frame.Has FrameFlag.endHeaders then
                    takeHead stream head 0 headLength headEnds

        if frame.Has FrameFlag.endHeaders then
            headOf <- 0

    let onData (frame: FrameHead) (from: int) =
        let mutable at = from
        let length = unpadded frame &at
        untold <- untold + frame.Length

        if untold >= told then
            output.WindowUpdate(0, untold)
            untold <- 0
            unflushed ()

        match streamOf frame.Stream "a body" with
        | null -> ()
        | _ when length < 0 -> foreign "a part of a body has more padding than bytes"
        | stream ->
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)

            if not stream.HasHead then
                malformed stream "a body came before the head of its response"
            else
                match stream.TakeBody(ReadOnlySpan(input, at, length)) with
                | null when frame.Has FrameFlag.endStream -> responseEnded stream
                | null ->
                    stream.Untold <- stream.Untold + frame.Length

                    if stream.Untold >= told then
                        output.WindowUpdate(stream.Id, stream.Untold)
                        stream.Untold <- 0
                        unflushed ()
                | sentence -> malformed stream sentence

    let int32At (at: int) =
        Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan(input, at, 4))

    let onReset (frame: FrameHead) (at: int) =
        match streamOf frame.Stream "a reset" with
        | null -> ()
        | _ when frame.Length <> 4 -> misshapen $"a reset has {frame.Length} bytes"
        | stream ->
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)
            let code = int32At at
            let sentence = $"the server broke the stream off: {Http2Error.name code}"

            if code <> Http2Error.refusedStream then
                finish stream RequestResult.StreamReset sentence
            else
                release stream

                // It would not take it the third time either.
                if stream.RefusedBy = token then
                    retire ()

                stream.RefusedBy <- token
                notTakenUp stream true RequestResult.StreamRefused sentence
                startWaiting ()

    /// Takes one setting of the other side, which may end the session.
    let takeSetting (key: int) (value: int) =
        let wrong (code: int) (what: string) =
            violated code $"its settings say {what}"

        match key with
        | Setting.MaxConcurrentStreams ->
            mostStreams <- if value < 0 then Int32.MaxValue else value
            owner.Allows mostStreams
        | Setting.InitialWindowSize when value < 0 ->
            wrong Http2Error.flowControl $"a window of {uint32 value} bytes"
        | Setting.InitialWindowSize ->
            let change = int64 value - streamWindow
            streamWindow <- int64 value
            let mutable isTooLarge = false

            for stream in streams.Values do
                stream.Window <- stream.Window + change
                isTooLarge <- isTooLarge || stream.Window > mostWindow

            if isTooLarge then
                wrong Http2Error.flowControl "a window of more than 2147483647 bytes"
        | Setting.MaxFrameSize when value < FrameHead.usualMost || value > 0xFFFFFF ->
            wrong Http2Error.protocol $"frames of {uint32 value} bytes"
        | Setting.MaxFrameSize -> mostFrame <- value
        | Setting.EnablePush when value <> 0 ->
            wrong Http2Error.protocol "that it accepts pushes from a server"
        | _ -> ()

    let onSettings (frame: FrameHead) (at: int) =
        if frame.Stream <> 0 then
            foreign $"settings are of stream {frame.Stream}"
        elif frame.Has FrameFlag.ack then
            if frame.Length > 0 then
                misshapen "the acknowledgement of settings has settings in it"
        elif frame.Length % 6 <> 0 then
            misshapen $"settings have {frame.Length} bytes, which is no multiple of 6"
        else
            for index in 0 .. frame.Length / 6 - 1 do
                let from = at + 6 * index
                let key = (int input[from] <<< 8) ||| int input[from + 1]

                if socket.Stage = SocketStage.Up then
                    takeSetting key (int32At (from + 2))

            if socket.Stage = SocketStage.Up then
                output.Ack()
                unflushed ()

                isReady <- true
                startWaiting ()

    let onGoAway (frame: FrameHead) (at: int) =
        if frame.Stream <> 0 then
            foreign $"a GOAWAY is of stream {frame.Stream}"
        elif frame.Length < 8 then
            misshapen $"a GOAWAY has {frame.Length} bytes"
        else
            let last = int32At at &&& Int32.MaxValue
            let code = int32At (at + 4)

            let said =
                if frame.Length > 8 then
                    let words = Encoding.ASCII.GetString(input, at + 8, min 200 (frame.Length - 8))
                    $" '{words}'"
                else
                    ""

            farewell <- $"GOAWAY {Http2Error.name code}{said}"
            retire ()

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

                notTakenUp
                    stream
                    (last = 0)
                    RequestResult.GoAway
                    $"the server ended the connection before it took the request up: {farewell}"

            // It may still answer the requests that it took up, but has to close the connection (RFC 9113, 5.4.1).
            if code <> Http2Error.noError then
                for stream in streams.Values do
                    stream.ForsakenAt <- min stream.ForsakenAt (Clock.now ())

    /// The error of a window that became so large by so much more, or NO_ERROR.
    let windowError (more: int) (size: int64) : int =
        if more = 0 then Http2Error.protocol
        elif size > mostWindow then Http2Error.flowControl
        else Http2Error.noError

    let onWindowUpdate (frame: FrameHead) (at: int) =
        let more = if frame.Length = 4 then int32At at &&& Int32.MaxValue else 0

        if frame.Length <> 4 then
            misshapen $"a window update has {frame.Length} bytes"
        elif frame.Stream = 0 then
            sendWindow <- sendWindow + int64 more
            let error = windowError more sendWindow

            if error <> Http2Error.noError then
                violated error $"a window update of {more} makes a window of {sendWindow}"
        else
            match streamOf frame.Stream "a window update" with
            | null -> ()
            | stream ->
                stream.Window <- stream.Window + int64 more
                let error = windowError more stream.Window

                if error <> Http2Error.noError then
                    breakOff
                        stream
                        error
                        RequestResult.Garbage
                        $"a window update of {more} makes a window of {stream.Window}"

        if sending.Count > 0 then
            unflushed ()

    let onPing (frame: FrameHead) (at: int) =
        if frame.Stream <> 0 then
            foreign $"a ping is of stream {frame.Stream}"
        elif frame.Length <> 8 then
            misshapen $"a ping has {frame.Length} bytes"
        elif not (frame.Has FrameFlag.ack) then
            output.Pong(ReadOnlySpan(input, at, 8))
            unflushed ()

    let onFrame (frame: FrameHead) (at: int) =
        if headOf <> 0 && (frame.Type <> FrameType.Continuation || frame.Stream <> headOf) then
            foreign "a head was interrupted by another frame"
        else
            match frame.Type with
            | FrameType.Data -> onData frame at
            | FrameType.Headers -> onHeaders frame at
            | FrameType.Continuation when headOf <> 0 -> onContinuation frame at
            | FrameType.Continuation -> foreign "a head goes on that was not begun"
            | FrameType.Reset -> onReset frame at
            | FrameType.Settings -> onSettings frame at
            | FrameType.GoAway -> onGoAway frame at
            | FrameType.WindowUpdate -> onWindowUpdate frame at
            | FrameType.Ping -> onPing frame at
            | FrameType.PushPromise -> foreign "it pushes, although this side's settings refuse pushes"
            // Priorities, and frames that this protocol does not know yet.
            | _ -> ()

    /// The first frame that a server sends has its settings.
    let isGreeting (frame: FrameHead) =
        frame.Type = FrameType.Settings && frame.Stream = 0 && not (frame.Has FrameFlag.ack)

    let readFrames () =
        let mutable at = 0
        let mutable isWhole = true

        while isWhole && filled - at >= FrameHead.size do
            let frame = FrameHead.read (ReadOnlySpan(input, at, FrameHead.size))

            if not isReady && not (isGreeting frame) then
                let said =
                    String.map
                        (fun letter -> if Char.IsControl letter then '.' else letter)
                        (Encoding.ASCII.GetString(input, at, min 40 (filled - at)))

                foreign $"it begins with '{said}', not with settings"
            elif frame.Length > FrameHead.usualMost then
                violated
                    Http2Error.frameSize
                    $"a frame has {frame.Length} bytes, more than the {FrameHead.usualMost} that it may have"
            elif filled - at >= FrameHead.size + frame.Length then
                onFrame frame (at + FrameHead.size)
                at <- at + FrameHead.size + frame.Length
            else
                isWhole <- false

            if socket.Stage = SocketStage.Down then
                isWhole <- false

        if at > 0 then
            Buffer.BlockCopy(input, at, input, 0, filled - at)
            filled <- filled - at

    let rec receive () =
        match socket.Receive(input, filled) with
        | Received.Bytes count ->
            heard <- heard + int64 count
            filled <- filled + count
            readFrames ()

            if socket.HoldsBack && socket.Stage = SocketStage.Up then
                receive ()
        | Received.Later -> ()
        | Received.Over ->
            fail true RequestResult.Closed "the connection was closed before the whole response was there"
        | Received.Broken -> broken ()

    /// Puts parts of bodies behind the bytes to send, each request's in turn, as far as the windows allow.
    let putBodies () =
        let mutable isBlocked = false

        while sending.Count > 0 && not isBlocked && output.Pending.Length < mostPending do
            isBlocked <- true
            let mutable index = 0

            while index < sending.Count do
                let stream = sending[index]

                match stream.Request with
                | null -> sending.RemoveAt index
                | asked ->
                    let left = asked.Body.Length - stream.BodySent

                    let count =
                        int (min (int64 (min left (min mostFrame mostPart))) (min sendWindow stream.Window))

                    if count > 0 then
                        isBlocked <- false
                        let part = ReadOnlySpan(asked.Body, stream.BodySent, count)
                        stream.Out <- stream.Out + output.Data(stream.Id, part, (count = left))
                        stream.BodySent <- stream.BodySent + count
                        stream.Window <- stream.Window - int64 count
                        sendWindow <- sendWindow - int64 count

                    if count = left then sending.RemoveAt index else index <- index + 1

    let flush () =
        isUnflushed <- false
        let mutable goesOn = socket.Stage = SocketStage.Up

        while goesOn do
            putBodies ()
            let pending = output.Pending
            let count = socket.Send pending

            if count < 0 then
                goesOn <- false
                broken ()
            else
                output.Sent count
                goesOn <- count > 0 && not socket.IsFull && sending.Count > 0

    /// Says the first words of a client.
    let greet () =
        output.Bytes(ReadOnlySpan FrameHead.preface)

        output.Settings
            [ Setting.HeaderTableSize, 0; Setting.EnablePush, 0; Setting.InitialWindowSize, window ]

        output.WindowUpdate(0, window - FrameHead.usualWindow)
        flush ()

    /// All its requests are over, and their results reported.
    let endWhenDone () =
        if isRetired && streams.Count = 0 && socket.Stage = SocketStage.Up && output.IsEmpty then
            ended null

    /// The token of its events.
    member _.Token = token
    /// Streams can be opened over it.
    member _.IsReady = isReady
    /// It is on its way to that.
    member _.IsOpening = not isReady && socket.Stage <> SocketStage.Down

    /// Begins to connect.
    member _.Connect() : unit =
        if not (socket.Connect()) then
            broken ()

    /// Takes up the request of a slot.
    member _.Take(stream: Http2Stream, asked: Prepared) : unit =
        stream.Session <- token

        if hasRoom () then
            start stream asked

            if isExhausted () then
                retire ()
        else
            waiting.Add stream

    /// The request of a slot is over, because its time is over or the run ends.
    member this.GiveUp(stream: Http2Stream, result: RequestResult, sentence: string) : unit =
        if stream.Stage = StreamStage.Open then
            output.Reset(stream.Id, Http2Error.cancel)
            unflushed ()
            release stream
            stream.End(result, afterFarewell sentence)
            startWaiting ()
        else
            waiting.Remove stream |> ignore
            stream.End(result, sentence)

            // Nobody waits for it to open.
            if this.IsOpening && waiting.Count = 0 then
                ended sentence

    /// A request that has no stream goes elsewhere.
    member _.Withdraw(stream: Http2Stream) : unit = waiting.Remove stream |> ignore

    /// A response has come over it.
    member _.IsUsed = isUsed

    /// Closes it, where it carries nothing.
    member _.Leave() : unit =
        if streams.Count = 0 && waiting.Count = 0 && socket.Stage <> SocketStage.Down then
            ended null

    /// An event of its socket.
    member _.Handle(readable: bool, writable: bool) : unit =
        match socket.Stage with
        | SocketStage.Up ->
            if readable then
                socket.Pump()
                receive ()

            if writable && socket.Stage = SocketStage.Up then
                flush ()

            endWhenDone ()
        | SocketStage.Down -> ()
        | _ when not (socket.GoOn(readable, writable)) -> broken ()
        | _ when socket.Stage = SocketStage.Up ->
            greet ()

            // The server's first words may have come with the last of TLS.
            if socket.HoldsBack && socket.Stage = SocketStage.Up then
                receive ()
        | _ -> ()

    /// Sends the bytes that were put together.
    member _.Flush() : unit =
        if isUnflushed then
            flush ()

        endWhenDone ()

    member _.Dispose() : unit =
        // Resets, as far as the socket takes them.
        if socket.Stage = SocketStage.Up then
            socket.Send output.Pending |> ignore

        socket.Close()
