// Decoding the Huffman code of HPACK (RFC 7541, appendix B). This program writes texts without it. Pure.
namespace Plait.Http2

open System

/// The code of RFC 7541, appendix B: texts as bits. It is canonical: lengths and the order of symbols define it.
module internal Huffman =
    /// The symbols with codes of each length, in the order of their codes; 256 is the end of a text, which is never written.
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
    // For each length: the first code, the number of codes, and the index of the first symbol.
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
