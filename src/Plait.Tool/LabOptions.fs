// Options of the lab's verbs that are neither whole numbers nor names: shares and times.
module internal Plait.Tool.LabOptions

open System
open System.CommandLine
open System.CommandLine.Parsing
open System.Globalization

/// A share of one within a range; None when it is not given.
let fraction
    (name: string)
    (hint: string)
    (smallest: float, largest: float)
    description
    : Option<float option> =
    Option<float option>(
        name,
        Description = $"{description} ({smallest} to {largest})",
        HelpName = hint,
        DefaultValueFactory = (fun _ -> None),
        CustomParser =
            fun (argument: ArgumentResult) ->
                let text = argument.Tokens[0].Value

                match Double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture) with
                | true, value when value >= smallest && value <= largest -> Some value
                | _ ->
                    argument.AddError
                        $"{name} takes a number from {smallest} to {largest}, and '{text}' is none; leave it out for the default"

                    None
    )

/// Seconds in a text such as 90s, 10m or 1h; a bare number is seconds. None: it is no such text.
let seconds (text: string) : float option =
    let number, unit =
        if text <> "" && Char.IsLetter text[text.Length - 1] then
            text.Substring(0, text.Length - 1), text[text.Length - 1]
        else
            text, 's'

    match Double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture), unit with
    | (true, value), 's' -> Some value
    | (true, value), 'm' -> Some(60.0 * value)
    | (true, value), 'h' -> Some(3600.0 * value)
    | _ -> None

/// A time in seconds, from one second to a day; None when it is not given.
let duration (name: string) description : Option<float option> =
    Option<float option>(
        name,
        Description = $"{description} (90s, 10m, 1h)",
        HelpName = "TIME",
        DefaultValueFactory = (fun _ -> None),
        CustomParser =
            fun (argument: ArgumentResult) ->
                let text = argument.Tokens[0].Value

                match seconds text with
                | Some value when value >= 1.0 && value <= 86400.0 -> Some value
                | _ ->
                    argument.AddError
                        $"{name} takes a time from 1s to 24h such as 90s or 10m, and '{text}' is none; leave it out for the default"

                    None
    )
