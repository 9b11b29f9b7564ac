// Options of the command line whose errors say what is allowed.
module internal Plait.Tool.Options

open System
open System.CommandLine
open System.CommandLine.Parsing
open System.Globalization

open Plait.Report

// What `read` makes of a text; when it makes nothing of it, `allowed` says what would have been right.
let private one
    (name: string)
    (aliases: string list)
    (hint: string)
    (description: string)
    (allowed: string)
    (read: string -> 'T option)
    : Option<'T option> =
    Option<'T option>(
        name,
        Array.ofList aliases,
        Description = description,
        HelpName = hint,
        DefaultValueFactory = (fun _ -> None),
        CustomParser =
            fun (argument: ArgumentResult) ->
                let text = argument.Tokens[0].Value
                let value = read text

                if value.IsNone then
                    argument.AddError
                        $"{name} takes {allowed}, and '{text}' is none; leave it out for the default"

                value
    )

/// A whole number within a range; None when it is not given.
let number
    (name: string)
    (aliases: string list)
    (hint: string)
    (smallest, largest)
    (description: string)
    : Option<int option> =
    one
        name
        aliases
        hint
        $"{description} ({smallest} to {largest})"
        $"a whole number from {smallest} to {largest}"
        (fun text ->
            match Int32.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) with
            | true, value when value >= smallest && value <= largest -> Some value
            | _ -> None)

/// A share of one within a range; None when it is not given.
let fraction
    (name: string)
    (hint: string)
    (smallest: float, largest: float)
    (description: string)
    : Option<float option> =
    one
        name
        []
        hint
        $"{description} ({smallest} to {largest})"
        $"a number from {smallest} to {largest}"
        (fun text ->
            match Double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture) with
            | true, value when value >= smallest && value <= largest -> Some value
            | _ -> None)

/// A time as Duration reads it; None when it is not given.
let time (name: string) (description: string) : Option<TimeSpan option> =
    one
        name
        []
        "TIME"
        $"{description} (30s, 1m30s, 500ms)"
        "a time such as 30s, 1m30s or 500ms"
        Duration.tryParse

/// A time in seconds, from one second to a day; None when it is not given.
let duration (name: string) (description: string) : Option<float option> =
    one
        name
        []
        "TIME"
        $"{description} (90s, 1m30s, 1h)"
        "a time from 1s to 24h such as 90s or 1m30s"
        (Duration.tryParse
         >> Option.map _.TotalSeconds
         >> Option.filter (fun value -> value >= 1.0 && value <= 86400.0))

/// Names with commas between them; empty when it is not given.
let names (name: string) description : Option<string list> =
    Option<string list>(
        name,
        Description = description,
        HelpName = "a,b",
        DefaultValueFactory = (fun _ -> []),
        // Several times is the same as with commas.
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
        CustomParser =
            fun (argument: ArgumentResult) ->
                [
                    for token in argument.Tokens do
                        yield!
                            token.Value.Split(
                                ',',
                                StringSplitOptions.RemoveEmptyEntries ||| StringSplitOptions.TrimEntries
                            )
                ]
    )

/// Text; None when it is not given.
let text (name: string) (hint: string) description : Option<string option> =
    Option<string option>(
        name,
        Description = description,
        HelpName = hint,
        DefaultValueFactory = (fun _ -> None),
        CustomParser = (fun (argument: ArgumentResult) -> Some argument.Tokens[0].Value)
    )

/// Texts, as often as it is given; empty when it is not.
let texts (name: string) (hint: string) description : Option<string list> =
    Option<string list>(
        name,
        Description = description,
        HelpName = hint,
        DefaultValueFactory = (fun _ -> []),
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
        CustomParser = (fun (argument: ArgumentResult) -> [ for token in argument.Tokens -> token.Value ])
    )

/// A switch.
let flag (name: string) description : Option<bool> =
    Option<bool>(name, Description = description, DefaultValueFactory = (fun _ -> false))

/// The value of an option: what was given, or its default.
let value (parsed: ParseResult) (option: Option<'T>) : 'T = parsed.GetRequiredValue option

/// The value of an option that need not be given.
let valueOr (fallback: 'T) (parsed: ParseResult) (option: Option<'T option>) : 'T =
    parsed.GetRequiredValue option |> Option.defaultValue fallback
