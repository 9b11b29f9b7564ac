// The rows of a file, whose values stand in requests: CSV with names in its first line, or JSON lines.
namespace Plait.Load

open System
open System.IO
open System.Text.Json
open Microsoft.VisualBasic.FileIO

open Plait.Report

/// Rows by columns.
type internal DataRows = { Columns: string list; Rows: string[][] }

/// Reading data.
module internal DataRows =
    let private refuse (file: string) (line: int64) (sentence: string) : 'T =
        raise (BadInput $"{file}, line {line}: {sentence}")

    let private csv (file: string) (text: string) : DataRows =
        use parser = new TextFieldParser(new StringReader(text))
        parser.SetDelimiters ","
        parser.TrimWhiteSpace <- false

        let fields () =
            let line = parser.LineNumber

            try
                line, Option.ofObj (parser.ReadFields()) |> Option.defaultValue [||]
            with :? MalformedLineException ->
                refuse
                    file
                    parser.ErrorLineNumber
                    "the quotes of this line do not match; a value with quotes is in quotes, and each of its own is written twice"

        if parser.EndOfData then
            raise (BadInput $"{file} is empty; its first line names the columns")

        let _, columns = fields ()

        let rows =
            [|
                while not parser.EndOfData do
                    let line, row = fields ()

                    if row.Length <> columns.Length then
                        refuse
                            file
                            line
                            $"it has {row.Length} values, and the first line names {columns.Length} columns"

                    row
            |]

        { Columns = columns |> Array.map _.Trim() |> List.ofArray; Rows = rows }

    let private json (file: string) (text: string) : DataRows =
        let lines = text.Split '\n' |> Array.map _.Trim()

        let rows =
            [|
                for at in 0 .. lines.Length - 1 do
                    if lines[at] <> "" then
                        let refuse sentence = refuse file (int64 (at + 1)) sentence

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
                        with :? JsonException ->
                            refuse "it is no JSON object; write a line like {\"name\": \"value\"}"
            |]

        let columns =
            match Array.tryHead rows with
            | Some(_, first) -> first |> Map.keys |> List.ofSeq
            | None -> []

        {
            Columns = columns
            Rows =
                [|
                    for line, row in rows do
                        [|
                            for column in columns do
                                match Map.tryFind column row with
                                | Some value -> value
                                | None ->
                                    refuse
                                        file
                                        (int64 line)
                                        $"it has no \"{column}\", which the first line has"
                        |]
                |]
        }

    /// Reads a file. Raises BadInput when it cannot be read, when a line is wrong, or when it has no row.
    let read (file: string) : DataRows =
        let text = Files.read "the value of --data" file File.ReadAllText
        let name = nonNull (Path.GetFileName file)

        let rows =
            match (nonNull (Path.GetExtension file)).ToLowerInvariant() with
            | ".jsonl"
            | ".ndjson" -> json name text
            | ".csv" -> csv name text
            | _ -> raise (BadInput $"--data takes a file that ends with .csv or .jsonl, not {name}")

        if rows.Rows.Length = 0 then
            raise (BadInput $"{name} has no row; there is nothing to put into requests")

        rows
