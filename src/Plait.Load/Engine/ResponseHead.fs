// Pure: reads the head of an HTTP/1.1 response from bytes without allocating. It reads only the fields that the load
// generator needs to check a response and to find its end.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Text

/// The head of one response.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type ResponseHead =
    {
        /// Bytes from the first of the status line to the last of the empty line; 0: the head is not complete yet;
        /// -1: these bytes do not begin an HTTP/1.x response.
        Length: int
        /// The status code.
        Status: int
        /// The value of Content-Length; ResponseHead.noLength: there is none; ResponseHead.badLength: it is not a number of
        /// at most 63 bits, or there are two that differ.
        BodyLength: int64
        /// The body comes in chunks (the last coding of Transfer-Encoding is `chunked`).
        Chunked: bool
        /// The server closes the connection after this response: its head has `Connection: close`, or it is of HTTP/1.0
        /// without keep-alive.
        Closes: bool
        /// Its Date, in seconds since 1970; 0: it has none that can be read.
        Date: int64
    }

/// Reading response heads.
module ResponseHead =
    // A line may end with a line feed alone (RFC 9112, 2.2).
    let private emptyLine = "\n\r\n"B
    let private bareEmptyLine = "\n\n"B
    let private version = "HTTP/1."B
    let private contentLength = "Content-Length"B
    let private transferEncoding = "Transfer-Encoding"B
    let private connection = "Connection"B
    let private locationName = "Location"B
    let private date = "Date"B
    let private close = "close"B
    let private chunked = "chunked"B
    // RFC 2616 has it: no coding.
    let private identity = "identity"B
    // A line feed is in a field of several lines.
    let private blanks = " \t\r\n"B
    let private blanksAndCommas = " \t\r\n,"B
    let private keepAlive = "keep-alive"B

    /// BodyLength of a head without Content-Length.
    let noLength = -1L

    /// BodyLength of a head whose Content-Length is not a number of at most 63 bits, or not always the same.
    let badLength = -2L

    let private unfinished =
        {
            Length = 0
            Status = 0
            BodyLength = noLength
            Chunked = false
            Closes = false
            Date = 0L
        }

    let private alien = { unfinished with Length = -1 }

    let private isDigit (value: byte) = value >= 48uy && value <= 57uy

    let private wholeNumber (text: ReadOnlySpan<byte>) : int64 =
        let mutable value = 0L
        let mutable used = 0

        // The parser would take a sign, which the header may not have.
        if
            text.Length > 0
            && isDigit text[0]
            && Utf8Parser.TryParse(text, &value, &used)
            && used = text.Length
        then
            value
        else
            badLength

    /// The length of two Content-Lengths, or of one and none.
    let internal bothLengths (before: int64) (said: int64) : int64 =
        if before = noLength || before = said then said else badLength

    /// The length that a head has with one more Content-Length: `before` is the length without it. The same number
    /// may be there more than once, in one value too (RFC 9110, 8.6).
    let internal lengthWith (before: int64) (value: ReadOnlySpan<byte>) : int64 =
        let mutable length = before
        let mutable rest = value
        let mutable goesOn = true

        while goesOn do
            let comma = rest.IndexOf 44uy
            let one = if comma < 0 then rest else rest.Slice(0, comma)
            let said = wholeNumber (one.Trim(ReadOnlySpan blanks))
            length <- bothLengths length said
            goesOn <- comma >= 0
            rest <- rest.Slice(comma + 1)

        length

    /// The seconds since 1970 of a Date as servers write it (RFC 9110, 5.6.7: Sun, 06 Nov 1994 08:49:37 GMT); 0: it is none.
    let internal secondsOf (value: ReadOnlySpan<byte>) : int64 =
        let mutable time = DateTimeOffset()
        let mutable used = 0

        if Utf8Parser.TryParse(value, &time, &used, 'R') && used = value.Length then
            time.ToUnixTimeSeconds()
        else
            0L

    /// Whether a list with commas has a word.
    let private hasWord (list: ReadOnlySpan<byte>) (word: byte array) =
        let mutable rest = list
        let mutable found = false
        let mutable goesOn = true

        while goesOn && not found do
            let comma = rest.IndexOf 44uy
            let one = if comma < 0 then rest else rest.Slice(0, comma)
            found <- Ascii.EqualsIgnoreCase(one.Trim(ReadOnlySpan blanks), ReadOnlySpan word)
            goesOn <- comma >= 0
            rest <- rest.Slice(comma + 1)

        found

    /// The last word of a list. Empty words do not count (RFC 9110, 5.6.1).
    let private lastWord (list: ReadOnlySpan<byte>) : ReadOnlySpan<byte> =
        let list = list.TrimEnd(ReadOnlySpan blanksAndCommas)
        list.Slice(list.LastIndexOf 44uy + 1).Trim(ReadOnlySpan blanks)

    /// Where the line feed of the first field is; -1: it is the last. A line that begins with a blank belongs to the field before it
    /// (RFC 9112, 5.2).
    let private fieldEnd (lines: ReadOnlySpan<byte>) : int =
        let mutable at = lines.IndexOf 10uy

        while at >= 0 && at + 1 < lines.Length && (lines[at + 1] = 32uy || lines[at + 1] = 9uy) do
            let more = lines.Slice(at + 1).IndexOf 10uy
            at <- if more < 0 then -1 else at + 1 + more

        at

    /// The value of a field, whose colon is at `colon`.
    let private valueOf (line: ReadOnlySpan<byte>) (colon: int) : ReadOnlySpan<byte> =
        line.Slice(colon + 1).Trim(ReadOnlySpan blanks)

    let private fields (status: int) (length: int) (isOld: bool) (lines: ReadOnlySpan<byte>) : ResponseHead =
        let mutable rest = lines
        let mutable bodyLength = noLength
        let mutable inChunks = false
        // Its last coding is not chunked: the body ends with the connection, and Content-Length does not count (RFC 9112, 6.3).
        let mutable isCoded = false
        let mutable closes = isOld
        let mutable isTransferred = false
        let mutable seconds = 0L

        while rest.Length > 0 do
            let lineEnd = fieldEnd rest
            let line = if lineEnd < 0 then rest else rest.Slice(0, lineEnd)
            rest <- if lineEnd < 0 then ReadOnlySpan.Empty else rest.Slice(lineEnd + 1)
            let colon = line.IndexOf 58uy

            if colon > 0 then
                // Blanks in front of the colon are wrong, and ignored.
                let name = line.Slice(0, colon).TrimEnd(ReadOnlySpan blanks)

                if Ascii.EqualsIgnoreCase(name, ReadOnlySpan contentLength) then
                    bodyLength <- lengthWith bodyLength (valueOf line colon)
                elif Ascii.EqualsIgnoreCase(name, ReadOnlySpan transferEncoding) then
                    let coding = lastWord (valueOf line colon)
                    isTransferred <- true

                    if coding.Length > 0 then
                        inChunks <- Ascii.EqualsIgnoreCase(coding, ReadOnlySpan chunked)
                        isCoded <- not inChunks && not (Ascii.EqualsIgnoreCase(coding, ReadOnlySpan identity))
                elif Ascii.EqualsIgnoreCase(name, ReadOnlySpan connection) then
                    let value = valueOf line colon
                    closes <- hasWord value close || (closes && not (isOld && hasWord value keepAlive))
                elif Ascii.EqualsIgnoreCase(name, ReadOnlySpan date) then
                    seconds <- secondsOf (valueOf line colon)

        {
            Length = length
            Status = status
            BodyLength = if isCoded then noLength else bodyLength
            Chunked = inChunks
            // HTTP/1.0 has no Transfer-Encoding: what comes behind such a response is not trusted (RFC 9112, 6.1).
            Closes = closes || isOld && isTransferred
            Date = seconds
        }

    /// Where the line feed of the last line is, and how long the head is with its empty line; -1: it is not complete.
    let private ending (bytes: ReadOnlySpan<byte>) : struct (int * int) =
        let usual = bytes.IndexOf(ReadOnlySpan emptyLine)

        let bare =
            (if usual < 0 then bytes else bytes.Slice(0, usual + 1)).IndexOf(ReadOnlySpan bareEmptyLine)

        if bare >= 0 then struct (bare, bare + bareEmptyLine.Length)
        elif usual >= 0 then struct (usual, usual + emptyLine.Length)
        else struct (-1, 0)

    /// A sentence about bytes that do not begin a response of HTTP/1.1.
    let stranger (bytes: ReadOnlySpan<byte>) : string =
        let sentence = "the response does not begin as one of HTTP/1.1"

        // A TLS record of an alert or a handshake; a frame of settings without a stream.
        if bytes.Length >= 2 && (bytes[0] = 21uy || bytes[0] = 22uy) && bytes[1] = 3uy then
            $"{sentence}: it is a response of TLS; begin the URL with https://"
        elif
            bytes.Length >= 9
            && bytes[0] = 0uy
            && bytes[3] = 4uy
            && bytes.Slice(5, 4).IndexOfAnyExcept 0uy < 0
        then
            $"{sentence}: it is a response of HTTP/2; add --http2"
        else
            $"{sentence}: it begins with '{ResponseWords.beginning bytes}'"

    // Bytes that are no UTF-8 are escaped one by one.
    let private textOf (value: ReadOnlySpan<byte>) : string =
        let text =
            if Unicode.Utf8.IsValid value then
                Encoding.UTF8.GetString value
            else
                RequestUrl.escaped Char.IsAscii value

        // A field of several lines becomes one line.
        text.Replace('\r', ' ').Replace('\n', ' ')

    /// The values of a field in a head.
    let private values (field: byte[]) (head: ReadOnlySpan<byte>) : List<string> =
        let found = List<string>()
        let mutable rest = head

        while rest.Length > 0 do
            let lineEnd = fieldEnd rest
            let line = if lineEnd < 0 then rest else rest.Slice(0, lineEnd)
            rest <- if lineEnd < 0 then ReadOnlySpan.Empty else rest.Slice(lineEnd + 1)
            let colon = line.IndexOf 58uy

            if
                colon > 0
                && Ascii.EqualsIgnoreCase(
                    line.Slice(0, colon).TrimEnd(ReadOnlySpan blanks),
                    ReadOnlySpan field
                )
            then
                found.Add(textOf (valueOf line colon))

        found

    /// The value of a head's Location; null: it has none.
    let location (head: ReadOnlySpan<byte>) : string | null =
        match Seq.tryHead (values locationName head) with
        | None -> null
        | Some place -> place

    /// The values of a head's Content-Length, as text.
    let lengths (head: ReadOnlySpan<byte>) : string =
        String.concat ", " (values contentLength head)

    /// Reads the head that begins at the first byte of `bytes`. Allocates nothing. The bytes behind the head are not
    /// looked at.
    let read (bytes: ReadOnlySpan<byte>) : ResponseHead =
        let prefix = min bytes.Length version.Length

        if not (bytes.Slice(0, prefix).SequenceEqual(ReadOnlySpan(version, 0, prefix))) then
            alien
        else
            let struct (finish, length) = ending bytes

            if finish < 0 then
                unfinished
            elif
                // "HTTP/1.1 200": the code is three digits behind one space, 100 at least.
                finish < 12
                || bytes[8] <> 32uy
                || not (isDigit bytes[9] && isDigit bytes[10] && isDigit bytes[11])
                || bytes[9] = 48uy
                || (finish > 12 && bytes[12] <> 32uy && bytes[12] <> 13uy && bytes[12] <> 10uy)
            then
                alien
            else
                let status = int (wholeNumber (bytes.Slice(9, 3)))
                let first = min finish (bytes.IndexOf 10uy + 1)

                fields status length (bytes[7] = 48uy) (bytes.Slice(first, finish - first))

/// Reads the heads of one connection of HTTP/1.1.
[<Sealed>]
type internal HeadReader() =
    let last = LastRead<ResponseHead>()

    /// Reads the head that begins at the first byte, as ResponseHead.read does.
    member _.Read(from: ReadOnlySpan<byte>) : ResponseHead =
        if last.Begins from then
            last.Meaning
        else
            let head = ResponseHead.read from

            if head.Length > 0 then
                last.Keep(from.Slice(0, head.Length), head)

            head
