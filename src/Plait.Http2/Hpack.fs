// HPACK (RFC 7541) without a dynamic table, which both sides of this program do without: a block of header fields says all it
// says by itself, so that blocks are made once and read in any order. Pure.
namespace Plait.Http2

open System
open System.IO
open System.Text

/// The code of RFC 7541, appendix B: texts as bits. It is canonical: lengths and the order of symbols say all of it.
module internal Huffman =
    /// Which symbols have codes of so many bits, in the order of their codes; 256 is the end of a text, which is never written.
    let private lengths: (int * int list) list =
        let chars (text: string) = [ for letter in text -> int letter ]

        [
            5, chars "012aceiost"
            6, chars " %-./3456789=A_bdfghlmnpru"
            7, chars ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"
            8, chars "&*,;XZ"
            10, chars "!\"()?"
            11, chars "'+|"
            12, chars "#>"
            13, 0 :: chars "$@[]~"
            14, chars "^}"
            15, chars "<`{"
            19, [ 92; 195; 208 ]
            20, [ 128; 130; 131; 162; 184; 194; 224; 226 ]
            21, [ 153; 161; 167; 172; 176; 177; 179; 209; 216; 217; 227; 229; 230 ]
            22,
            [ 129; 132; 133; 134; 136; 146; 154; 156; 160; 163; 164; 169; 170 ]
            @ [ 173; 178; 181; 185; 186; 187; 189; 190; 196; 198; 228; 232; 233 ]
            23,
            [ 1; 135; 137; 138; 139; 140; 141; 143; 147; 149; 150; 151; 152; 155; 157 ]
            @ [ 158; 165; 166; 168; 174; 175; 180; 182; 183; 188; 191; 197; 231; 239 ]
            24, [ 9; 142; 144; 145; 148; 159; 171; 206; 215; 225; 236; 237 ]
            25, [ 199; 207; 234; 235 ]
            26, [ 192; 193; 200; 201; 202; 205; 210; 213; 218; 219; 238; 240; 242; 243; 255 ]
            27, [ 203; 204; 211; 212; 214; 221; 222; 223; 241 ] @ [ 244..248 ] @ [ 250..254 ]
            28, [ 2..8 ] @ [ 11; 12 ] @ [ 14..21 ] @ [ 23..31 ] @ [ 127; 220; 249 ]
            30, [ 10; 13; 22; 256 ]
        ]

    let private longest = 30
    let private symbols = lengths |> List.collect snd |> Array.ofList
    // For each length: the first code, how many there are, and where the symbols of the first begins.
    let private firstCodes = Array.zeroCreate<uint64>(longest + 1)
    let private counts = Array.zeroCreate<uint64>(longest + 1)
    let private firstSymbols = Array.zeroCreate<int>(longest + 1)

    do
        for bits, some in lengths do
            counts[bits] <- uint64 some.Length

        for bits in 1..longest do
            firstCodes[bits] <- (firstCodes[bits - 1] + counts[bits - 1]) <<< 1
            firstSymbols[bits] <- firstSymbols[bits - 1] + int counts[bits - 1]

    /// The symbol at the top of the bits and the length of its code; (-1, 0): none.
    let private search (bits: uint64) (from: int) : struct (int * int) =
        let mutable length = from
        let mutable symbol = -1

        while symbol < 0 && length <= longest do
            // A value below the first code wraps around to more than any count.
            let offset = (bits >>> (64 - length)) - firstCodes[length]

            if offset < counts[length] then
                symbol <- symbols[firstSymbols[length] + int offset]
            else
                length <- length + 1

        if symbol < 0 then struct (-1, 0) else struct (symbol, length)

    // The same for the codes of up to 8 bits, by the first byte: symbol * 16 + length; 0: it is longer.
    let private short =
        Array.init 256 (fun first ->
            match search (uint64 first <<< 56) 1 with
            | struct (symbol, length) when length <= 8 && symbol >= 0 -> symbol * 16 + length
            | _ -> 0)

    /// The most bytes that a text of so many coded bytes can have.
    let room (coded: int) : int = coded * 8 / 5

    /// Writes the text of coded bytes. Returns its length; -1: these bytes are no text.
    let decode (coded: ReadOnlySpan<byte>) (into: Span<byte>) : int =
        let mutable bits = 0UL
        let mutable held = 0
        let mutable next = 0
        let mutable length = 0
        let mutable isOver = false
        let mutable isGood = true

        while not isOver do
            while held <= 56 && next < coded.Length do
                bits <- bits ||| (uint64 coded[next] <<< (56 - held))
                held <- held + 8
                next <- next + 1

            let entry = short[int (bits >>> 56)]

            let struct (symbol, taken) =
                if entry <> 0 then struct (entry >>> 4, entry &&& 15) else search bits 10

            if taken > 0 && taken <= held && symbol < 256 then
                into[length] <- byte symbol
                length <- length + 1
                bits <- bits <<< taken
                held <- held - taken
            else
                // The rest must be the ones that fill the last byte.
                isOver <- true

                isGood <-
                    next = coded.Length
                    && held < 8
                    && (held = 0 || bits >>> (64 - held) = (1UL <<< held) - 1UL)

        if isGood then length else -1

