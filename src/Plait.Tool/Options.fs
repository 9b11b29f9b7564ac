// Options of the command line whose errors say what is allowed.
module internal Plait.Tool.Options

open System
open System.CommandLine
open System.CommandLine.Parsing
open System.Globalization

/// A whole number within a range; None when it is not given.
let number
    (name: string)
    (aliases: string list)
    (hint: string)
    (smallest, largest)
    description
    : Option<int option> =
    Option<int option>(
        name,
        Array.ofList aliases,
        Description = $"{description} ({smallest} to {largest})",
        HelpName = hint,
        DefaultValueFactory = (fun _ -> None),
        CustomParser =
            fun (argument: ArgumentResult) ->
                let text = argument.Tokens[0].Value

                match Int32.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) with
                | true, value when value >= smallest && value <= largest -> Some value
                | _ ->
                    argument.AddError
                        $"{name} takes a whole number from {smallest} to {largest}, and '{text}' is none; leave it out for the default"

                    None
    )

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
