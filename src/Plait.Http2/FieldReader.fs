// Reads the header fields of a block of HPACK. For one thread.
namespace Plait.Http2

open System
open System.Text

/// Reads the fields of a block one after the other. Allocates only for a text longer than any before. For one thread.
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
    let mutable isBehindField = false
    let mutable fieldFrom = 0
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
        isBehindField <- false
        trouble <- null

    /// Goes to the next field; false: there is none, or something is wrong.
    member _.Next() : bool =
        while at < until && buffer[at] >>> 5 = 1uy do
            if isBehindField then
                fail "its header fields change the size of the dynamic table behind a field"
            elif number 5 <> 0 then
                fail "its header fields make the dynamic table larger than its limit, which is 0"

        if at >= until then
            false
        else
            fieldFrom <- at
            isBehindField <- true
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

    /// The bytes of the field in its block.
    member _.Code: ReadOnlySpan<byte> = ReadOnlySpan(buffer, fieldFrom, at - fieldFrom)

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
        // Most blocks are too short for that, with any content.
        int64 length * int64 Hpack.mostOfByte > int64 most
        && (this.Start(bytes, from, length)
            let mutable size = 0L

            while size <= int64 most && this.Next() do
                let name = this.Name.Length
                size <- size + int64 (Hpack.fieldSize name this.Value.Length)

            size > int64 most)
