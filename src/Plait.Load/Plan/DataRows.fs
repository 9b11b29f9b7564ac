// The rows of a file, whose values stand in requests: CSV with names in its first line, or JSON lines.
namespace Plait.Load

open System
open System.IO
open System.Text
open System.Text.Json

open Plait.Common

/// A value as it stands in headers and bodies, and as it stands in a URL.
[<Struct>]
type internal DataCell =
    {
        Plain: byte[]
        Escaped: byte[]
    }

    static member Of(text: string) : DataCell =
        let plain = Encoding.UTF8.GetBytes text
        let escaped = Uri.EscapeDataString text

        {
            Plain = plain
            Escaped = if escaped = text then plain else Encoding.UTF8.GetBytes escaped
        }

/// Rows by columns.
type internal DataRows = { Columns: string list; Rows: DataCell[][] }

/// The records of RFC 4180, one after the other, in one go over the text. A line ends with CRLF, LF or CR.
[<Sealed>]
type private CsvReader(text: string, refuse: int -> string -> unit) =
    let mutable at = 0
    let mutable line = 1

    let startsWith (letter: char) = at < text.Length && text[at] = letter
    let isAtLineEnd () = startsWith '\r' || startsWith '\n'

    let length (ends: string) =
        match text.AsSpan(at).IndexOfAny(ends.AsSpan()) with
        | -1 -> text.Length - at
        | length -> length

    let quoted () : string =
        let value = StringBuilder()
        let opened = line
        let mutable isOpen = true
        at <- at + 1

        while isOpen do
            let part = text.AsSpan(at, length "\"")
            value.Append part |> ignore
            line <- line + part.Count '\n'
            at <- at + part.Length + 1

            if at > text.Length then
                refuse
                    opened
                    "the quotes do not match: one opens in this line and is never closed; write a value with quotes in quotes, and each quote inside it twice"

            if startsWith '"' then
                value.Append '"' |> ignore
                at <- at + 1
            else
                isOpen <- false

        if at < text.Length && text[at] <> ',' && not (isAtLineEnd ()) then
            refuse
                line
                $"'{text[at]}' stands behind the quote that closes a value; a comma or the end of the line belongs there, and a quote in a value is written twice"

        string value

    let plain () : string =
        let value = text.Substring(at, length ",\"\r\n")
        at <- at + value.Length

        if startsWith '"' then
            refuse
                line
                "a quote stands in the middle of a value; put the whole value in quotes, and write each of its own twice"

        value

    /// The line at which the next record begins.
    member _.Line = line
    member _.IsOver = at >= text.Length
    member _.IsAtEmptyLine = isAtLineEnd ()

    /// The next record; that of an empty line is one empty value.
    member _.Next() : string[] =
        let values = ResizeArray<string>()
        let mutable goesOn = true

        while goesOn do
            values.Add(if startsWith '"' then quoted () else plain ())
            goesOn <- startsWith ','

            if goesOn then
                at <- at + 1

        if startsWith '\r' then
            at <- at + 1

            if startsWith '\n' then
                at <- at + 1
        else
            at <- at + 1

        line <- line + 1
        values.ToArray()

/// Reading data.
module internal DataRows =
    let private refuse (file: string) (line: int) (sentence: string) : 'T =
        raise (BadInput $"{file}, line {line}: {sentence}")

    let private csv (file: string) (text: string) : DataRows =
        // Empty lines at the end are no rows, not even of a single column.
        let reader = CsvReader(text.TrimEnd('\r', '\n'), refuse file)

        if reader.IsOver then
            raise (BadInput $"{file} is empty; its first line names the columns")

        let columns = reader.Next() |> Array.map _.Trim()

        if columns.Length = 1 && columns[0].AsSpan().IndexOfAny(';', '\t') >= 0 then
            refuse file 1 $"it names one column, \"{columns[0]}\"; commas stand between columns"

        for place, name in Array.indexed columns do
            if name = "" then
                refuse file 1 $"column {place + 1} has no name; the first line names each column"

            if Array.IndexOf(columns, name) < place then
                refuse file 1 $"two columns have the name \"{name}\"; give each a name of its own"

        let rows =
            [|
                while not reader.IsOver do
                    let line = reader.Line
                    // It is an empty value where there is one column, and nothing where there are several.
                    let isNothing = reader.IsAtEmptyLine && columns.Length > 1
                    let row = reader.Next()

                    if not isNothing then
                        if row.Length <> columns.Length then
                            let values = if row.Length = 1 then "value" else "values"

                            refuse
                                file
                                line
                                $"it has {row.Length} {values}, and the first line names {columns.Length} columns"

                        Array.map DataCell.Of row
            |]

        { Columns = List.ofArray columns; Rows = rows }

    let private json (file: string) (text: string) : DataRows =
        let lines = text.Split '\n' |> Array.map _.Trim()

        let rows =
            [|
                for at in 0 .. lines.Length - 1 do
                    if lines[at] <> "" then
                        let refuse sentence = refuse file (at + 1) sentence

                        try
                            use document = JsonDocument.Parse lines[at]

                            if document.RootElement.ValueKind <> JsonValueKind.Object then
                                refuse "it is no JSON object; write a line like {\"name\": \"value\"}"

                            at + 1,
                            Map.ofList
                                [
                                    for field in document.RootElement.EnumerateObject() do
                                        field.Name,
                                        match field.Value.ValueKind with
                                        | JsonValueKind.String -> string (field.Value.GetString())
                                        | _ -> field.Value.GetRawText()
                                ]
                        with
                        | :? JsonException ->
                            refuse "it is no JSON object; write a line like {\"name\": \"value\"}"
                        // System.Text.Json raises this when it makes a text.
                        | :? InvalidOperationException -> refuse Targets.halfPair
            |]

        let columns =
            match Array.tryHead rows with
            | Some(_, first) -> first |> Map.keys |> List.ofSeq
            | None -> []

        if rows.Length > 0 && columns.IsEmpty then
            refuse file (fst rows[0]) "it names no column; write a line like {\"name\": \"value\"}"

        {
            Columns = columns
            Rows =
                [|
                    for line, row in rows do
                        [|
                            for column in columns do
                                match Map.tryFind column row with
                                | Some value -> DataCell.Of value
                                | None -> refuse file line $"it has no \"{column}\", which the first line has"
                        |]
                |]
        }

    /// No data.
    let none = { Columns = []; Rows = [||] }

    /// Reads a file. Raises BadInput when it cannot be read, when a line is wrong, or when it has no row.
    let read (file: string) : DataRows =
        let name = nonNull (Path.GetFileName file)

        let parse =
            match (nonNull (Path.GetExtension file)).ToLowerInvariant() with
            | ".jsonl"
            | ".ndjson" -> json
            | ".csv" -> csv
            | _ -> raise (BadInput $"--data takes a file that ends with .csv or .jsonl, not {name}")

        let rows =
            Files.read "the value of --data" file File.ReadAllBytes
            |> Files.decoded name
            |> parse name

        if rows.Rows.Length = 0 then
            raise (BadInput $"{name} has no row; there is nothing to put into requests")

        rows
