// Options of the command line whose errors name the allowed values.
module internal Plait.Tool.Options

open System
open System.CommandLine
open System.CommandLine.Parsing
open System.Globalization
open System.IO

open Plait.Common

/// A BadInput of `read` becomes the error of the command line.
let private guarded (argument: ArgumentResult) (fallback: 'T) (read: unit -> 'T) : 'T =
    try
        read ()
    with :? BadInput as trouble ->
        argument.AddError trouble.Message
        fallback

/// The value that `read` makes of a text; None when the option is not given.
let parsed (name: string) (aliases: string list) (hint: string) (description: string) (read: string -> 'T) =
    Option<'T option>(
        name,
        Array.ofList aliases,
        Description = description,
        HelpName = hint,
        DefaultValueFactory = (fun _ -> None),
        CustomParser = fun argument -> guarded argument None (fun () -> Some(read argument.Tokens[0].Value))
    )

/// The values that `read` makes of the texts of an option that may be given several times; empty when it is not given.
let private several
    (name: string)
    (aliases: string list)
    (hint: string)
    (description: string)
    (read: string list -> 'T list)
    =
    Option<'T list>(
        name,
        Array.ofList aliases,
        Description = description,
        HelpName = hint,
        DefaultValueFactory = (fun _ -> []),
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
        CustomParser =
            fun argument ->
                guarded argument [] (fun () -> read [ for token in argument.Tokens -> token.Value ])
    )

let private orDefault = "leave it out for the default"

/// Refuses the value of an option: `allowed` describes the right ones.
let refuse (name: string) (allowed: string) (text: string) : 'T =
    raise (BadInput $"{name} takes {allowed}, not '{text}'; {orDefault}")

/// A whole number within a range.
let number
    (name: string)
    (aliases: string list)
    (hint: string)
    (smallest, largest)
    (description: string)
    : Option<int option> =
    parsed name aliases hint $"{description} ({smallest} to {largest})" (fun text ->
        match Int32.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) with
        | true, value when value >= smallest && value <= largest -> value
        | _ -> refuse name $"a whole number from {smallest} to {largest}" text)

/// A number within a range, with a fraction or without.
let fraction
    (name: string)
    (hint: string)
    (smallest: float, largest: float)
    (description: string)
    : Option<float option> =
    parsed name [] hint $"{description} ({smallest} to {largest})" (fun text ->
        match Double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture) with
        | true, value when value >= smallest && value <= largest -> value
        | _ -> refuse name $"a number from {smallest} to {largest}" text)

/// A time within a range of milliseconds, written with its unit as in 500ms, 90s or 1m30s.
let duration (name: string) (least: int, most: int) (description: string) : Option<TimeSpan option> =
    let bound (milliseconds: int) =
        Duration.brief (TimeSpan.FromMilliseconds(float milliseconds))

    let range = $"{bound least} to {bound most}"

    parsed name [] "TIME" $"{description} ({range})" (fun text ->
        let time = TimeSpan.FromTicks(Duration.parse name text / 100L)

        if time.TotalMilliseconds < float least || time.TotalMilliseconds > float most then
            refuse name $"a time from {range}" text

        time)

