// The frames that come over a socket of HTTP/2, and their effects on its requests. For the one thread of the engine.
namespace Plait.Load

open System
open System.Buffers.Binary
open System.Text

open Plait.Http2

/// A block of header fields that comes in several frames, as far as it has come.
[<Sealed>]
type private HeadBlock() =
    let mutable bytes = Array.zeroCreate<byte> 0

    let put (from: byte[]) (at: int) (count: int) (length: int) =
        if bytes.Length < length + count then
            Array.Resize(&bytes, 2 * (length + count))

        Buffer.BlockCopy(from, at, bytes, length, count)

    /// The number of its stream; 0: there is no block.
    member val Stream = 0 with get, set
    /// The response ends with it.
    member val Ends = false with get, set
    /// The bytes so far.
    member _.Bytes = bytes
    member val Length = 0 with get, set
    /// The bytes of its frames behind the first, also of those that are skipped.
    member val FrameBytes = 0L with get, set

    /// Begins with the bytes of the first frame.
    member this.Start(stream: int, ends: bool, from: byte[], at: int, count: int) : unit =
        this.Stream <- stream
        this.Ends <- ends
        put from at count 0
        this.Length <- count
        this.FrameBytes <- 0L

    /// Adds the bytes of another frame.
    member this.Add(from: byte[], at: int, count: int) : unit =
        put from at count this.Length
        this.Length <- this.Length + count

