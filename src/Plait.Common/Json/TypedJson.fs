// Reading a file that a user wrote: every error gives its place (services[1].command), the expected value and the one
// found. Nothing is guessed, and a key that is not known is an error, because it is a typing mistake.
namespace Plait.Common

open System.Collections.Generic
open System.Globalization
open System.Text.Json

/// A value in a file, and where it stands.
type JsonEntry = { File: string; Path: string; Value: JsonElement }

/// Reading one.
module TypedJson =
    let private kind (value: JsonElement) =
        let shorten (text: string) =
            if text.Length <= 60 then text else text.Substring(0, 60) + " ..."

        match value.ValueKind with
        | JsonValueKind.Object -> "an object"
        | JsonValueKind.Array -> $"a list of {value.GetArrayLength()}"
        | JsonValueKind.Null -> "null"
        | JsonValueKind.String -> $"the text {shorten (value.GetRawText())}"
        | JsonValueKind.Number -> $"the number {value.GetRawText()}"
        | _ -> value.GetRawText()

    let private place (node: JsonEntry) =
        if node.Path = "" then node.File else $"{node.File}: {node.Path}"

    /// Raises BadInput with the expected value and the one at the node.
    let wrong (node: JsonEntry) (expected: string) : 'T =
        raise (BadInput $"{place node}: expected {expected}, found {kind node.Value}")

    /// Raises BadInput: a sentence about the node.
    let refuse (node: JsonEntry) (sentence: string) : 'T =
        raise (BadInput $"{place node}: {sentence}")

    /// The whole of a file, which is an object. Comments and commas behind the last entry are allowed.
    let parse (file: string) (content: string) : JsonEntry =
        let options =
            JsonDocumentOptions(CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true)

        let node =
            try
                use document = JsonDocument.Parse(content, options)
                { File = file; Path = ""; Value = document.RootElement.Clone() }
            with :? JsonException as trouble ->
                raise (BadInput $"{file} is not JSON from {JsonPlace.line trouble} on")

        if node.Value.ValueKind <> JsonValueKind.Object then wrong node "an object" else node

    let private below (node: JsonEntry) (name: string) =
        if node.Path = "" then name else $"{node.Path}.{name}"

    /// Raises BadInput unless the node is an object whose keys are all among `known`. Keys that begin with "$" may be
    /// anything: editors want them.
    let only (known: string list) (node: JsonEntry) : unit =
        if node.Value.ValueKind <> JsonValueKind.Object then
            wrong node "an object"

        for property in node.Value.EnumerateObject() do
            if not (List.contains property.Name known || property.Name.StartsWith '$') then
                let hint =
                    NearestName.hint known ("known are " + String.concat ", " known) property.Name

                refuse { node with Path = below node property.Name } $"this key is not known; {hint}"

    /// The value of a key; None: absent or null.
    let find (name: string) (node: JsonEntry) : JsonEntry option =
        match node.Value.TryGetProperty name with
        | true, value when value.ValueKind <> JsonValueKind.Null ->
            Some { node with Path = below node name; Value = value }
        | _ -> None

    /// Raises BadInput: a key that must be there is not.
    let missing (name: string) (expected: string) (node: JsonEntry) : 'T =
        let place = place { node with Path = below node name }
        raise (BadInput $"{place}: expected {expected}, found nothing; the key is missing")

    /// The value of a key that must be there.
    let required (name: string) (expected: string) (node: JsonEntry) : JsonEntry =
        find name node |> Option.defaultWith (fun () -> missing name expected node)

    /// A text that is not empty.
    let text (node: JsonEntry) : string =
        match node.Value.ValueKind with
        | JsonValueKind.String when node.Value.GetString() <> "" -> nonNull (node.Value.GetString())
        | _ -> wrong node "a text that is not empty"

    /// A text, also the empty one.
    let anyText (node: JsonEntry) : string =
        match node.Value.ValueKind with
        | JsonValueKind.String -> nonNull (node.Value.GetString())
        | _ -> wrong node "a text"

    /// A number within a range.
    let number (least: float, most: float) (node: JsonEntry) : float =
        let expected () =
            let show (value: float) =
                value.ToString(CultureInfo.InvariantCulture)

            if most = infinity then
                $"a number of at least {show least}"
            else
                $"a number from {show least} to {show most}"

        match node.Value.ValueKind with
        | JsonValueKind.Number ->
            let value = node.Value.GetDouble()
            if value >= least && value <= most then value else wrong node (expected ())
        | _ -> wrong node (expected ())

    /// A whole number within a range.
    let whole (least: int, most: int) (node: JsonEntry) : int =
        match node.Value.ValueKind with
        | JsonValueKind.Number ->
            match node.Value.TryGetInt32() with
            | true, value when value >= least && value <= most -> value
            | _ -> wrong node $"a whole number from {least} to {most}"
        | _ -> wrong node $"a whole number from {least} to {most}"

    /// A truth value.
    let flag (node: JsonEntry) : bool =
        match node.Value.ValueKind with
        | JsonValueKind.True -> true
        | JsonValueKind.False -> false
        | _ -> wrong node "true or false"

    /// One of a few words.
    let word (words: string list) (node: JsonEntry) : string =
        let expected () =
            "one of " + (words |> List.map (fun word -> $"\"{word}\"") |> String.concat ", ")

        match node.Value.ValueKind with
        | JsonValueKind.String ->
            let value = nonNull (node.Value.GetString())
            if List.contains value words then value else wrong node (expected ())
        | _ -> wrong node (expected ())

    /// The items of a list.
    let items (expected: string) (node: JsonEntry) : JsonEntry list =
        match node.Value.ValueKind with
        | JsonValueKind.Array ->
            [
                for index, value in Seq.indexed (node.Value.EnumerateArray()) do
                    { node with Path = $"{node.Path}[{index}]"; Value = value }
            ]
        | _ -> wrong node $"a list of {expected}"

    /// The entries of an object, in their order. A key that comes twice is an error.
    let entries (expected: string) (node: JsonEntry) : (string * JsonEntry) list =
        match node.Value.ValueKind with
        | JsonValueKind.Object ->
            let seen = HashSet<string>()

            [
                for property in node.Value.EnumerateObject() do
                    let entry = { node with Path = below node property.Name; Value = property.Value }

                    if not (seen.Add property.Name) then
                        refuse entry "this key comes twice"

                    property.Name, entry
            ]
        | _ -> wrong node $"an object of {expected}"

    /// Reads a key if it is there.
    let optional (name: string) (read: JsonEntry -> 'T) (node: JsonEntry) : 'T option =
        find name node |> Option.map read

    /// Reads a key, or takes the default.
    let fallback (name: string) (read: JsonEntry -> 'T) (value: 'T) (node: JsonEntry) : 'T =
        optional name read node |> Option.defaultValue value