/// The value of one of some words. Raises BadInput for another one, with the word that was probably meant or `advice`.
let private oneOf (advice: string) (name: string) (values: (string * 'T) list) (text: string) : 'T =
    match List.tryFind (fun (word, _) -> word = text) values with
    | Some(_, value) -> value
    | None ->
        let words = values |> List.map fst
        let allButLast = words |> List.take (words.Length - 1) |> String.concat ", "
        let hint = NearestName.hint words advice text
        raise (BadInput $"{name} takes {allButLast} or {List.last words}, not '{text}'; {hint}")

/// One of some words, each with its value; `advice`: the remedy for any other word.
let choiceOr (advice: string) name (values: (string * 'T) list) description : Option<'T option> =
    parsed name [] (values |> List.map fst |> String.concat "|") description (oneOf advice name values)

/// The same of an option that has a default.
let choice name values description =
    choiceOr orDefault name values description

/// Names with commas between them, each as `read` makes it; empty when it is not given.
let list (name: string) (hint: string) (description: string) (read: string -> 'T) : Option<'T list> =
    let parts (text: string) =
        match text.Split(',', StringSplitOptions.RemoveEmptyEntries ||| StringSplitOptions.TrimEntries) with
        | [||] -> refuse name "one or more, with commas between them" text
        | parts -> parts

    // Several times is the same as with commas.
    several name [] hint description (Seq.collect parts >> Seq.map read >> List.ofSeq)

/// Some of such words with commas between them; empty when it is not given.
let choices (name: string) (values: (string * 'T) list) (description: string) : Option<'T list> =
    list name "a,b" description (oneOf orDefault name values)

/// Names with commas between them; empty when it is not given.
let names (name: string) (description: string) : Option<string list> = list name "a,b" description id

/// Text; None when it is not given. One that begins with "--" is another option, whose own value was forgotten.
let text (name: string) (hint: string) (description: string) : Option<string option> =
    parsed name [] hint description (fun text ->
        if text.StartsWith "--" then refuse name $"{hint} without -- in front" text else text)

/// Texts, as often as it is given; empty when it is not.
let texts (name: string) (aliases: string list) (hint: string) (description: string) : Option<string list> =
    several name aliases hint description id

/// The values that `read` makes of the texts of an option that may be repeated; an error of `read` gets the option's
/// name.
let each (name: string) (hint: string) (description: string) (read: string -> 'T) : Option<'T list> =
    several
        name
        []
        hint
        description
        (List.map (fun text ->
            try
                read text
            with :? BadInput as trouble ->
                raise (BadInput $"{name}: {trouble.Message}")))

/// A switch.
let flag (name: string) description : Option<bool> =
    Option<bool>(name, Description = description, DefaultValueFactory = (fun _ -> false))

/// The value of an option on the command line, or its default.
let value (parsed: ParseResult) (option: Option<'T>) : 'T = parsed.GetRequiredValue option

/// The value of an option, or `fallback`.
let valueOr (fallback: 'T) (parsed: ParseResult) (option: Option<'T option>) : 'T =
    parsed.GetRequiredValue option |> Option.defaultValue fallback

/// The same of a time, in milliseconds.
let millisecondsOr (fallback: int) (parsed: ParseResult) (option: Option<TimeSpan option>) : int =
    match parsed.GetRequiredValue option with
    | Some time -> int time.TotalMilliseconds
    | None -> fallback

/// The same of a time, in seconds.
let secondsOr (fallback: float) (parsed: ParseResult) (option: Option<TimeSpan option>) : float =
    match parsed.GetRequiredValue option with
    | Some time -> time.TotalSeconds
    | None -> fallback

/// Whether an option was given.
let isGiven (parsed: ParseResult) (option: Option<'T option>) : bool = (parsed.GetRequiredValue option).IsSome

/// --json, which has the same meaning in all verbs: `what` as JSON, in a file or on standard output.
let json (what: string) : Option<string option> =
    text
        "--json"
        "FILE"
        $"write {what} to this file; - writes it to standard output, and everything else to standard error"

/// Raises BadInput if two outputs, each with its option, are one file.
let checkDistinct (outputs: (string * string) list) : unit =
    // Files that several options may write to at a time.
    let isShared (file: string) =
        file = Files.standardOutput
        || List.contains file [ "/dev/null"; "/dev/stdout"; "/dev/stderr" ]

    let twice =
        outputs
        |> List.filter (fun (_, file) -> not (isShared file))
        |> List.groupBy (fun (_, file) -> Path.GetFullPath file)
        |> List.tryFind (fun (_, same) -> same.Length > 1)

    match twice with
    | Some(_, (one, file) :: (other, _) :: _) ->
        raise (BadInput $"{one} and {other} name the same file, {file}; name another file for one of them")
    | _ -> ()

/// Runs `action`. If the JSON goes to standard output, all output of `action` goes to standard error.
let besideJson (file: string option) (action: unit -> 'T) : 'T =
    let standardOutput = Console.Out

    if file = Some Files.standardOutput then
        Console.SetOut Console.Error

    try
        action ()
    finally
        Console.SetOut standardOutput

/// The same, and then writes the JSON, also where `action` could not write another file.
let withJson (file: string option) (action: unit -> 'T) (json: unit -> string) : 'T =
    try
        besideJson file action
    finally
        // Last, because the user's path may be wrong: then the results are still shown and kept.
        file |> Option.iter (fun file -> Files.write file (json ()))
