// One socket with HTTP/2, from its connect to its close: bytes to frames, and the end of its requests where it breaks. It
// never waits. For the one thread of the engine.
namespace Plait.Load

open System
open System.Buffers.Binary

open Plait.Http2

/// One socket. `token`: the token of its events; `limit`: the limits of its destination; `lastStream`: the number of its last stream.
[<Sealed>]
type internal Http2Socket
    (
        destination: Destination,
        context: ConnectionContext,
        token: int64,
        limit: StreamLimit,
        lastStream: int,
        owner: ISocketOwner
    ) =
    let socket = NonBlockingSocket(destination, context, token)
    let sender = Http2Sender(socket, owner.Unflushed)
    let output = sender.Output
    let streams = Http2Streams(token, limit, lastStream, sender, owner)

    let input =
        GC.AllocateUninitializedArray<byte>(4 * (FrameHead.size + FrameHead.defaultMaxLength))

    let mutable filled = 0

    let ended (sentence: string | null) =
        socket.Close()
        streams.Retire()
        owner.Ended(token, sentence)

    let fail (isGone: bool) (result: RequestResult) (sentence: string) =
        socket.Close()
        // A part of a frame may be of any response.
        owner.Ended(token, streams.Fail(isGone && filled = 0, result, sentence))

    let broken () =
        let failure = socket.Failure
        fail failure.IsGone failure.Result failure.Sentence

    /// Ends the connection because the server violates the protocol. `sentence`: the whole complaint.
    let breakOff (code: int) (sentence: string) =
        if streams.IsEmpty then
            context.Violations.Note sentence

        output.GoAway(0, code)
        sender.SendLast()
        fail false RequestResult.Garbage sentence

    /// The server violates the protocol.
    let violated (code: int) (sentence: string) =
        breakOff code $"the answer is not HTTP/2: {sentence}"

    let frames =
        Http2Frames(socket, context.Options.MaxHead, input, sender, streams, owner, violated)

    /// The frame of these bytes in words, as far as they are one: its name, and the error of GOAWAY; null: they are not.
    let frameWords (frame: FrameHead) (at: int) : string | null =
        let content = at + FrameHead.size

        match FrameType.name frame.Type with
        | null -> null
        | _ when frame.Length > FrameHead.defaultMaxLength -> null
        | name when frame.Type = FrameType.GoAway && frame.Length >= 8 && filled >= content + 8 ->
            let code = BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan(input, content + 4, 4))
            $"{name} {Http2Error.name code}"
        | name -> name

    /// The first frame that a server sends has its settings.
    let isGreeting (frame: FrameHead) =
        frame.Type = FrameType.Settings && frame.Stream = 0 && not (frame.Has FrameFlag.ack)

    let beginning (at: int) =
        ResponseWords.beginning (ReadOnlySpan(input, at, filled - at))

    /// The head of a response of HTTP/1.1, which as a frame would be too long.
    let isText (at: int) =
        ReadOnlySpan(input, at, filled - at).StartsWith(ReadOnlySpan "HTTP/1."B)

    let readFrames () =
        let mutable at = 0
        let mutable isWhole = true

        while isWhole && filled - at >= FrameHead.size do
            let frame = FrameHead.read (ReadOnlySpan(input, at, FrameHead.size))

            if not streams.IsReady && not (isGreeting frame) then
                match frameWords frame at with
                | null when isText at ->
                    violated
                        Http2Error.protocol
                        $"it begins with '{beginning at}', a response of HTTP/1.1; leave out --http2"
                | null -> violated Http2Error.protocol $"it begins with '{beginning at}', not with settings"
                | words ->
                    breakOff
                        Http2Error.protocol
                        $"the server does not keep to HTTP/2: it began with {words}, before its settings"
            elif isText at then
                violated Http2Error.frameSize $"'{beginning at}' came where a frame begins"
            elif frame.Length > FrameHead.defaultMaxLength then
                violated
                    Http2Error.frameSize
                    $"a frame has {frame.Length} bytes, more than the {FrameHead.defaultMaxLength} that it may have"
            elif filled - at >= FrameHead.size + frame.Length then
                frames.Take(frame, at + FrameHead.size)
                at <- at + FrameHead.size + frame.Length
            else
                isWhole <- false

            if socket.State = SocketState.Closed then
                isWhole <- false

        if at > 0 then
            Buffer.BlockCopy(input, at, input, 0, filled - at)
            filled <- filled - at

    let took (count: int) =
        filled <- filled + count
        readFrames ()

    let rec receive () =
        match socket.Receive(input, filled) with
        | ReadResult.Bytes count ->
            took count

            if socket.HoldsBack && socket.State = SocketState.Open then
                receive ()
        | ReadResult.NothingYet -> ()
        | ReadResult.EndOfStream ->
            fail true RequestResult.Closed "the connection was closed before the whole response was there"
        | ReadResult.Failed -> broken ()

    /// Sending failed: reads the frames that the server sent before.
    let rec readLast () =
        match socket.ReceiveLast(input, filled) with
        | ReadResult.Bytes count ->
            took count

            if socket.State = SocketState.Open then
                readLast ()
        | _ -> broken ()

    let flush () =
        if not (sender.Flush()) then
            readLast ()

    /// Sends the preface and the settings of a client.
    let greet () =
        output.Bytes(ReadOnlySpan FrameHead.preface)

        output.Settings
            [
                Setting.HeaderTableSize, 0
                Setting.EnablePush, 0
                Setting.InitialWindowSize, Http2Frames.Window
            ]

        output.WindowUpdate(0, Http2Frames.Window - FrameHead.defaultWindow)
        flush ()

    /// All its requests are over, and their results reported.
    let endWhenDone () =
        if streams.IsDone && socket.State = SocketState.Open && output.IsEmpty then
            ended null

    /// The token of its events.
    member _.Token = token
    /// Streams can be opened over it.
    member _.IsReady = streams.IsReady
    /// It is being opened.
    member _.IsOpening = not streams.IsReady && socket.State <> SocketState.Closed

    /// Why it has no stream for a request, as a part of a sentence.
    member _.Obstacle =
        match SocketState.obstacle socket.State with
        | null when streams.IsReady -> "the server allowed no stream for it"
        | null -> "the server had not sent its settings"
        | sentence -> sentence

    /// Begins to connect.
    member _.Connect() : unit =
        if not (socket.Connect()) then
            broken ()

    /// Takes up the request of a slot.
    member _.Take(stream: Http2Stream, prepared: PreparedRequest) : unit = streams.Take(stream, prepared)

    /// The request of a slot is over, because its time is over or the run ends.
    member this.GiveUp(stream: Http2Stream, result: RequestResult, sentence: string) : unit =
        if stream.State = StreamState.Open then
            streams.Cancel(stream, result, sentence)
        else
            streams.Withdraw stream
            stream.End(result, sentence)

            // Nobody waits for it to open.
            if this.IsOpening && not streams.HasWaiting then
                ended sentence

    /// Takes back a request without a stream: another connection carries it.
    member _.Withdraw(stream: Http2Stream) : unit = streams.Withdraw stream

    /// A response has come over it.
    member _.IsUsed = streams.IsUsed

    /// Closes it, where it carries nothing.
    member _.Leave() : unit =
        if streams.IsEmpty && socket.State <> SocketState.Closed then
            ended null

    /// An event of its socket.
    member _.Handle(readable: bool, writable: bool) : unit =
        match socket.State with
        | SocketState.Open ->
            if readable then
                socket.Pump()
                receive ()

            if writable && socket.State = SocketState.Open then
                flush ()

            endWhenDone ()
        | SocketState.Closed -> ()
        | _ when not (socket.GoOn(readable, writable)) -> broken ()
        | _ when socket.State = SocketState.Open ->
            greet ()

            // The server's first bytes may have come with the end of the TLS handshake.
            if socket.HoldsBack && socket.State = SocketState.Open then
                receive ()
        | _ -> ()

    /// Sends the bytes that were put together.
    member _.Flush() : unit =
        if sender.IsUnflushed then
            flush ()

        endWhenDone ()

    member _.Dispose() : unit =
        // Resets, as far as the socket takes them.
        if socket.State = SocketState.Open then
            socket.Send output.Pending |> ignore

        socket.Close()
