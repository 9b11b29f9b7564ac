// Targets in the two formats of vegeta: http (a line with method and URL, headers, a line with @ and the file of the body)
// and json (an object a line). Errors name the file and the line.
module Plait.Load.Targets

open System
open System.Text.Json
open System.Text.RegularExpressions

open Plait.Common

/// The parts that every target has besides its own.
type Defaults =
    {
        /// The base of a URL that is only a path.
        Base: Uri option
        Headers: (string * string) list
        /// The body of targets that name none.
        Body: byte[]
        /// Reads the file of a body.
        ReadBody: string -> byte[]
    }

let private refuse (file: string) (line: int) (sentence: string) =
    raise (BadInput $"{file}, line {line + 1}: {sentence}")

/// The error of a text with half of a pair of surrogates.
let internal halfPair =
    "a text in it has half of a pair of surrogates, like \\ud800 alone, which is no character; write both halves, or leave it out"

/// The error of a text that is no HTTP URL. A host has no variable, because connections are to a host.
let noUrl (text: string) : string =
    let place = text.IndexOf "://"
    let host = if place < 0 then text else text.Substring(place + 3)
    let finish = host.IndexOfAny [| '/'; '?'; '#' |]
    let host = if finish < 0 then host else host.Substring(0, finish)

    if host.Contains "{{" then
        $"the host of '{text}' has a variable in it, and every request has the same host; put variables into the path, the query, headers or the body"
    else
        $"'{text}' is not an HTTP URL; write one like http://127.0.0.1:8080/path"

let private urlOf refuse (defaults: Defaults) (text: string) : Uri =
    let made =
        match defaults.Base with
        | Some theBase when text.StartsWith '/' ->
            // to the letter: a path that .NET resolves against a URL loses its dots
            match Uri.TryCreate(theBase.GetLeftPart UriPartial.Authority + text, UriKind.Absolute) with
            | true, url -> Some(nonNull url)
            | _ -> None
        | _ ->
            match Uri.TryCreate(text, UriKind.Absolute) with
            | true, url -> Some(nonNull url)
            | _ -> None

    match made with
    | Some url when url.Scheme = Uri.UriSchemeHttp || url.Scheme = Uri.UriSchemeHttps -> url
    | _ when text.StartsWith '/' ->
        refuse
            $"'{text}' is a path without a host; write the whole URL, or name the host as the URL of the command"
    | _ -> refuse (noUrl text)

// A method and a URL, in which blanks stand in braces only: "GET /cards/{{int 1 9}}".
let private words =
    Regex(@"^[ \t]*([A-Z]+)[ \t]+((?>\{\{[^{}]*\}\}|[^ \t])+)[ \t]*$", RegexOptions.CultureInvariant)

/// The words of a line that begins a target, if it does.
let private beginning (line: string) : (string * string) option =
    let found = words.Match line
    let url = found.Groups[2].Value

    if found.Success && (url.Contains "://" || url.StartsWith '/') then
        Some(found.Groups[1].Value, url)
    else
        None

let private headerOf refuse (line: string) : string * string =
    match line.Split(':', 2) with
    | [| name; value |] when name.Trim() <> "" && value.Trim() <> "" -> name.Trim(), value.Trim()
    | _ ->
        refuse
            $"'{line}' is neither a target (GET http://...), a header (Name: value), a body (@file) nor a comment (#)"

