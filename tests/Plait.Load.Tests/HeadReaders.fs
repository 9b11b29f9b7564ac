// The readers of one connection's heads, which do not read equal bytes again: each head of a sequence reads as it does alone.
module Plait.Load.Tests.HeadReaders

open System
open System.Text
open FsCheck.FSharp
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support

/// A head, and the heads that differ from it in what a reader could overlook.
let private http1Heads =
    [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
        "HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Length: 5\n\n"
        $"HTTP/1.1 200 OK\r\nX: {String('x', 1024)}\r\nContent-Length: 5\r\n\r\n"
        $"HTTP/1.1 200 OK\r\nX: {String('x', 1024)}\r\nContent-Length: 6\r\n\r\n"
        "HTTP/1.1 100 Continue\r\n\r\n"
        "HTTP/1.0 200 OK\r\n\r\n"
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        "HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 05:00:00 GMT\r\n\r\n"
        "Hello\r\n\r\n"
    ]

let private head1 (head: ResponseHead) =
    head.Length, head.Status, head.BodyLength, head.Chunked, head.Closes, head.Date

[<Fact>]
let ``a head of HTTP/1.1 reads the same behind others`` () =
    // Whole or cut, and with bytes behind it.
    let arrivals =
        gen {
            let! head = Gen.elements http1Heads
            let! cut = Gen.choose (0, head.Length)
            return! Gen.elements [ head; head; head + "hello"; head.Substring(0, cut) ]
        }

    Laws.forEach 500 (Gen.listOfLength 30 arrivals) (fun texts ->
        let reader = HeadReader()

        texts
        |> List.forall (fun text ->
            let bytes = Encoding.ASCII.GetBytes text
            head1 (reader.Read(ReadOnlySpan bytes)) = head1 (ResponseHead.read (ReadOnlySpan bytes))))

[<Fact>]
let ``the head before, cut at each byte, is not complete`` () =
    for head in http1Heads do
        let bytes = Encoding.ASCII.GetBytes head
        let reader = HeadReader()
        let whole = head1 (reader.Read(ReadOnlySpan bytes))

        for count in 0 .. bytes.Length - 1 do
            let cut = ReadOnlySpan(bytes, 0, count)
            Assert.Equal(head1 (ResponseHead.read cut), head1 (reader.Read cut))

        Assert.Equal(whole, head1 (reader.Read(ReadOnlySpan bytes)))

/// The bytes of a field whose name and value are in the Huffman code or not.
let private field (name: string) (isCoded: bool) (value: byte list) =
    [|
        0uy
        byte name.Length
        yield! Encoding.ASCII.GetBytes name
        (if isCoded then 128uy else 0uy) + byte value.Length
        yield! value
    |]

let private text (name: string) (value: string) =
    field name false (List.ofArray (Encoding.ASCII.GetBytes value))

let private status200 = [| 0x88uy |]

/// Fields, of which some are wrong, and some are wrong in another place only.
let private http2Fields =
    [
        status200
        [| 0x8Duy |]
        text ":status" "200"
        text ":status" "20"
        text ":status" "101"
        text "content-length" "5"
        text "content-length" "6"
        text "content-length" "5, 6"
        text "date" "Sat, 21 Nov 2026 05:00:00 GMT"
        text "date" "Sat, 21 Nov 2026 05:00:01 GMT"
        text "location" "/a"
        text "location" "/b"
        text "x" "1"
        text "X" "1"
        text "x" " 1"
        text "x" "1\r"
        text "connection" "close"
        text "x" (String('x', 120))
        // "0" in the code, and the same filled up with zeros, which is wrong.
        field "x" true [ 0x07uy ]
        field "x" true [ 0x00uy ]
        // A NUL in the code, whose 13 bits are filled up with ones.
        field "x" true [ 0xFFuy; 0xC7uy ]
        // An entry of the dynamic table, and the size of it.
        [| 0xBEuy |]
        [| 0x20uy |]
    ]

let private head2 (head: Http2Head) =
    if isNull head.Wrong then
        null, false, head.Status, head.Location, head.ContentLength, head.Date
    else
        head.Wrong, head.IsCodeWrong, 0, null, 0L, 0L

/// What comes over a connection of HTTP/2.
type private Arrival =
    | Head of byte[]
    | Trailers of byte[]
    | LongHead of byte[]

[<Fact>]
let ``a head of HTTP/2 reads the same behind others, trailers and heads that are too long`` () =
    let right = Array.concat [ status200; text "content-length" "5"; text "x" "1" ]

    let blocks =
        Gen.oneof
            [
                Gen.elements
                    [
                        right
                        Array.concat [ status200; text "content-length" "6"; text "x" "1" ]
                        Array.concat [ status200; text "content-length" "5"; text "x" "2" ]
                        Array.concat [ text "x" "1"; status200 ]
                        Array.append right (Array.concat (Array.replicate 40 (text "x" (String('x', 120)))))
                        Array.append right (Array.concat (Array.replicate 40 (text "content-length" "5")))
                    ]
                // Half of them begin with a status.
                gen {
                    let! first = Gen.elements [ [||]; status200 ]
                    let! rest = Gen.listOf (Gen.elements http2Fields) |> Gen.map (List.truncate 6)
                    return Array.concat (first :: rest)
                }
            ]

    let arrivals =
        Gen.oneof
            [ Gen.map Head blocks; Gen.map Head blocks; Gen.map Trailers blocks; Gen.map LongHead blocks ]

    // Each twice, at some place.
    let sequences =
        gen {
            let! some = Gen.listOfLength 12 arrivals
            return! Gen.shuffle (some @ some) |> Gen.map List.ofArray
        }

    let arrive (reader: Http2HeadReader) arrival =
        match arrival with
        | Head block ->
            let bytes = Array.append [| 255uy |] block
            head2 (reader.Head(bytes, 1, block.Length))
        | Trailers block ->
            let struct (wrong, isCodeWrong) = reader.Trailers(block, 0, block.Length)
            wrong, isCodeWrong, 0, null, 0L, 0L
        | LongHead block -> null, reader.IsLonger(50, block, 0, block.Length), 0, null, 0L, 0L

    Laws.forEach 2000 sequences (fun sequence ->
        let reader = Http2HeadReader()

        sequence
        |> List.forall (fun arrival -> arrive reader arrival = arrive (Http2HeadReader()) arrival))

[<Theory; InlineData(0xC7uy, "NUL"); InlineData(0xC0uy, "Huffman")>]
let ``a wrong value in the Huffman code is wrong each time`` (last: byte) (words: string) =
    let block = Array.append status200 (field "x" true [ 0xFFuy; last ])
    let reader = Http2HeadReader()

    for id in [ "1"; "1"; "2" ] do
        let block = Array.append block (text "id" id)
        let head = reader.Head(block, 0, block.Length)
        Assert.Contains(words, head.Wrong)
        Assert.Equal((words = "Huffman"), head.IsCodeWrong)
