// Errors in JSON in words of ours, and their places: the messages of the serializer are for programmers.
namespace Plait.Common

open System
open System.Text.Json
open System.Text.RegularExpressions

/// The place of an error in JSON. A converter has no path of its own place, so its error carries the path below that.
module internal JsonPlace =
    [<Literal>]
    let private Key = "below"

    /// Where it happened, from where reading began.
    let path (trouble: JsonException) : string =
        (string trouble.Path).TrimStart '$' + string trouble.Data[Key]

    /// Raises JsonException with the sentence and the path from the converter's own place; "": that place.
    let wrong (path: string) (sentence: string) : 'T =
        let trouble = JsonException sentence
        trouble.Data[Key] <- path
        raise trouble

    /// Line and column as an editor counts them: "line 2, column 7".
    let line (trouble: JsonException) : string =
        match Option.ofNullable trouble.LineNumber, Option.ofNullable trouble.BytePositionInLine with
        | Some line, Some column -> $"line {line + 1L}, column {column + 1L}"
        | _ -> "a place that is not known"

    /// The error, without the path.
    let words (trouble: JsonException) : string =
        let said = trouble.Message

        match
            Regex.Match(said, "missing required properties including: ([^.]*)"),
            Regex.Match(said, "The JSON property '([^']*)' could not be mapped")
        with
        | _ when trouble.Data.Contains Key -> said
        | missing, _ when missing.Success -> $"the key {missing.Groups[1].Value} is missing"
        | _, unknown when unknown.Success -> $"the key '{unknown.Groups[1].Value}' is not known"
        | _ when said.StartsWith("The JSON value could not be converted", StringComparison.Ordinal) ->
            "a value of another kind belongs there"
        | _ -> $"it is not JSON from {line trouble} on"
