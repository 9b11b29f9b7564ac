// The end of a body in chunks (RFC 9112, 7.1): in responses, in requests that the null server reads, and in requests before they are
// sent. It changes only its own state, and allocates nothing.
namespace Plait.Load

open System

open Plait.Common

/// Where in the chunks the next byte belongs.
type internal ChunkState =
    | Size = 0
    | Extension = 1
    | Data = 2
    /// The line end behind the data.
    | End = 3
    | Trailers = 4
    /// Behind the last of them.
    | Over = 5

/// The framing of one connection's bodies.
[<Sealed>]
type internal ChunkFraming() =
    let mutable state = ChunkState.Size
    let mutable left = 0L
    let mutable lineLength = 0

    let hexOf (value: byte) =
        if value >= 48uy && value <= 57uy then int value - 48
        elif value >= 97uy && value <= 102uy then int value - 87
        elif value >= 65uy && value <= 70uy then int value - 55
        else -1

    let sizeEnded () =
        if lineLength = 0 then
            false
        else
            state <- if left = 0L then ChunkState.Trailers else ChunkState.Data
            lineLength <- 0
            true

    /// Begins with the size of the first chunk.
    member _.Start() : unit =
        state <- ChunkState.Size
        left <- 0L
        lineLength <- 0

    /// Where the next byte belongs.
    member _.State = state

    /// Bytes of data before the chunk ends.
    member _.Left = left

    /// So many bytes of data were taken.
    member _.TakeData(count: int) : unit =
        left <- left - int64 count

        if left = 0L then
            state <- ChunkState.End

    /// Takes a byte that is not data; false: it does not belong there.
    member this.Take(value: byte) : bool =
        match state with
        | ChunkState.Size ->
            let digit = hexOf value

            if digit >= 0 then
                // As many zeros may come first as there are.
                let hasRoom = left <= (Int64.MaxValue >>> 4)
                left <- left * 16L + int64 digit
                lineLength <- lineLength + 1
                hasRoom
            elif value = 59uy || value = 32uy || value = 9uy || value = 13uy then
                state <- ChunkState.Extension
                lineLength > 0
            else
                value = 10uy && sizeEnded ()
        | ChunkState.Extension -> value <> 10uy || sizeEnded ()
        | ChunkState.End ->
            if value = 10uy then
                this.Start()

            value = 10uy || value = 13uy
        | _ ->
            if value = 10uy then
                // The empty line is the end.
                if lineLength = 0 then
                    state <- ChunkState.Over

                lineLength <- 0
            elif value <> 13uy then
                lineLength <- lineLength + 1

            true

    member private this.Take(bytes: ReadOnlySpan<byte>, needsBoth: bool) : int =
        let mutable at = 0
        let mutable good = true

        while good && at < bytes.Length && state <> ChunkState.Over do
            if state = ChunkState.Data then
                let count = int (min left (int64 (bytes.Length - at)))
                this.TakeData count
                at <- at + count

                if needsBoth && state = ChunkState.End then
                    good <- bytes.Slice(at).StartsWith(ReadOnlySpan "\r\n"B)
            else
                good <- this.Take bytes[at]
                at <- at + 1

        if good then at else -1

    /// Takes bytes up to the end of the body. Returns how many were taken, or -1: they are no chunks.
    member this.TakeAll(bytes: ReadOnlySpan<byte>) : int = this.Take(bytes, false)

    /// Begins anew, and takes these bytes; true: they are a body of chunks, from the first one to the empty line behind the last. Both
    /// CR and LF must stand behind the data, as servers want it.
    member this.TakesWhole(body: ReadOnlySpan<byte>) : bool =
        this.Start()
        this.Take(body, true) = body.Length && state = ChunkState.Over

    /// Whether these bytes are a body of chunks, from the first one to the empty line behind the last.
    static member IsWhole(body: byte[]) : bool =
        ChunkFraming().TakesWhole(ReadOnlySpan body)

/// Bodies that are sent in chunks.
module internal ChunkedBody =
    /// These headers send the body in chunks.
    let isChunked (headers: (string * string) list) =
        headers
        |> List.exists (fun (name, value) ->
            String.Equals(name, "Transfer-Encoding", StringComparison.OrdinalIgnoreCase)
            && value.TrimEnd().EndsWith("chunked", StringComparison.OrdinalIgnoreCase))

    /// The chunk at the end.
    let last = "0\r\n\r\n"B

    /// The bytes in front of a chunk, and behind the only one.
    let before (length: int) : byte[] =
        Text.Encoding.ASCII.GetBytes $"{length:x}\r\n"

    let behind = "\r\n0\r\n\r\n"B

    /// The body as one chunk.
    let oneChunk (body: byte[]) : byte[] =
        if body.Length = 0 then last else Array.concat [ before body.Length; body; behind ]

    /// The line of a chunk of size 0: zeros, and maybe an extension.
    let private isLast (line: ReadOnlySpan<byte>) =
        let zeros = line.IndexOfAnyExcept '0'B
        line.Length > 0 && (zeros < 0 || zeros > 0 && " \t;"B.AsSpan().Contains line[zeros])

    /// Behind the data of chunks: the chunk of size 0, maybe trailers, and the empty line.
    let private endsWithLast (body: ReadOnlySpan<byte>) : bool =
        let mutable rest = body
        let mutable found = false
        let mutable goesOn = body.EndsWith(ReadOnlySpan "\r\n\r\n"B)

        if goesOn then
            rest <- body.Slice(0, body.Length - 4)

        while goesOn do
            let lineEnd = rest.LastIndexOf(ReadOnlySpan "\r\n"B)
            let line = rest.Slice(lineEnd + 2)
            found <- lineEnd >= 0 && isLast line
            goesOn <- lineEnd >= 0 && not found && line.IndexOf ':'B > 0

            if goesOn then
                rest <- rest.Slice(0, lineEnd)

        found

    /// The body looks like chunks: a size in its first line, and the chunk of size 0 at its end. The sizes need not fit.
    let seemsInChunks (body: ReadOnlySpan<byte>) : bool =
        let framing = ChunkFraming()
        let line = body.IndexOf '\n'B + 1

        ChunkFraming().TakesWhole body
        || line > 0
           && framing.TakeAll(body.Slice(0, line)) = line
           && framing.State = ChunkState.Data
           && endsWithLast (body.Slice line)

    /// The error of a body in chunks with wrong sizes. `request`: method and URL; `values`: the part with which the sizes disagree.
    let misfit (request: string) (values: string) : exn =
        BadInput
            $"the body of the request {request} is written in chunks, and their sizes do not fit {values}; write sizes that fit, or leave the sizes and the chunk of size 0 away: the generator then writes the chunks"

    /// The body as these headers send it: with `Transfer-Encoding: chunked`, a body that is not written in chunks becomes one
    /// chunk. Raises BadInput for sizes that do not fit. `request`: for the sentence.
    let framed (request: string) (headers: (string * string) list) (body: byte[]) : byte[] =
        if not (isChunked headers) || ChunkFraming.IsWhole body then body
        elif seemsInChunks (ReadOnlySpan body) then raise (misfit request "its bytes")
        else oneChunk body
