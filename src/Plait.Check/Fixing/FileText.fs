// The text of a source file as it is on disk: its encoding, its line endings, the offset of a line and column, and
// edits.
namespace Plait.Check

open System
open System.IO
open System.Text

open Plait.Common

/// How the bytes of a file are read as text.
module internal FileEncoding =
    let private utf8 = UTF8Encoding(false, true)

    let private known: (byte[] * Encoding) list =
        [
            [| 0xEFuy; 0xBBuy; 0xBFuy |], UTF8Encoding(true, true)
            [| 0xFFuy; 0xFEuy; 0uy; 0uy |], UTF32Encoding(false, true, true)
            [| 0xFFuy; 0xFEuy |], UnicodeEncoding(false, true, true)
            [| 0xFEuy; 0xFFuy |], UnicodeEncoding(true, true, true)
        ]

    /// The encoding by the byte order mark, and the length of the mark; without a mark UTF-8.
    let ofBytes (bytes: byte[]) : Encoding * int =
        known
        |> List.tryFind (fun (mark, _) -> bytes.AsSpan().StartsWith(ReadOnlySpan mark))
        |> Option.map (fun (mark, encoding) -> encoding, mark.Length)
        |> Option.defaultValue (utf8, 0)

    /// The text of a file. Raises BadInput if the file cannot be read, or is not in its encoding.
    let read (file: string) : string =
        let bytes = Files.read "a source file" file File.ReadAllBytes
        let encoding, skipped = ofBytes bytes

        try
            encoding.GetString(bytes, skipped, bytes.Length - skipped)
        with :? DecoderFallbackException ->
            raise (BadInput $"{file} is not {encoding.WebName} text; save it as UTF-8")

    /// The bytes of a text, with the byte order mark.
    let bytes (encoding: Encoding) (text: string) : byte[] =
        Array.append (encoding.GetPreamble()) (encoding.GetBytes text)

/// A replacement in a text, by offsets: the text between `From` and `To` becomes `New`.
type internal Replacement = { From: int; To: int; New: string }

/// A text with the places of its lines.
type internal FileText(text: string) =
    // where each line begins; a line ends with \r\n, \n or \r
    let starts =
        [|
            0

            for index in 0 .. text.Length - 1 do
                let isEnd =
                    text[index] = '\n'
                    || (text[index] = '\r' && not (index + 1 < text.Length && text[index + 1] = '\n'))

                if isEnd then
                    index + 1
        |]

    let newLine =
        let first = text.IndexOf '\n'

        if first > 0 && text[first - 1] = '\r' then "\r\n"
        elif first < 0 && text.Contains '\r' then "\r"
        else "\n"

    let offset (line: int) (column: int) : int option =
        if line < 1 || line > starts.Length || column < 1 then
            None
        else
            let start = starts[line - 1]
            let limit = if line < starts.Length then starts[line] else text.Length
            let at = start + column - 1
            if at <= limit then Some at else None

    /// The text.
    member _.Text = text

    /// An edit by offsets, its lines ended as the file's are. None: the file has no such place.
    member _.Locate(edit: Edit) : Replacement option =
        match
            offset edit.Location.Line edit.Location.Column,
            offset edit.Location.EndLine edit.Location.EndColumn
        with
        | Some first, Some last when first <= last ->
            Some { From = first; To = last; New = edit.Text.ReplaceLineEndings newLine }
        | _ -> None

    /// The text after replacements that do not overlap. Insertions at one place stay in their order.
    member _.Apply(replacements: Replacement list) : string =
        let built = StringBuilder()
        let mutable at = 0

        for one in replacements |> List.sortBy (fun one -> one.From, one.To) do
            built.Append(text, at, one.From - at).Append(one.New) |> ignore
            at <- one.To

        built.Append(text, at, text.Length - at).ToString()
