// The first message of each side of a TLS handshake (RFC 8446, 4.1): the versions and ciphers that this side offers, and those
// that the other one has chosen. For sentences about handshakes that failed. Pure.
namespace Plait.Load

open System
open System.Buffers.Binary
open System.Net.Security

/// The versions and ciphers of a message, by their numbers.
type internal TlsHello = { Versions: int list; Ciphers: int list }

/// Reading them, and their names.
module internal TlsHello =
    let private handshake = 22uy
    let private supportedVersions = 43

    let private word (bytes: byte[]) (at: int) : int =
        int (BinaryPrimitives.ReadUInt16BigEndian(ReadOnlySpan(bytes, at, 2)))

    // Without the numbers of GREASE (RFC 8701) and the sign of secure renegotiation.
    let private isMeant (number: int) =
        number &&& 0x0f0f <> 0x0a0a && number <> 0x00ff

    let private numbers bytes (from: int) (length: int) : int list =
        [ for at in from..2 .. from + length - 2 -> word bytes at ] |> List.filter isMeant

    /// The content of the extension with the versions; None: there is none.
    let rec private versions (bytes: byte[]) (at: int) (until: int) : (int * int) option =
        if at + 4 > until then None
        elif word bytes at = supportedVersions then Some(at + 4, word bytes (at + 2))
        else versions bytes (at + 4 + word bytes (at + 2)) until

    let private extensions (bytes: byte[]) (at: int) =
        if at + 2 > bytes.Length then
            None
        else
            versions bytes (at + 2) (min bytes.Length (at + 2 + word bytes at))

    let private read (kind: byte) (hello: byte[] -> int -> TlsHello) (bytes: byte[]) : TlsHello option =
        try
            if bytes.Length > 43 && bytes[0] = handshake && bytes[5] = kind then
                Some(hello bytes (44 + int bytes[43]))
            else
                None
        with
        // It is cut off, or no hello.
        | :? ArgumentException
        | :? IndexOutOfRangeException -> None

    /// The offer in the first bytes of the client; None: they are no hello.
    let client: byte[] -> TlsHello option =
        read 1uy (fun bytes at ->
            let ciphers = word bytes at
            let behind = at + 2 + ciphers

            {
                Versions =
                    match extensions bytes (behind + 1 + int bytes[behind]) with
                    | Some(from, length) -> numbers bytes (from + 1) (length - 1)
                    | None -> [ word bytes 9 ]
                Ciphers = numbers bytes (at + 2) ciphers
            })

    /// The choice in the first bytes of the server; None: they are no hello.
    let server: byte[] -> TlsHello option =
        read 2uy (fun bytes at ->
            {
                Versions =
                    match extensions bytes (at + 3) with
                    | Some(from, _) -> [ word bytes from ]
                    | None -> [ word bytes 9 ]
                Ciphers = [ word bytes at ]
            })

    let private versionName (version: int) =
        if version >= 0x0301 && version <= 0x03ff then
            $"TLS 1.{version - 0x0301}"
        else
            $"version 0x{version:x4}"

    let private cipherName (cipher: int) =
        match Enum.GetName(LanguagePrimitives.EnumOfValue<uint16, TlsCipherSuite>(uint16 cipher)) with
        | null -> $"0x{cipher:x4}"
        | name -> name

    let private shown (hello: TlsHello) =
        let versions =
            hello.Versions |> List.sort |> List.map versionName |> String.concat ", "

        let ciphers = hello.Ciphers |> List.map cipherName |> String.concat ", "
        $"{versions} with {ciphers}"

    /// The messages of both sides, as the end of a sentence; empty if neither is known.
    let words (ours: TlsHello option) (theirs: TlsHello option) : string =
        let part (what: string) (hello: TlsHello option) =
            hello |> Option.map (fun hello -> $"; {what} {shown hello}") |> Option.defaultValue ""

        part "offered to the server:" ours + part "it chose" theirs
