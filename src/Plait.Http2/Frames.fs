// The frames of HTTP/2 (RFC 9113): their names, their heads, and how they are written. Bytes only: no sockets.
namespace Plait.Http2

open System
open System.Buffers.Binary

/// The types of frames.
module FrameType =
    [<Literal>]
    let Data = 0uy

    [<Literal>]
    let Headers = 1uy

    [<Literal>]
    let Priority = 2uy

    [<Literal>]
    let Reset = 3uy

    [<Literal>]
    let Settings = 4uy

    [<Literal>]
    let PushPromise = 5uy

    [<Literal>]
    let Ping = 6uy

    [<Literal>]
    let GoAway = 7uy

    [<Literal>]
    let WindowUpdate = 8uy

    [<Literal>]
    let Continuation = 9uy

    let private names =
        [|
            "DATA"
            "HEADERS"
            "PRIORITY"
            "RST_STREAM"
            "SETTINGS"
            "PUSH_PROMISE"
            "PING"
            "GOAWAY"
            "WINDOW_UPDATE"
            "CONTINUATION"
        |]

    /// The name of a type; null: RFC 9113 has no such type.
    let name (kind: byte) : string | null =
        if int kind < names.Length then names[int kind] else null

/// The flags of frames.
module FrameFlag =
    let endStream = 1uy
    let ack = 1uy
    let endHeaders = 4uy
    let padded = 8uy
    let priority = 32uy

/// The settings of a side.
module Setting =
    [<Literal>]
    let HeaderTableSize = 1

    [<Literal>]
    let EnablePush = 2

    [<Literal>]
    let MaxConcurrentStreams = 3

    [<Literal>]
    let InitialWindowSize = 4

    [<Literal>]
    let MaxFrameSize = 5

/// The codes of errors.
module Http2Error =
    let noError = 0
    let protocol = 1
    let flowControl = 3
    let streamClosed = 5
    let frameSize = 6
    let refusedStream = 7
    let cancel = 8
    let compression = 9
    let enhanceYourCalm = 11

    let private names =
        [|
            "NO_ERROR"
            "PROTOCOL_ERROR"
            "INTERNAL_ERROR"
            "FLOW_CONTROL_ERROR"
            "SETTINGS_TIMEOUT"
            "STREAM_CLOSED"
            "FRAME_SIZE_ERROR"
            "REFUSED_STREAM"
            "CANCEL"
            "COMPRESSION_ERROR"
            "CONNECT_ERROR"
            "ENHANCE_YOUR_CALM"
            "INADEQUATE_SECURITY"
            "HTTP_1_1_REQUIRED"
        |]

    /// The name of an error.
    let name (code: int) : string =
        if code >= 0 && code < names.Length then names[code] else $"error {uint32 code}"

/// The head of a frame.
[<Struct; NoEquality; NoComparison>]
type FrameHead =
    {
        Length: int
        Type: byte
        Flags: byte
        Stream: int
    }

    /// It has this flag.
    member this.Has(flag: byte) = this.Flags &&& flag <> 0uy

module FrameHead =
    /// The bytes of a head.
    let size = 9

    /// The first bytes of a client.
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"B

    /// The longest content of a frame, unless its receiver allows more.
    let defaultMaxLength = 16384

    /// The window of a side, unless its settings have another.
    let defaultWindow = 65535

    /// The head that begins there.
    let read (bytes: ReadOnlySpan<byte>) : FrameHead =
        {
            Length = (int bytes[0] <<< 16) ||| (int bytes[1] <<< 8) ||| int bytes[2]
            Type = bytes[3]
            Flags = bytes[4]
            Stream = BinaryPrimitives.ReadInt32BigEndian(bytes.Slice 5) &&& Int32.MaxValue
        }

