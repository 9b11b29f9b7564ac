// Pure: texts for crank. It expands every text of a job as a Liquid template, and .NET splits the arguments into
// words; a text that is written here comes out of both unchanged.
module internal Plait.Lab.CrankText

open System
open System.Text

open Plait.Common

/// A part of a text.
type Part =
    /// The text.
    | Literal of string
    /// The value of a variable of crank.
    | Variable of string

/// The same parts, with no two literals beside each other and none that is empty.
let private joined (parts: Part list) : Part list =
    List.foldBack
        (fun part rest ->
            match part, rest with
            | Literal "", _ -> rest
            | Literal text, Literal behind :: others -> Literal(text + behind) :: others
            | _ -> part :: rest)
        parts
        []

let private isTag (next: char) = next = '{' || next = '%'

/// Whether a brace at this place would begin a tag of Liquid: {{ or {%. At the end of a literal a variable may follow.
let private beginsTag (text: string) (at: int) =
    text[at] = '{' && (at + 1 = text.Length || isTag text[at + 1])

let private tag (name: string) = $"{{{{{name}}}}}"

/// The template that Liquid makes the text of.
let template (parts: Part list) : string =
    let brace = tag "'{'"

    parts
    |> List.map (fun part ->
        match part with
        | Variable name -> tag name
        | Literal text ->
            text
            |> Seq.mapi (fun at letter -> if beginsTag text at then brace else string letter)
            |> String.concat "")
    |> String.concat ""

/// A text of a job as it stands.
let plain (text: string) : Yaml = Text(template [ Literal text ])

let private isPlain (letter: char) =
    Char.IsAsciiLetterOrDigit letter || "-_./:=,+@".Contains letter

// Backslashes count twice before a quote, and as they are anywhere else. Returns how many stand at the end.
let private quoteInto (target: StringBuilder) (text: string) : int =
    let mutable backslashes = 0

    for at in 0 .. text.Length - 1 do
        match text[at] with
        | '\\' -> backslashes <- backslashes + 1
        | '"' ->
            target.Append('\\', 2 * backslashes + 1).Append '"' |> ignore
            backslashes <- 0
        // Out of the quotes for one letter: no tag of Liquid, and the same word.
        | '{' when beginsTag text at ->
            target.Append('\\', 2 * backslashes).Append "\"{\"" |> ignore
            backslashes <- 0
        | letter ->
            target.Append('\\', backslashes).Append letter |> ignore
            backslashes <- 0

    backslashes

/// One argument of a command line. Raises BadInput for a text that no argument can hold.
let argument (parts: Part list) : string =
    let literals =
        parts
        |> List.choose (fun part ->
            match part with
            | Literal text -> Some text
            | Variable _ -> None)
        |> String.concat ""

    if literals.Contains '\000' then
        raise (
            BadInput
                "a job of crank is started by a command line, which cannot hold a zero character; take it out of the scenario"
        )

    let parts = joined parts

    if Seq.forall isPlain literals && not parts.IsEmpty then
        template parts
    else
        let target = StringBuilder "\""

        for index, part in List.indexed parts do
            match part with
            | Variable name -> target.Append(tag name) |> ignore
            | Literal text ->
                let pending = quoteInto target text
                // The closing quote is behind the last part.
                let isLast = index = parts.Length - 1
                target.Append('\\', (if isLast then 2 * pending else pending)) |> ignore

        target.Append('"').ToString()

/// A command line of such arguments.
let commandLine (arguments: Part list list) : string =
    arguments |> List.map argument |> String.concat " "
