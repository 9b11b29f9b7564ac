// Blocks of header fields: the examples of RFC 7541, appendix C, as far as they need no table of earlier fields; what is
// written is read back; and no bytes whatever are too much.
module Plait.Load.Tests.HpackBlocks

open System
open System.Reflection
open System.Text
open FsCheck.FSharp
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support

let private bytesOf (hex: string) =
    Convert.FromHexString(hex.Replace(" ", ""))

/// The fields of a block, or what is wrong with it.
let private read (block: byte[]) : Result<(string * string) list, string> =
    let reader = FieldReader()
    // Not at the beginning of what holds it, as in a frame.
    reader.Start(Array.append [| 255uy |] block, 1, block.Length)

    let fields =
        [
            while reader.Next() do
                let name = Encoding.UTF8.GetString reader.Name
                name, Encoding.UTF8.GetString reader.Value
        ]

    match reader.Trouble with
    | null -> Ok fields
    | trouble -> Error trouble

let private first =
    [ ":method", "GET"; ":scheme", "http"; ":path", "/"; ":authority", "www.example.com" ]

let private response =
    [
        ":status", "302"
        "cache-control", "private"
        "date", "Mon, 21 Oct 2013 20:13:21 GMT"
        "location", "https://www.example.com"
    ]

/// The example, its bytes, and its fields.
let private examples =
    [
        "C.2.1",
        "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
        [ "custom-key", "custom-header" ]
        "C.2.2", "040c 2f73 616d 706c 652f 7061 7468", [ ":path", "/sample/path" ]
        "C.2.3", "1008 7061 7373 776f 7264 0673 6563 7265 74", [ "password", "secret" ]
        "C.2.4", "82", [ ":method", "GET" ]
        "C.3.1", "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", first
        "C.4.1", "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", first
        "C.5.1",
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
         2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
         6c65 2e63 6f6d",
        response
        "C.6.1",
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
         2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        response
    ]

let exampleNames = TheoryData<string>([ for name, _, _ in examples -> name ])

[<Theory; MemberData(nameof exampleNames)>]
let ``the examples of the standard are read`` (name: string) =
    let _, hex, fields = examples |> List.find (fun (other, _, _) -> other = name)
    Assert.Equal(Ok fields, read (bytesOf (hex.Replace("\n", ""))))

/// Bytes that are no block for a reader without a table, and words of its error.
let private wrong =
    [
        "C.3.2, which names an earlier field", "8286 84be 5808 6e6f 2d63 6163 6865", "size is 0"
        "an index of nothing", "80", "size is 0"
        "a literal whose name is that of an earlier field", "7f00 0161", "size is 0"
        "a table of 4096 bytes", "3fe1 1f", "larger than its limit"
        "a text that goes on behind the end", "0005 6162", "longer"
        "a name without a value", "0001 61", "longer"
        "a length without an end", "007f ffff ff", "longer"
        "a length that is too large", "007f ffff ffff ffff 7f", "longer"
        "Huffman filled up with zeros", "0001 6181 00", "Huffman"
        "Huffman filled up with a whole byte", "0001 6182 1fff", "Huffman"
        "the end of a text in Huffman", "0001 6184 ffff fffc", "Huffman"
    ]

let wrongNames = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof wrongNames)>]
let ``a wrong block is an error with the reason`` (name: string) =
    let _, hex, words = wrong |> List.find (fun (other, _, _) -> other = name)

    match read (bytesOf hex) with
    | Ok fields -> Assert.Fail $"%A{fields}"
    | Error trouble -> Assert.Contains(words, trouble)

[<Fact>]
let ``a table that is shrunk to size 0 is empty`` () =
    Assert.Equal(Ok [ ":method", "GET" ], read (bytesOf "20 82"))
    // However often that is said.
    Assert.Equal(Ok [ ":method", "GET" ], read (Array.append (Array.replicate 1_000_000 32uy) [| 0x82uy |]))

[<Fact>]
let ``written fields read back equal`` () =
    let names =
        Gen.oneof
            [ Gen.elements [ for name, _ in Hpack.entries -> name ]; Gen.elements [ "x"; "x-long-name" ] ]

    let values =
        Gen.oneof
            [
                Gen.elements [ for _, value in Hpack.entries -> value ]
                Laws.texts
                Gen.choose (0, 70000) |> Gen.map (fun length -> String('v', length))
            ]

    Laws.forEach 300 (Gen.listOf (Gen.zip names values)) (fun fields -> read (Hpack.block fields) = Ok fields)

let private anyBytes =
    // Ones in a row begin the long codes.
    Gen.frequency [ 2, Gen.constant 255; 3, Gen.choose (0, 255) ]
    |> Gen.map byte
    |> Gen.arrayOf

[<Fact>]
let ``any bytes are read or refused without another exception`` () =
    Laws.forEach 3000 anyBytes (fun bytes ->
        match read bytes with
        | Ok _
        | Error _ -> true)

type private Decode = delegate of ReadOnlySpan<byte> * byref<byte[]> -> int

/// The decoder that .NET has for itself; null where it is not what it was.
let private ofDotNet: Decode | null =
    let huffman =
        typeof<System.Net.Http.HttpClient>.Assembly.GetType "System.Net.Http.HPack.Huffman"

    match huffman with
    | null -> null
    | huffman ->
        match huffman.GetMethod("Decode", BindingFlags.Static ||| BindingFlags.Public) with
        | null -> null
        | decode ->
            try
                decode.CreateDelegate<Decode>()
            with :? ArgumentException ->
                null

[<Fact>]
let ``texts in the Huffman code read as in .NET`` () =
    match ofDotNet with
    | null -> Assert.Skip "this .NET has no decoder of that name and form to compare with"
    | other ->
        let mutable texts = 0

        let longest =
            Gen.zip (Gen.constant [| 255uy; 255uy; 255uy |]) anyBytes
            |> Gen.map (fun (a, b) -> Array.append a b)

        Laws.forEach 20000 (Gen.oneof [ anyBytes; longest ]) (fun bytes ->
            let mine = Array.zeroCreate<byte>(Huffman.room bytes.Length)
            let length = Huffman.decode (ReadOnlySpan bytes) (Span mine)
            let mutable theirs = Array.zeroCreate<byte> 1

            let expected =
                try
                    other.Invoke(ReadOnlySpan bytes, &theirs)
                with error when error.GetType().Name.Contains "Huffman" ->
                    -1

            if length > 0 then
                texts <- texts + 1

            length = expected
            && (length < 0 || mine.AsSpan(0, length).SequenceEqual(ReadOnlySpan(theirs, 0, length))))

        Assert.True(texts > 500, $"{texts} texts")