/// The static table, and the writing of fields.
module Hpack =
    /// RFC 7541, appendix A, from its entry 1 on.
    let entries: (string * string)[] =
        [|
            ":authority", ""
            ":method", "GET"
            ":method", "POST"
            ":path", "/"
            ":path", "/index.html"
            ":scheme", "http"
            ":scheme", "https"
            ":status", "200"
            ":status", "204"
            ":status", "206"
            ":status", "304"
            ":status", "400"
            ":status", "404"
            ":status", "500"
            "accept-charset", ""
            "accept-encoding", "gzip, deflate"
            "accept-language", ""
            "accept-ranges", ""
            "accept", ""
            "access-control-allow-origin", ""
            "age", ""
            "allow", ""
            "authorization", ""
            "cache-control", ""
            "content-disposition", ""
            "content-encoding", ""
            "content-language", ""
            "content-length", ""
            "content-location", ""
            "content-range", ""
            "content-type", ""
            "cookie", ""
            "date", ""
            "etag", ""
            "expect", ""
            "expires", ""
            "from", ""
            "host", ""
            "if-match", ""
            "if-modified-since", ""
            "if-none-match", ""
            "if-range", ""
            "if-unmodified-since", ""
            "last-modified", ""
            "link", ""
            "location", ""
            "max-forwards", ""
            "proxy-authenticate", ""
            "proxy-authorization", ""
            "range", ""
            "referer", ""
            "refresh", ""
            "retry-after", ""
            "server", ""
            "set-cookie", ""
            "strict-transport-security", ""
            "transfer-encoding", ""
            "user-agent", ""
            "vary", ""
            "via", ""
            "www-authenticate", ""
        |]

    /// The bytes that a field takes up in a head whose name and value have so many: those of HTTP/1.1, with a colon, a blank and
    /// the end of the line.
    let fieldSize (name: int) (value: int) : int = name + value + 4

    /// The bytes of fields that one byte of a block stands for at most.
    let mostOfByte =
        entries
        |> Array.map (fun (name, value) -> fieldSize name.Length value.Length)
        |> Array.max

    // The size of the table of fields that were sent before, which is 0 from here on. A side that has allowed less than the usual
    // size must hear of a new one in the next block (RFC 7541, 4.2), and every side accepts it again.
    let private noTable = 32uy

    /// A whole number behind the bits that share its first byte (RFC 7541, 5.1).
    let private writeNumber (into: MemoryStream) (first: byte) (bits: int) (value: int) =
        let most = (1 <<< bits) - 1

        if value < most then
            into.WriteByte(first ||| byte value)
        else
            into.WriteByte(first ||| byte most)
            let mutable rest = value - most

            while rest >= 128 do
                into.WriteByte(byte (rest &&& 127) ||| 128uy)
                rest <- rest >>> 7

            into.WriteByte(byte rest)

    let private writeText (into: MemoryStream) (text: string) =
        let bytes = Encoding.UTF8.GetBytes text
        writeNumber into 0uy 7 bytes.Length
        into.Write(bytes, 0, bytes.Length)

    /// The block of these fields, whose names are in lower case. None of them is to be remembered.
    let block (fields: (string * string) list) : byte[] =
        use into = new MemoryStream()
        into.WriteByte noTable

        for name, value in fields do
            match Array.IndexOf(entries, (name, value)) with
            | whole when whole >= 0 && value <> "" -> writeNumber into 128uy 7 (whole + 1)
            | _ ->
                match entries |> Array.tryFindIndex (fun (other, _) -> other = name) with
                | Some index -> writeNumber into 0uy 4 (index + 1)
                | None ->
                    into.WriteByte 0uy
                    writeText into name

                writeText into value

        into.ToArray()

