// The header fields of a response of HTTP/2: the ones that the load generator needs, and the errors in all of them. For the one thread
// of the engine.
namespace Plait.Load

open System
open System.Buffers
open System.Buffers.Text
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Text

open Plait.Http2

/// The fields of one head.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Http2Head =
    {
        /// The error in them, or null. Of wrong fields nothing else counts.
        Wrong: string | null
        /// The error is in the code of the block, which ends the connection.
        IsCodeWrong: bool
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
        "a field of the response is about one connection, like Connection or Transfer-Encoding, and HTTP/2 forbids that"

    // Characters that no name may have besides the colon in front of :status (RFC 9113, 8.2.1).
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
            "a field of the response begins with a colon; a response has one :status, before all other fields, and no more such fields"
        | _ when name.IndexOfAny forbidden >= 0 ->
            if name.IndexOfAnyInRange('A'B, 'Z'B) >= 0 then
                "a field of the response has capitals in its name"
            else
                $"a field of the response has a byte in its name that HTTP/2 forbids there: '{ResponseWords.beginning name}'"
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

/// The fields that a head is read for.
type private FieldKind =
    | Other = 0
    | Status = 1
    | Date = 2
    | Location = 3
    | ContentLength = 4

/// The meaning of a field: its kind, and its value if that is a number.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type private FieldMeaning = { Kind: FieldKind; Number: int64 }

/// Reads the heads and trailers of one connection. A head with the same bytes as the one before is not read again, nor is a field of
/// a head with the same bytes as the one in its place before: they have one meaning only, because there is no dynamic table.
[<Sealed>]
type internal Http2HeadReader() =
    // Fields behind these are read each time.
    static let mostPlaces = 32
    let fields = FieldReader()
    let lastHead = LastRead<Http2Head>()
    let lastFields = List<LastRead<FieldMeaning>>()

    let statusOf (text: ReadOnlySpan<byte>) : int64 =
        let mutable value = 0
        let mutable used = 0

        if text.Length = 3 && Utf8Parser.TryParse(text, &value, &used) && used = 3 && value >= 100 then
            int64 value
        else
            0L

    // By their length first: most fields are none of these.
    let kindOf (name: ReadOnlySpan<byte>) : FieldKind =
        match name.Length with
        | 4 when name.SequenceEqual(ReadOnlySpan "date"B) -> FieldKind.Date
        | 8 when name.SequenceEqual(ReadOnlySpan "location"B) -> FieldKind.Location
        | 14 when name.SequenceEqual(ReadOnlySpan "content-length"B) -> FieldKind.ContentLength
        | _ -> FieldKind.Other

    let numberOf (kind: FieldKind) (value: ReadOnlySpan<byte>) : int64 =
        match kind with
        | FieldKind.Status -> statusOf value
        | FieldKind.Date -> ResponseHead.secondsOf value
        | FieldKind.ContentLength -> ResponseHead.lengthWith ResponseHead.noLength value
        | _ -> 0L

    let read () : Http2Head =
        let mutable status = 0L
        let mutable location: string | null = null
        let mutable length = ResponseHead.noLength
        let mutable date = 0L
        let mutable wrong: string | null = null
        let mutable place = 0

        while fields.Next() do
            if place = lastFields.Count && place < mostPlaces then
                lastFields.Add(LastRead())

            let isKept = place < mostPlaces

            let field =
                if isKept && lastFields[place].Is fields.Code then
                    lastFields[place].Meaning
                else
                    let name = fields.Name

                    let kind =
                        if place = 0 && name.SequenceEqual(ReadOnlySpan ":status"B) then
                            FieldKind.Status
                        else
                            if isNull wrong then
                                wrong <- FieldErrors.ofName name

                            kindOf name

                    let value = fields.Value

                    if isNull wrong then
                        wrong <- FieldErrors.ofValue value

                    let field = { Kind = kind; Number = numberOf kind value }

                    if
                        kind = FieldKind.ContentLength
                        && field.Number = ResponseHead.badLength
                        && isNull wrong
                    then
                        wrong <- ResponseWords.badLength "content-length" (Encoding.Latin1.GetString value)

                    if kind = FieldKind.Location then
                        location <- Encoding.UTF8.GetString value
                    elif isKept && isNull wrong && isNull fields.Trouble then
                        lastFields[place].Keep(fields.Code, field)

                    field

            match field.Kind with
            | FieldKind.Status -> status <- field.Number
            | FieldKind.Date -> date <- field.Number
            | FieldKind.ContentLength -> length <- ResponseHead.bothLengths length field.Number
            | _ -> ()

            place <- place + 1

        {
            Wrong =
                if not (isNull fields.Trouble) then fields.Trouble
                elif not (isNull wrong) then wrong
                elif status = 0L then "the head of the response has no status of three digits"
                elif status = 101L then "the status of the response is 101, which HTTP/2 does not have"
                elif length = ResponseHead.badLength then "there are two content-lengths that differ"
                else null
            IsCodeWrong = not (isNull fields.Trouble)
            Status = int status
            Location = location
            ContentLength = length
            Date = date
        }

    /// Reads the fields of a head. `from` and `count`: where its block is in `block`.
    member _.Head(block: byte[], from: int, count: int) : Http2Head =
        let bytes = ReadOnlySpan(block, from, count)

        if lastHead.Is bytes then
            lastHead.Meaning
        else
            fields.Start(block, from, count)
            let head = read ()
            lastHead.Keep(bytes, head)
            head

    /// Reads the fields behind a body. Returns the error in them, or null, and whether it is in the code of the block.
    member _.Trailers(block: byte[], from: int, count: int) : struct (string | null * bool) =
        let mutable wrong: string | null = null
        fields.Start(block, from, count)

        while fields.Next() do
            if isNull wrong then
                wrong <- FieldErrors.ofName fields.Name

            if isNull wrong then
                wrong <- FieldErrors.ofValue fields.Value

        match fields.Trouble with
        | null -> struct (wrong, false)
        | trouble -> struct (trouble, true)

    /// The fields of a block take up more than so many bytes.
    member _.IsLonger(most: int, block: byte[], from: int, count: int) : bool =
        fields.IsLonger(most, block, from, count)
