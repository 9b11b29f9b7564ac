// The header fields of a response of HTTP/2: the ones that the load generator needs, and the errors in all of them. For the one thread
// of the engine.
namespace Plait.Load

open System
open System.Buffers
open System.Buffers.Text
open System.Runtime.CompilerServices
open System.Text

open Plait.Http2

/// The fields of one head.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Http2Head =
    {
        /// The error in them, or null. Of wrong fields nothing else counts.
        Wrong: string | null
        Status: int
        /// Where it redirects to, or null.
        Location: string | null
        /// The value of content-length; ResponseHead.noLength: there is none.
        ContentLength: int64
        /// Its date, in seconds since 1970; 0: it has none.
        Date: int64
    }

/// The errors of single fields.
module private FieldErrors =
    let private aboutConnection =
        "a field of the response is about one connection, which fields of HTTP/2 never are"

    // What no name may have besides the colon in front of :status (RFC 9113, 8.2.1).
    let private forbidden =
        SearchValues.Create(
            ReadOnlySpan
                [|
                    yield! [| 0uy .. 0x20uy |]
                    ':'B
                    yield! [| 'A'B .. 'Z'B |]
                    yield! [| 0x7Fuy .. 0xFFuy |]
                |]
        )

    /// The error in the name of a field that is not the :status in front (RFC 9113, 8.2 and 8.3), or null.
    let ofName (name: ReadOnlySpan<byte>) : string | null =
        match name.Length with
        | 0 -> "a field of the response has no name"
        | _ when name[0] = ':'B ->
            "a field of the response begins with a colon, and is not the one :status in front of the others"
        | _ when name.IndexOfAny forbidden >= 0 ->
            if name.IndexOfAnyInRange('A'B, 'Z'B) >= 0 then
                "a field of the response has capitals in its name"
            else
                $"a field of the response has a byte in its name that no name may have: '{ResponseWords.beginning name}'"
        | 7 when name.SequenceEqual(ReadOnlySpan "upgrade"B) -> aboutConnection
        | 10 when
            name.SequenceEqual(ReadOnlySpan "connection"B)
            || name.SequenceEqual(ReadOnlySpan "keep-alive"B)
            ->
            aboutConnection
        | 16 when name.SequenceEqual(ReadOnlySpan "proxy-connection"B) -> aboutConnection
        | 17 when name.SequenceEqual(ReadOnlySpan "transfer-encoding"B) -> aboutConnection
        | _ -> null

    let private isBlank (letter: byte) = letter = ' 'B || letter = '\t'B

    /// The error in the value of a field (RFC 9113, 8.2.1), or null.
    let ofValue (value: ReadOnlySpan<byte>) : string | null =
        if value.IndexOfAny(0uy, '\r'B, '\n'B) >= 0 then
            "the value of a field of the response has a NUL or a line end in it"
        elif value.Length > 0 && (isBlank value[0] || isBlank value[value.Length - 1]) then
            "the value of a field of the response begins or ends with a blank"
        else
            null

/// Reads the heads and trailers of one connection. A head with the same bytes as the one before, which most have, is not read again:
/// the bytes of a head have one meaning only, because there is no dynamic table.
[<Sealed>]
type internal Http2HeadReader() =
    // Longer heads are read each time.
    static let mostKept = 1024
    let fields = FieldReader()
    let mutable bytes: byte[] = [||]
    let mutable length = 0
    let mutable last = Unchecked.defaultof<Http2Head>

    let statusOf (text: ReadOnlySpan<byte>) : int =
        let mutable value = 0
        let mutable used = 0

        if text.Length = 3 && Utf8Parser.TryParse(text, &value, &used) && used = 3 && value >= 100 then
            value
        else
            0

    let read () : Http2Head =
        let mutable status = 0
        let mutable location: string | null = null
        let mutable length = ResponseHead.noLength
        let mutable date = 0L
        let mutable wrong: string | null = null
        let mutable isFirst = true

        while fields.Next() do
            let name = fields.Name

            // By their length first: most fields are none of these.
            match name.Length with
            | 7 when isFirst && name.SequenceEqual(ReadOnlySpan ":status"B) -> status <- statusOf fields.Value
            | _ when isNull wrong && not (isNull (FieldErrors.ofName name)) ->
                wrong <- FieldErrors.ofName name
            | 4 when name.SequenceEqual(ReadOnlySpan "date"B) -> date <- ResponseHead.secondsOf fields.Value
            | 8 when name.SequenceEqual(ReadOnlySpan "location"B) ->
                location <- Encoding.UTF8.GetString fields.Value
            | 14 when name.SequenceEqual(ReadOnlySpan "content-length"B) ->
                length <- ResponseHead.lengthWith length fields.Value
            | _ -> ()

            if isNull wrong then
                wrong <- FieldErrors.ofValue fields.Value

            isFirst <- false

        {
            Wrong =
                if not (isNull fields.Trouble) then
                    fields.Trouble
                elif not (isNull wrong) then
                    wrong
                elif status = 0 then
                    "the head of the response has no status of three digits"
                elif status = 101 then
                    "the status of the response is 101, which HTTP/2 does not have"
                elif length = ResponseHead.badLength then
                    "content-length is not a number, or there are two that differ"
                else
                    null
            Status = status
            Location = location
            ContentLength = length
            Date = date
        }

    let keep (block: ReadOnlySpan<byte>) =
        length <- if block.Length <= mostKept then block.Length else 0

        if bytes.Length < length then
            bytes <- Array.zeroCreate length

        block.Slice(0, length).CopyTo(Span bytes)

    /// Reads the fields of a head. `from` and `count`: where its block is in `block`.
    member _.Head(block: byte[], from: int, count: int) : Http2Head =
        let known = ReadOnlySpan(bytes, 0, length)

        if length = 0 || not (known.SequenceEqual(ReadOnlySpan(block, from, count))) then
            fields.Start(block, from, count)
            last <- read ()
            keep (ReadOnlySpan(block, from, (if isNull fields.Trouble then count else 0)))

        last

    /// Reads the fields behind a body. Returns the error in them, or null.
    member _.Trailers(block: byte[], from: int, count: int) : string | null =
        let mutable wrong: string | null = null
        fields.Start(block, from, count)

        while fields.Next() do
            if isNull wrong then
                wrong <- FieldErrors.ofName fields.Name

            if isNull wrong then
                wrong <- FieldErrors.ofValue fields.Value

        if isNull fields.Trouble then wrong else fields.Trouble

    /// The fields of a block take up more than so many bytes.
    member _.IsLonger(most: int, block: byte[], from: int, count: int) : bool =
        fields.IsLonger(most, block, from, count)

    /// The error in the code of the last block, or null.
    member _.Trouble = fields.Trouble