/// Reads the fields of a block one after the other. Allocates nothing but for texts longer than any before. For one thread.
[<Sealed>]
type FieldReader() =
    static let names =
        Array.append
            [| [||] |]
            (Array.map (fun (name, _) -> Encoding.ASCII.GetBytes(name: string)) Hpack.entries)

    static let values =
        Array.append
            [| [||] |]
            (Array.map (fun (_, value) -> Encoding.ASCII.GetBytes(value: string)) Hpack.entries)

    static let tooBig = -1
    let mutable buffer: byte[] = [||]
    let mutable at = 0
    let mutable until = 0
    let mutable trouble: string | null = null
    // Where the name and the value are: an entry of the static table (0: none), or bytes of the block.
    let mutable nameEntry = 0
    let mutable nameFrom = 0
    let mutable nameLength = 0
    let mutable isNameCoded = false
    let mutable valueEntry = 0
    let mutable valueFrom = 0
    let mutable valueLength = 0
    let mutable isValueCoded = false
    let mutable scratch = Array.zeroCreate<byte> 256

    let fail sentence =
        if isNull trouble then
            trouble <- sentence

        at <- until

    let number (bits: int) : int =
        let most = (1 <<< bits) - 1
        let mutable value = int buffer[at] &&& most
        at <- at + 1

        if value = most then
            let mutable shift = 0
            let mutable goesOn = true

            while goesOn do
                if at >= until || shift > 21 then
                    goesOn <- false
                    value <- tooBig
                else
                    let next = int buffer[at]
                    at <- at + 1
                    value <- value + ((next &&& 127) <<< shift)
                    shift <- shift + 7
                    goesOn <- next >= 128

        value

    /// The length of a text, at whose first byte the reader stands afterwards; -1: there is none.
    let textLength () : int =
        let length = if at < until then number 7 else tooBig

        if length < 0 || length > until - at then
            fail "a text of its header fields is longer than its block"
            -1
        else
            length

    let isCoded () = at < until && buffer[at] >= 128uy

    let value () =
        isValueCoded <- isCoded ()
        let length = textLength ()

        if length >= 0 then
            valueEntry <- 0
            valueFrom <- at
            valueLength <- length
            at <- at + length

    let literal (bits: int) =
        let entry = number bits

        if entry < 0 || entry >= names.Length then
            fail "its header fields name an entry of the dynamic table, which has none: its size is 0"
        else
            nameEntry <- entry

            if entry = 0 then
                isNameCoded <- isCoded ()
                let length = textLength ()

                if length >= 0 then
                    nameFrom <- at
                    nameLength <- length
                    at <- at + length
                    value ()
            else
                value ()

    let text (entries: byte[][]) entry isCoded from length : ReadOnlySpan<byte> =
        if entry > 0 then
            ReadOnlySpan entries[entry]
        elif not isCoded then
            ReadOnlySpan(buffer, from, length)
        else
            if scratch.Length < Huffman.room length then
                scratch <- Array.zeroCreate (2 * Huffman.room length)

            let decoded = Huffman.decode (ReadOnlySpan(buffer, from, length)) (Span scratch)

            if decoded < 0 then
                fail "a text of its header fields is not in the Huffman code of HPACK"

            ReadOnlySpan(scratch, 0, max 0 decoded)

    /// Begins with a block.
    member _.Start(bytes: byte[], from: int, length: int) : unit =
        buffer <- bytes
        at <- from
        until <- from + length
        trouble <- null

    /// Goes to the next field; false: there is none, or something is wrong.
    member _.Next() : bool =
        while at < until && buffer[at] >>> 5 = 1uy do
            if number 5 <> 0 then
                fail "its header fields make the dynamic table larger than its limit, which is 0"

        if at >= until then
            false
        else
            let first = buffer[at]

            if first >= 128uy then
                let entry = number 7

                if entry < 1 || entry >= names.Length then
                    fail "its header fields name an entry of the dynamic table, which has none: its size is 0"
                else
                    nameEntry <- entry
                    valueEntry <- entry

                isNull trouble
            elif first >= 64uy then
                literal 6
                isNull trouble
            else
                literal 4
                isNull trouble

    /// The name of the field, until Value or Next is called.
    member _.Name: ReadOnlySpan<byte> =
        text names nameEntry isNameCoded nameFrom nameLength

    /// The value of the field, until Name or Next is called.
    member _.Value: ReadOnlySpan<byte> =
        text values valueEntry isValueCoded valueFrom valueLength

    /// The error in the block, or null.
    member _.Trouble = trouble

    /// Whether the fields of a block take up more than so many bytes.
    member this.IsLonger(most: int, bytes: byte[], from: int, length: int) : bool =
        // Most blocks are too short for that, whatever is in them.
        int64 length * int64 Hpack.mostOfByte > int64 most
        && (this.Start(bytes, from, length)
            let mutable size = 0L

            while size <= int64 most && this.Next() do
                let name = this.Name.Length
                size <- size + int64 (Hpack.fieldSize name this.Value.Length)

            size > int64 most)