/// Takes the frames of one socket, from `input`. `violated`: closes the socket with an error of HTTP/2 and a sentence.
[<Sealed>]
type internal Http2Frames
    (
        socket: NonBlockingSocket,
        maxHead: int,
        input: byte[],
        sender: Http2Sender,
        streams: Http2Streams,
        owner: ISocketOwner,
        violated: int -> string -> unit
    ) =
    // Larger than a response. Window updates are sent when half of it is used up.
    static let window = (1 <<< 30) - 1
    static let updateThreshold = window / 2
    // The answers to pings and settings that may wait for the server to read them.
    static let mostAnswers = 10_000
    let output = sender.Output
    let heads = Http2HeadReader()
    let head = HeadBlock()
    // Bytes of response bodies that no window update has acknowledged.
    let mutable unacknowledged = 0

    // The answers since the place in the output that the socket has to take before they are counted anew.
    let mutable answers = 0
    let mutable countedFrom = 0L

    let foreign sentence = violated Http2Error.protocol sentence

    /// A ping or settings were answered. A server that sends more of them without an end, and reads no answer, would fill the memory.
    let answered () =
        if output.Taken >= countedFrom then
            answers <- 0
            countedFrom <- output.Total

        answers <- answers + 1

        if answers > mostAnswers then
            violated
                Http2Error.enhanceYourCalm
                $"it sends pings or settings, and has not read {mostAnswers} answers to them"
        else
            sender.Unflushed()

    /// A frame of a length that its kind cannot have (RFC 9113, 4.2).
    let misshapen sentence = violated Http2Error.frameSize sentence

    /// The slot of a stream; null: its request is over, or the stream was never opened, which closes the socket.
    let streamOf (id: int) (what: string) : Http2Stream | null =
        if not (streams.WasOpened id) then
            foreign $"{what} is of stream {id}, which was never opened"

        streams.Find id

    /// The same for a part of a response. After the end of a response none may come (RFC 9113, 5.1); after a reset by this side some may
    /// still come.
    let responseOf (id: int) (what: string) : Http2Stream | null =
        match streamOf id what with
        | null when socket.State = SocketState.Open && streams.HasEnded id ->
            violated Http2Error.streamClosed $"{what} is of stream {id}, whose response was over"
            null
        | stream -> stream

    // No block of a head that is short enough has more bytes: the longest code of a byte has 30 bits, and the
    // prefixes of a name and a value have less than four times the bytes that the count adds for them.
    let mostBlock = 4L * int64 maxHead

    // The bytes of CONTINUATION frames after which a head is a flood. A small --max-head does not make it smaller: one long head
    // would end the other requests of its connection.
    let mostParts = 2L * max mostBlock (1L <<< 20)

    let tooLong stream =
        streams.BreakOff(
            stream,
            Http2Error.cancel,
            RequestResult.HeadTooLong,
            $"the head of the response is longer than {maxHead} bytes; --max-head allows more"
        )

    /// A block of fields is whole.
    let takeHead (stream: Http2Stream) (bytes: byte[]) from length (ends: bool) =
        if stream.HasHead && not ends then
            streams.Malformed(stream, "a second head came before the response was over")
        elif not stream.HasHead && heads.IsLonger(maxHead, bytes, from, length) then
            tooLong stream
        else
            let struct (wrong, isCodeWrong) =
                if stream.HasHead then
                    heads.Trailers(bytes, from, length)
                else
                    let fields = heads.Head(bytes, from, length)
                    struct (stream.TakeHead &fields, fields.IsCodeWrong)

            if isCodeWrong then
                violated Http2Error.compression (nonNull wrong)
            elif not (isNull wrong) then
                streams.Malformed(stream, nonNull wrong)
            elif ends then
                streams.Answered stream

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

        let stream = responseOf frame.Stream "a head"

        if socket.State = SocketState.Closed then
            ()
        elif length < 0 then
            foreign "a head is shorter than its padding and its priority"
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
                head.Start(frame.Stream, ends, input, at, length)

    let onContinuation (frame: FrameHead) (at: int) =
        let ends = frame.Has FrameFlag.endHeaders
        head.FrameBytes <- head.FrameBytes + int64 (FrameHead.size + frame.Length)

        match streams.Find head.Stream with
        // Its request is over: the rest of its head is skipped.
        | null -> ()
        | stream ->
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)

            if int64 (head.Length + frame.Length) > mostBlock then
                tooLong stream
            else
                head.Add(input, at, frame.Length)

                if ends then
                    takeHead stream head.Bytes 0 head.Length head.Ends

        if ends then
            head.Stream <- 0
        elif head.FrameBytes > mostParts then
            violated
                Http2Error.enhanceYourCalm
                $"a head goes on in CONTINUATION frames, and has not ended after {head.FrameBytes} bytes of them"

    let onData (frame: FrameHead) (from: int) =
        let mutable at = from
        let length = unpadded frame &at
        unacknowledged <- unacknowledged + frame.Length

        if unacknowledged >= updateThreshold then
            output.WindowUpdate(0, unacknowledged)
            unacknowledged <- 0
            sender.Unflushed()

        match responseOf frame.Stream "a body" with
        | null -> ()
        | _ when length < 0 -> foreign "a part of a body has more padding than bytes"
        | stream ->
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)

            if not stream.HasHead then
                streams.Malformed(stream, "a body came before the head of its response")
            else
                match stream.TakeBody(ReadOnlySpan(input, at, length)) with
                | null when frame.Has FrameFlag.endStream -> streams.Answered stream
                | null ->
                    stream.Unacknowledged <- stream.Unacknowledged + frame.Length

                    if stream.Unacknowledged >= updateThreshold then
                        output.WindowUpdate(stream.Id, stream.Unacknowledged)
                        stream.Unacknowledged <- 0
                        sender.Unflushed()
                | sentence -> streams.Malformed(stream, sentence)

    let int32At (at: int) =
        BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan(input, at, 4))

    let onReset (frame: FrameHead) (at: int) =
        match (if frame.Length = 4 then streamOf frame.Stream "a reset" else null) with
        | _ when frame.Length <> 4 -> misshapen $"a reset has {ResponseWords.bytes (int64 frame.Length)}"
        | null -> ()
        | stream ->
            stream.In <- stream.In + int64 (FrameHead.size + frame.Length)
            let code = int32At at
            let sentence = $"the server broke the stream off: {Http2Error.name code}"

            if code <> Http2Error.refusedStream then
                streams.Finish(stream, RequestResult.StreamReset, sentence)
            else
                streams.Refused(stream, sentence)

    /// Takes one setting of the other side, which may close the socket.
    let takeSetting (key: int) (value: int) =
        let wrong (code: int) (what: string) =
            violated code $"its settings say {what}"

        match key with
        | Setting.MaxConcurrentStreams ->
            streams.MaxStreams <- if value < 0 then Int32.MaxValue else value
            owner.MaxStreamsChanged streams.MaxStreams
        | Setting.InitialWindowSize when value < 0 ->
            wrong Http2Error.flowControl $"a window of {uint32 value} bytes"
        | Setting.InitialWindowSize ->
            if not (sender.ResizeStreams(value, streams.Open)) then
                wrong Http2Error.flowControl "a window of more than 2147483647 bytes"
        | Setting.MaxFrameSize when value < FrameHead.defaultMaxLength || value > 0xFFFFFF ->
            wrong Http2Error.protocol $"frames of {uint32 value} bytes"
        | Setting.MaxFrameSize -> sender.MaxFrame <- value
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
            misshapen $"settings have {ResponseWords.bytes (int64 frame.Length)}, which is no multiple of 6"
        else
            for index in 0 .. frame.Length / 6 - 1 do
                let from = at + 6 * index
                let key = (int input[from] <<< 8) ||| int input[from + 1]

                if socket.State = SocketState.Open then
                    takeSetting key (int32At (from + 2))

            if socket.State = SocketState.Open then
                output.Ack()
                answered ()

            if socket.State = SocketState.Open then
                streams.IsReady <- true
                streams.StartWaiting()

    let onGoAway (frame: FrameHead) (at: int) =
        if frame.Stream <> 0 then
            foreign $"a GOAWAY is of stream {frame.Stream}"
        elif frame.Length < 8 then
            misshapen $"a GOAWAY has {ResponseWords.bytes (int64 frame.Length)}"
        else
            let last = int32At at &&& Int32.MaxValue
            let code = int32At (at + 4)

            let said =
                if frame.Length > 8 then
                    let words = Encoding.ASCII.GetString(input, at + 8, min 200 (frame.Length - 8))
                    $" '{words}'"
                else
                    ""

            streams.GoAway(last, code <> Http2Error.noError, $"GOAWAY {Http2Error.name code}{said}")

            // The server may still answer the requests that it processes, but must close the connection (RFC 9113, 5.4.1).
            if code <> Http2Error.noError then
                for stream in streams.Open do
                    stream.EndedByServerAt <- min stream.EndedByServerAt (Clock.now ())

    let onWindowUpdate (frame: FrameHead) (at: int) =
        let more = if frame.Length = 4 then int32At at &&& Int32.MaxValue else 0

        let wrong (window: int64) =
            if more = 0 then
                "a window update is of 0 bytes"
            else
                $"a window update of {more} makes a window of {window}"

        if frame.Length <> 4 then
            misshapen $"a window update has {ResponseWords.bytes (int64 frame.Length)}"
        elif frame.Stream = 0 then
            let error = sender.Enlarge more

            if error <> Http2Error.noError then
                violated error (wrong (int64 sender.Window))
        else
            match streamOf frame.Stream "a window update" with
            | null -> ()
            | stream ->
                let error = sender.Enlarge(stream, more)

                if error <> Http2Error.noError then
                    streams.BreakOff(stream, error, RequestResult.Garbage, wrong stream.Window)

        sender.GoOn()

    /// Priorities are ignored, but their length is checked (RFC 9113, 6.3).
    let onPriority (frame: FrameHead) =
        if frame.Stream = 0 then
            foreign "a priority is of stream 0"
        elif frame.Length <> 5 then
            match streams.Find frame.Stream with
            | null -> ()
            | stream ->
                streams.BreakOff(
                    stream,
                    Http2Error.frameSize,
                    RequestResult.Garbage,
                    $"a priority has {ResponseWords.bytes (int64 frame.Length)}"
                )

    let onPing (frame: FrameHead) (at: int) =
        if frame.Stream <> 0 then
            foreign $"a ping is of stream {frame.Stream}"
        elif frame.Length <> 8 then
            misshapen $"a ping has {ResponseWords.bytes (int64 frame.Length)}"
        elif not (frame.Has FrameFlag.ack) then
            output.Pong(ReadOnlySpan(input, at, 8))
            answered ()

    /// The window of this side, for the socket and for each stream.
    static member Window: int = window

    /// Takes one frame, whose content begins at `at`.
    member _.Take(frame: FrameHead, at: int) : unit =
        if head.Stream <> 0 && (frame.Type <> FrameType.Continuation || frame.Stream <> head.Stream) then
            foreign "a head was interrupted by another frame"
        else
            match frame.Type with
            | FrameType.Data -> onData frame at
            | FrameType.Headers -> onHeaders frame at
            | FrameType.Continuation when head.Stream <> 0 -> onContinuation frame at
            | FrameType.Continuation -> foreign "the rest of a head came without its beginning"
            | FrameType.Reset -> onReset frame at
            | FrameType.Settings -> onSettings frame at
            | FrameType.GoAway -> onGoAway frame at
            | FrameType.WindowUpdate -> onWindowUpdate frame at
            | FrameType.Ping -> onPing frame at
            | FrameType.PushPromise -> foreign "it pushes, although this side's settings refuse pushes"
            | FrameType.Priority -> onPriority frame
            // Frames of later versions.
            | _ -> ()
