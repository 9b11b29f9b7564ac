// One connection of the server that does nothing, of HTTP/1.1 or HTTP/2: the same response to every request. Bytes in, bytes
// out: no sockets.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Collections.Generic
open System.Text

open Plait.Http2

module private NullResponse =
    let body = String('x', 64)

    let head =
        $"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {body.Length}\r\n\r\n"

    let response = Encoding.ASCII.GetBytes(head + body)
    let emptyLine = "\r\n\r\n"B
    let contentLength = "content-length:"B
    let transferEncoding = "transfer-encoding:"B

    let private begins (name: byte[]) (line: ReadOnlySpan<byte>) =
        line.Length > name.Length
        && Ascii.EqualsIgnoreCase(line.Slice(0, name.Length), ReadOnlySpan name)

    /// The length of the body by the head of a request; -1: the body comes in chunks.
    let announced (head: ReadOnlySpan<byte>) : int64 =
        let mutable at = 0
        let mutable length = 0L

        while at >= 0 && at < head.Length do
            let line = head.Slice at

            if begins transferEncoding line then
                length <- -1L
            elif length >= 0L && begins contentLength line then
                let mutable used = 0

                Utf8Parser.TryParse(line.Slice(contentLength.Length).TrimStart 32uy, &length, &used)
                |> ignore

            let next = line.IndexOf 10uy
            at <- if next < 0 then -1 else at + next + 1

        length

/// One connection: its received bytes, and the answer to them.
[<AbstractClass>]
type internal NullConnection() =
    /// Where the next bytes go.
    abstract Free: Memory<byte>
    /// So many bytes were put there. Returns the bytes to send now.
    abstract Take: count: int -> ReadOnlyMemory<byte>
    /// Whole requests that the last bytes have brought.
    abstract Requests: int
    /// The other side breaks the protocol.
    abstract IsLost: bool
    default _.IsLost = false

/// A connection of HTTP/1.1.
[<Sealed>]
type internal NullHttp1Connection() =
    inherit NullConnection()
    let mutable buffer = Array.zeroCreate<byte> 4096
    let framing = ChunkFraming()
    let mutable held = 0
    // Bytes of the body that are still to come, by Content-Length.
    let mutable left = 0L
    let mutable isInBody = false
    let mutable isChunked = false
    let mutable isHead = false
    let mutable isWhole = false
    let mutable isLost = false

    /// Takes a part of the body, or all of it.
    let takeBody (bytes: ReadOnlySpan<byte>) =
        if isChunked then
            isLost <- framing.TakeAll bytes < 0
            isWhole <- framing.State = ChunkState.Over
        else
            left <- left - int64 bytes.Length
            isWhole <- left = 0L

        isInBody <- not isWhole

    let take (count: int) =
        isWhole <- false

        if isInBody then
            takeBody (ReadOnlySpan(buffer, 0, count))
        else
            held <- held + count
            let bytes = ReadOnlySpan(buffer, 0, held)
            let finish = bytes.IndexOf(ReadOnlySpan NullResponse.emptyLine)

            if finish >= 0 then
                isHead <- buffer[0] = 72uy
                left <- NullResponse.announced (bytes.Slice(0, finish + 2))
                isChunked <- left < 0L
                framing.Start()
                held <- 0
                takeBody (bytes.Slice(finish + 4))
            elif held = buffer.Length then
                Array.Resize(&buffer, 2 * held)

    override _.Free = Memory(buffer, held, buffer.Length - held)

    override _.Take count =
        take count

        if isWhole then
            ReadOnlyMemory(
                NullResponse.response,
                0,
                (if isHead then NullResponse.head.Length else NullResponse.response.Length)
            )
        else
            ReadOnlyMemory.Empty

    override _.Requests = if isWhole then 1 else 0
    override _.IsLost = isLost

/// A connection of HTTP/2. It reads the requests of the load engine, which allows it the largest windows of the
/// protocol.
[<Sealed>]
type internal NullHttp2Connection() =
    inherit NullConnection()

    static let head =
        Hpack.block
            [
                ":status", "200"
                "content-type", "text/plain"
                "content-length", string NullResponse.body.Length
            ]

    static let body = Encoding.ASCII.GetBytes NullResponse.body
    static let window = Int32.MaxValue
    static let updateThreshold = window / 2

    let buffer =
        Array.zeroCreate<byte>(4 * (FrameHead.size + FrameHead.defaultMaxLength))

    let output = FrameWriter()
    let fields = FieldReader()
    // The streams of HEAD requests whose own bodies are still to come. The response to HEAD has no body.
    let heads = HashSet<int>()
    let mutable held = 0
    let mutable requests = 0
    let mutable isGreeted = false
    let mutable isLost = false
    let mutable unacknowledged = 0

    let isHead (at: int) (frame: FrameHead) =
        fields.Start(buffer, at, frame.Length)
        let mutable found = false

        while not found && fields.Next() do
            // The method is the first field that begins so.
            found <- fields.Name.SequenceEqual(ReadOnlySpan ":method"B)

        found && fields.Value.SequenceEqual(ReadOnlySpan "HEAD"B)

    let answer (stream: int) =
        let isHead = heads.Remove stream
        requests <- requests + 1
        output.Headers(stream, head, isHead, FrameHead.defaultMaxLength) |> ignore

        if not isHead then
            output.Data(stream, ReadOnlySpan body, true) |> ignore

    let onFrame (frame: FrameHead) (at: int) =
        match frame.Type with
        | FrameType.Headers ->
            if isHead at frame then
                heads.Add frame.Stream |> ignore

            if frame.Has FrameFlag.endStream then
                answer frame.Stream
        | FrameType.Data ->
            unacknowledged <- unacknowledged + frame.Length

            if unacknowledged >= updateThreshold then
                output.WindowUpdate(0, unacknowledged)
                unacknowledged <- 0

            if frame.Has FrameFlag.endStream then
                answer frame.Stream
        | FrameType.Settings when not (frame.Has FrameFlag.ack) -> output.Ack()
        | FrameType.Ping when not (frame.Has FrameFlag.ack) ->
            output.Pong(ReadOnlySpan(buffer, at, frame.Length))
        | _ -> ()

    let greet () : int =
        let preface = FrameHead.preface.Length

        if held < preface then
            0
        else
            isGreeted <- true
            isLost <- not (ReadOnlySpan(buffer, 0, preface).SequenceEqual(ReadOnlySpan FrameHead.preface))

            output.Settings
                [
                    Setting.HeaderTableSize, 0
                    Setting.MaxConcurrentStreams, Int32.MaxValue
                    Setting.InitialWindowSize, window
                ]

            output.WindowUpdate(0, window - FrameHead.defaultWindow)
            preface

    let read () =
        let mutable at = if isGreeted then 0 else greet ()
        let mutable isWhole = isGreeted && not isLost

        while isWhole && held - at >= FrameHead.size do
            let frame = FrameHead.read (ReadOnlySpan(buffer, at, FrameHead.size))
            isLost <- frame.Length > FrameHead.defaultMaxLength
            isWhole <- not isLost && held - at >= FrameHead.size + frame.Length

            if isWhole then
                onFrame frame (at + FrameHead.size)
                at <- at + FrameHead.size + frame.Length

        Buffer.BlockCopy(buffer, at, buffer, 0, held - at)
        held <- held - at

    override _.Free = Memory(buffer, held, buffer.Length - held)

    override _.Take count =
        requests <- 0
        held <- held + count
        read ()
        let pending = output.Pending
        // The caller sends these bytes before it calls Take again.
        output.Sent pending.Length
        pending

    override _.Requests = requests
    override _.IsLost = isLost
