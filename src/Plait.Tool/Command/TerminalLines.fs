// How lines are printed: in colour on a terminal, as they are elsewhere.
module internal Plait.Tool.TerminalLines

open System

open Spectre.Console

open Plait.Common

let private colour (kind: LineKind) =
    match kind with
    | LineKind.Good -> Some Color.Green
    | LineKind.Bad -> Some Color.Maroon
    | LineKind.Doubtful -> Some Color.Olive
    | LineKind.Faint -> Some Color.Grey
    | LineKind.Heading
    | LineKind.Plain -> None

/// Writes a line to a console in its colour.
let writeTo (console: IAnsiConsole) (kind: LineKind, text: string) : unit =
    match colour kind with
    | Some colour -> console.WriteLine(text, Style(Nullable colour))
    | None -> console.WriteLine text

/// Writes lines, in colour on a terminal.
let write (lines: (LineKind * string) list) : unit =
    let console =
        if Wrap.isTerminal () then
            let console =
                AnsiConsole.Create(AnsiConsoleSettings(Out = AnsiConsoleOutput Console.Out))

            // The lines are broken already.
            console.Profile.Width <- Int32.MaxValue
            Some console
        else
            None

    for kind, text in lines do
        match console with
        | Some console when (colour kind).IsSome -> writeTo console (kind, text)
        | _ -> Console.Out.WriteLine text
