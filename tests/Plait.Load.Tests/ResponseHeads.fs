// The head of a response as bytes arrive: complete or not, whatever the pieces; and what is no head.
module Plait.Load.Tests.ResponseHeads

open System
open System.Text
open FsCheck.FSharp
open Xunit

open Plait.Load
open Plait.Tests.Support

/// A head as a tuple, which can be compared.
let private read (text: string) =
    let head = ResponseHead.read (ReadOnlySpan(Encoding.Latin1.GetBytes text))
    head.Length, head.Status, head.BodyLength, head.Chunked, head.Closes

let private headers =
    Gen.elements
        [
            "Content-Length: 123"
            "content-length:0"
            "CONTENT-LENGTH:   9223372036854775807  "
            "Content-Length: -5"
            "Content-Length: 99999999999999999999"
            "Content-Length: 12 34"
            "Transfer-Encoding: gzip, Chunked"
            "Connection: close"
            "connection: Keep-Alive"
            "X-Other: Content-Length: 7"
            "Date: Sat, 21 Nov 2026 05:00:00 GMT"
            "no colon in here"
            ": no name"
        ]

let private heads =
    gen {
        let! status = Gen.choose (100, 599)
        let! reason = Gen.elements [ ""; " OK"; " Not Found" ]
        let! lines = Gen.listOf headers |> Gen.map (List.truncate 8)
        return String.concat "\r\n" ($"HTTP/1.1 {status}{reason}" :: lines) + "\r\n\r\n"
    }

[<Fact>]
let ``a head is complete at its last byte, with any bytes after it`` () =
    Laws.forEach 150 heads (fun head ->
        let whole = read head
        let length, _, _, _, _ = whole

        let incomplete at =
            let found, _, _, _, _ = read (head.Substring(0, at))
            found = 0

        length = head.Length
        && Seq.forall incomplete (seq { 0 .. head.Length - 1 })
        && read (head + "[]") = whole
        && read (head + head) = whole)

/// A head without its status line, and BodyLength, Chunked, Closes.
let private fields =
    [
        [], -1L, false, false
        [ "Content-Length:\t7 \t" ], 7L, false, false
        [ "Content-Length: 12" ], 12L, false, false
        [ "content-LENGTH:12" ], 12L, false, false
        [ "Content-Length:  12  " ], 12L, false, false
        [ "Content-Length: 0" ], 0L, false, false
        [ "Content-Length: 9223372036854775807" ], Int64.MaxValue, false, false
        [ "Content-Length: 9223372036854775808" ], -2L, false, false
        [ "Content-Length: -1" ], -2L, false, false
        [ "Content-Length: +1" ], -2L, false, false
        [ "Content-Length: 1.5" ], -2L, false, false
        [ "Content-Length: 0x10" ], -2L, false, false
        [ "Content-Length: 12a" ], -2L, false, false
        [ "Content-Length: " ], -2L, false, false
        [ "Content-Length: 12"; "Content-Length: 12" ], 12L, false, false
        [ "Content-Length: 12"; "Content-Length: 13" ], -2L, false, false
        [ "Content-Length: 12"; "Content-Length: x"; "Content-Length: 12" ], -2L, false, false
        [ "Content-Length: 12, 12" ], 12L, false, false
        [ "Content-Length: 12 ,\t12"; "Content-Length: 12" ], 12L, false, false
        [ "Content-Length: 12, 13" ], -2L, false, false
        [ "Content-Length: 12, 13"; "Content-Length: 13" ], -2L, false, false
        [ "Content-Length: 12," ], -2L, false, false
        [ "Content-Length: x, x" ], -2L, false, false
        [ "X-Content-Length: 12" ], -1L, false, false
        [ "Transfer-Encoding: chunked" ], -1L, true, false
        [ "transfer-encoding: gzip, CHUNKED"; "Content-Length: 3" ], 3L, true, false
        [ "Connection: close"; "Content-Length: 3" ], 3L, false, true
        [ "CONNECTION: Keep-Alive, Close" ], -1L, false, true
        [ "Connection: keep-alive" ], -1L, false, false
        [ "Connection: x-close, closed" ], -1L, false, false
        [ "Connection: x ,\tclose" ], -1L, false, true
        // The last coding decides.
        [ "Transfer-Encoding: chunked, gzip"; "Content-Length: 3" ], -1L, false, false
        [ "Transfer-Encoding: chunked"; "Transfer-Encoding: gzip" ], -1L, false, false
        [ "Transfer-Encoding: gzip"; "Transfer-Encoding: chunked" ], -1L, true, false
        [ "Transfer-Encoding: xchunked"; "Content-Length: 3" ], -1L, false, false
        [ "Transfer-Encoding: identity"; "Content-Length: 3" ], 3L, false, false
        // Empty elements of a list do not count (RFC 9110, 5.6.1).
        [ "Transfer-Encoding: chunked," ], -1L, true, false
        [ "Transfer-Encoding: gzip, , chunked , ,\t"; "Content-Length: 3" ], 3L, true, false
        [ "Transfer-Encoding: chunked"; "Transfer-Encoding: " ], -1L, true, false
        [ "Transfer-Encoding:"; "Content-Length: 3" ], 3L, false, false
        [ "Transfer-Encoding: ,"; "Content-Length: 3" ], 3L, false, false
        [ "Transfer-Encoding: chunked, gzip,"; "Content-Length: 3" ], -1L, false, false
        // Fields of several lines (RFC 9112, 5.2), and none that only look so.
        [ "Content-Length:"; " 12" ], 12L, false, false
        [ "X: y"; " Content-Length: 12" ], -1L, false, false
        [ "X: y"; "\tConnection: close"; "Transfer-Encoding:"; "\tgzip,"; "   chunked" ], -1L, true, false
        [ "Connection: keep-alive,"; " close"; "Content-Length: 3" ], 3L, false, true
        [ "Content-Length: 1"; " 2" ], -2L, false, false
    ]

