// HPACK (RFC 7541) without its dynamic table: each block of header fields is independent of the others, so that blocks are made once and
// read in any order. Pure.
namespace Plait.Http2

open System
open System.IO
open System.Text

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

    /// The size of a field in a head, from the bytes of its name and its value: as in HTTP/1.1, with a colon, a blank and a line end.
    let fieldSize (name: int) (value: int) : int = name + value + 4

    /// The most bytes of fields that one byte of a block encodes.
    let mostOfByte =
        entries
        |> Array.map (fun (name, value) -> fieldSize name.Length value.Length)
        |> Array.max

    // A size update of the dynamic table, to 0. A receiver that has allowed less than the default size must get it in the next block
    // (RFC 7541, 4.2), and every receiver accepts it in each block.
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

    /// The block of these fields, whose names are in lower case. No field enters a dynamic table.
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