/// Frames that are to be sent.
[<Sealed>]
type FrameWriter() =
    let mutable buffer = Array.zeroCreate<byte> 4096
    let mutable first = 0
    let mutable filled = 0
    // All that was taken.
    let mutable taken = 0L

    let room (count: int) =
        if filled + count > buffer.Length then
            if first > 0 then
                Buffer.BlockCopy(buffer, first, buffer, 0, filled - first)
                filled <- filled - first
                first <- 0

            if filled + count > buffer.Length then
                Array.Resize(&buffer, 2 * (filled + count))

    let number (value: int) =
        BinaryPrimitives.WriteInt32BigEndian(Span(buffer, filled, 4), value)
        filled <- filled + 4

    let bytes (content: ReadOnlySpan<byte>) =
        content.CopyTo(Span(buffer, filled, content.Length))
        filled <- filled + content.Length

    let head (length: int) (kind: byte) (flags: byte) (stream: int) =
        room (FrameHead.size + length)
        // Three bytes of length, one of the type.
        BinaryPrimitives.WriteInt32BigEndian(Span(buffer, filled, 4), length <<< 8 ||| int kind)
        buffer[filled + 4] <- flags
        filled <- filled + 5
        number stream

    /// Bytes as they are.
    member _.Bytes(content: ReadOnlySpan<byte>) : unit =
        room content.Length
        bytes content

    /// The settings of this side.
    member _.Settings(settings: (int * int) list) : unit =
        head (6 * settings.Length) FrameType.Settings 0uy 0

        for key, value in settings do
            BinaryPrimitives.WriteInt16BigEndian(Span(buffer, filled, 2), int16 key)
            filled <- filled + 2
            number value

    /// Acknowledges the other side's settings.
    member _.Ack() : unit =
        head 0 FrameType.Settings FrameFlag.ack 0

    /// The answer to a ping.
    member _.Pong(content: ReadOnlySpan<byte>) : unit =
        head content.Length FrameType.Ping FrameFlag.ack 0
        bytes content

    /// Allows the other side to send `more` bytes. `stream`: 0 for the whole connection.
    member _.WindowUpdate(stream: int, more: int) : unit =
        head 4 FrameType.WindowUpdate 0uy stream
        number more

    /// A stream is broken off.
    member _.Reset(stream: int, error: int) : unit =
        head 4 FrameType.Reset 0uy stream
        number error

    /// The connection is broken off.
    member _.GoAway(lastStream: int, error: int) : unit =
        head 8 FrameType.GoAway 0uy 0
        number lastStream
        number error

    /// A block of fields, in as many frames as it takes. Returns the bytes of them.
    member _.Headers(stream: int, block: byte[], ends: bool, mostInFrame: int) : int =
        let before = filled - first
        let mutable at = 0
        let mutable isFirst = true

        while isFirst || at < block.Length do
            let count = min mostInFrame (block.Length - at)

            let flags =
                (if isFirst && ends then FrameFlag.endStream else 0uy)
                ||| (if at + count = block.Length then FrameFlag.endHeaders else 0uy)

            head count (if isFirst then FrameType.Headers else FrameType.Continuation) flags stream
            bytes (ReadOnlySpan(block, at, count))
            at <- at + count
            isFirst <- false

        filled - first - before

    /// A part of a body. Returns the bytes of its frame.
    member _.Data(stream: int, content: ReadOnlySpan<byte>, ends: bool) : int =
        head content.Length FrameType.Data (if ends then FrameFlag.endStream else 0uy) stream
        bytes content
        FrameHead.size + content.Length

    /// Nothing is to be sent.
    member _.IsEmpty = filled = first

    /// The bytes to send.
    member _.Pending: ReadOnlyMemory<byte> = ReadOnlyMemory(buffer, first, filled - first)

    /// The number of bytes that the socket has taken; and of all bytes that were written.
    member _.Taken = taken
    member _.Total = taken + int64 (filled - first)

    /// The socket took so many of the bytes to send.
    member _.Sent(count: int) : unit =
        first <- first + count
        taken <- taken + int64 count

        if first = filled then
            first <- 0
            filled <- 0
