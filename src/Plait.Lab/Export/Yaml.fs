// Pure: writes the part of YAML that a configuration of crank needs.
namespace Plait.Lab

open System
open System.Text.Encodings.Web

/// The nodes of a configuration.
type internal Yaml =
    | Text of string
    | Whole of int
    | Flag of bool
    /// Keys stay in their order: crank starts the jobs of a scenario in it.
    | Entries of (string * Yaml) list
    | Items of Yaml list

module internal Yaml =
    // A text in double quotes is the same in YAML as in JSON, but for characters beyond U+FFFF: JSON escapes them as two.
    let private literal (text: string) =
        let escaped =
            [
                for character in text.EnumerateRunes() do
                    if character.IsBmp then
                        JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(string character)
                    else
                        $"\\U{character.Value:X8}"
            ]

        "\"" + String.concat "" escaped + "\""

    let private key (name: string) =
        if
            name
            |> Seq.forall (fun letter -> Char.IsAsciiLetterOrDigit letter || letter = '-' || letter = '_')
        then
            name
        else
            literal name

    /// The text of a value that stands on one line; None: it has lines of its own.
    let private scalar (yaml: Yaml) : string option =
        match yaml with
        | Text text -> Some(literal text)
        | Whole number -> Some(string number)
        | Flag flag -> Some(if flag then "true" else "false")
        | Items [] -> Some "[]"
        | Entries [] -> Some "{}"
        | Items _
        | Entries _ -> None

    /// The lines of a value.
    let rec lines (indent: string) (yaml: Yaml) : string list =
        match yaml with
        | Entries entries ->
            [
                for name, value in entries do
                    match scalar value with
                    | Some text -> $"{indent}{key name}: {text}"
                    | None ->
                        $"{indent}{key name}:"
                        yield! lines (indent + "  ") value
            ]
        | Items items ->
            [
                for item in items do
                    match scalar item with
                    | Some text -> $"{indent}- {text}"
                    | None ->
                        $"{indent}-"
                        yield! lines (indent + "  ") item
            ]
        | other -> [ indent + Option.defaultValue "" (scalar other) ]
