// The requests that a connection of the server that does nothing sends: where each ends, and what the answer to it is.
namespace Plait.Load


open System
open System.Buffers.Text
open System.Text

module private NullResponse =
    let body = String('x', 64)

    let head =
        $"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {body.Length}\r\n\r\n"

    let response = Encoding.ASCII.GetBytes(head + body)
    let emptyLine = "\r\n\r\n"B
    let contentLength = "content-length:"B

    /// How many bytes of body the head of a request announces.
    let announced (head: ReadOnlySpan<byte>) : int64 =
        let mutable at = 0
        let mutable length = 0L

        while at >= 0 && at < head.Length do
            let line = head.Slice at

            if
                line.Length > contentLength.Length
                && Ascii.EqualsIgnoreCase(line.Slice(0, contentLength.Length), ReadOnlySpan contentLength)
            then
                let mutable used = 0

                Utf8Parser.TryParse(line.Slice(contentLength.Length).TrimStart 32uy, &length, &used)
                |> ignore

            let next = line.IndexOf 10uy
            at <- if next < 0 then -1 else at + next + 1

        length

/// What one connection has sent of its request.
[<Sealed>]
type internal NullRequest() =
    let mutable buffer = Array.zeroCreate<byte> 4096
    let mutable held = 0
    let mutable left = -1L
    let mutable isHead = false

    /// Where the next bytes go.
    member _.Room = Memory(buffer, held, buffer.Length - held)

    /// So many bytes were put there. True: the request is whole, and the next one begins.
    member _.Take(count: int) : bool =
        if left >= 0L then
            left <- left - int64 count
        else
            held <- held + count
            let bytes = ReadOnlySpan(buffer, 0, held)
            let finish = bytes.IndexOf(ReadOnlySpan NullResponse.emptyLine)

            if finish >= 0 then
                isHead <- buffer[0] = 72uy
                left <- NullResponse.announced (bytes.Slice(0, finish + 2)) - int64 (held - finish - 4)
                held <- 0
            elif held = buffer.Length then
                Array.Resize(&buffer, 2 * held)

        if left = 0L then
            left <- -1L
            true
        else
            false

    /// The bytes of its response.
    member _.Response =
        ReadOnlyMemory(
            NullResponse.response,
            0,
            (if isHead then NullResponse.head.Length else NullResponse.response.Length)
        )