[<Fact>]
let ``the fields that end a response are read`` () =
    for lines, bodyLength, chunked, closes in fields do
        let text = String.concat "\r\n" ("HTTP/1.1 200 OK" :: lines) + "\r\n\r\n"
        Assert.Equal((text.Length, 200, bodyLength, chunked, closes), read text)

[<Theory;
  InlineData("", true);
  InlineData("Connection: keep-alive\r\n", false);
  InlineData("Connection: close\r\n", true)>]
let ``a response of HTTP/1.0 ends its connection unless it has keep-alive`` (field: string) (closes: bool) =
    let _, _, _, _, said = read $"HTTP/1.0 200 OK\r\n{field}\r\n"
    Assert.Equal(closes, said)

    // HTTP/1.0 has no Transfer-Encoding (RFC 9112, 6.1).
    for coding in [ "chunked"; "gzip"; "identity" ] do
        let _, _, _, _, said =
            read $"HTTP/1.0 200 OK\r\n{field}Transfer-Encoding: {coding}\r\nContent-Length: 3\r\n\r\n"

        Assert.True said

let private alien =
    [
        "Hello"
        "HTTP/2 200 OK\r\n\r\n"
        "http/1.1 200 OK\r\n\r\n"
        " HTTP/1.1 200 OK\r\n\r\n"
        "HTTP/1.1\r\n\r\n"
        "HTTP/1.1 20\r\n\r\n"
        "HTTP/1.1 2000 OK\r\n\r\n"
        "HTTP/1.1 abc OK\r\n\r\n"
        "HTTP/1.1  200 OK\r\n\r\n"
        "HTTP/1.1 -20 OK\r\n\r\n"
        "HTTP/1.1 000 OK\r\n\r\n"
        "HTTP/1.1 099 OK\r\n\r\n"
        "\r\n\r\n"
    ]

[<Fact>]
let ``bytes that begin no response are recognised`` () =
    for text in alien do
        let length, _, _, _, _ = read text
        Assert.True((length = -1), text)

[<Fact>]
let ``any bytes are read or refused without another exception`` () =
    let bytes = Gen.arrayOf (Gen.choose (0, 255) |> Gen.map byte)

    let prefixes =
        Gen.elements [ ""; "HTTP/1."; "HTTP/1.1 200"; "HTTP/1.1 200 OK\r\nContent-Length:" ]

    Laws.forEach 500 (Gen.zip prefixes bytes) (fun (prefix, bytes) ->
        let text = prefix + Encoding.Latin1.GetString bytes + "\r\n\r\n"
        let length, _, bodyLength, _, _ = read text
        -1 <= length && length <= text.Length && bodyLength >= -2L)