let private http (file: string) (defaults: Defaults) (lines: string[]) : HttpRequest list =
    let isNothing (line: string) = line = "" || line.StartsWith '#'

    let rec rest at (request: HttpRequest) =
        if at = lines.Length || lines[at] = "" || (beginning lines[at]).IsSome then
            at, request
        else
            let refuse sentence = refuse file at sentence

            match lines[at] with
            | line when line.StartsWith '#' -> rest (at + 1) request
            | line when line.StartsWith '@' ->
                let body =
                    Files.guarded
                        (fun why -> BadInput $"{file}, line {at + 1}: the body cannot be read: {why}")
                        (fun () -> defaults.ReadBody(line.Substring(1).Trim()))

                rest (at + 1) { request with Body = body }
            | line -> rest (at + 1) { request with Headers = request.Headers @ [ headerOf refuse line ] }

    let rec all at found =
        if at = lines.Length then
            List.rev found
        elif isNothing lines[at] then
            all (at + 1) found
        else
            match beginning lines[at] with
            | None ->
                refuse
                    file
                    at
                    $"'{lines[at]}' does not begin a target; write a method in capitals and a URL, like GET http://127.0.0.1:8080/path"
            | Some(method', url) ->
                let next, request =
                    rest
                        (at + 1)
                        {
                            Method = method'
                            Url = urlOf (refuse file at) defaults url
                            Headers = defaults.Headers
                            Body = defaults.Body
                        }

                all next (request :: found)

    all 0 []

// Go writes null for an empty value.
let private field (name: string) (target: JsonElement) : JsonElement option =
    match target.TryGetProperty name with
    | true, value when value.ValueKind <> JsonValueKind.Null -> Some value
    | _ -> None

let private textOf (file: string) (at: int) (what: string) (value: JsonElement) : string =
    match value.ValueKind with
    | JsonValueKind.String -> string (value.GetString())
    | _ -> refuse file at $"{what} of the target is {value.GetRawText()}; it must be a text"

let private headersOf (file: string) (at: int) (header: JsonElement) : (string * string) list =
    if header.ValueKind <> JsonValueKind.Object then
        refuse
            file
            at
            $"\"header\" of the target is {header.GetRawText()}; it must be an object of lists, like {{\"Accept\":[\"*/*\"]}}"

    [
        for field in header.EnumerateObject() do
            if field.Value.ValueKind <> JsonValueKind.Array then
                refuse
                    file
                    at
                    $"the header \"{field.Name}\" of the target is {field.Value.GetRawText()}; it must be a list of texts, like [\"*/*\"]"

            for value in field.Value.EnumerateArray() do
                field.Name, textOf file at $"the header \"{field.Name}\"" value
    ]

let private bytesOf (file: string) (at: int) (body: JsonElement) : byte[] =
    match textOf file at "\"body\"" body, body.TryGetBytesFromBase64() with
    | _, (true, bytes) -> nonNull bytes
    | text, _ -> refuse file at $"\"body\" of the target is \"{text}\"; it must be in base64"

let private json (file: string) (defaults: Defaults) (lines: string[]) : HttpRequest list =
    let one at (line: string) =
        let refuse sentence = refuse file at sentence

        use document =
            try
                JsonDocument.Parse line
            with :? JsonException as trouble ->
                let column = trouble.BytePositionInLine.GetValueOrDefault() + 1L
                refuse $"this is not a target in JSON from column {column} on"

        let target = document.RootElement

        if target.ValueKind <> JsonValueKind.Object then
            refuse
                $"this is not a target in JSON but {target.GetRawText()}; write an object like {{\"method\":\"GET\",\"url\":\"http://127.0.0.1:8080/path\"}}"

        let text (name: string) =
            field name target |> Option.map (textOf file at $"\"{name}\"")

        match text "method", text "url" with
        | Some method', Some url ->
            let headers =
                field "header" target |> Option.map (headersOf file at) |> Option.defaultValue []

            {
                Method = method'
                Url = urlOf refuse defaults url
                Headers = defaults.Headers @ headers
                Body =
                    field "body" target |> Option.map (bytesOf file at) |> Option.defaultValue defaults.Body
            }
        | None, _ -> refuse "the target has no \"method\""
        | _, None -> refuse "the target has no \"url\""

    [
        for at in 0 .. lines.Length - 1 do
            if lines[at] <> "" then
                try
                    one at lines[at]
                // System.Text.Json raises this when it makes a text.
                with :? InvalidOperationException ->
                    refuse file at halfPair
    ]

/// Reads the text of a file of targets, in whichever of the two formats it is. Raises BadInput with the line that is wrong.
let read (file: string) (defaults: Defaults) (text: string) : HttpRequest list =
    // Editors of Windows begin a file with a mark of its byte order.
    let lines = text.TrimStart('\uFEFF').Split '\n' |> Array.map _.Trim()

    let requests =
        if lines |> Array.tryFind (fun line -> line <> "") |> Option.exists _.StartsWith('{') then
            json file defaults lines
        else
            http file defaults lines

    if requests.IsEmpty then
        raise (BadInput $"{file} holds no target; write lines like GET http://127.0.0.1:8080/path")

    requests
