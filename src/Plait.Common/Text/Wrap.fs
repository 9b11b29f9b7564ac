// Sentences as lines that fit the terminal, and how wide that is.
module Plait.Common.Wrap

open System

/// Whether output goes to a terminal. While JSON has standard output, the text goes to standard error.
let isTerminal () : bool =
    if obj.ReferenceEquals(Console.Out, Console.Error) then
        not Console.IsErrorRedirected
    else
        not Console.IsOutputRedirected

/// The columns of output that goes to no terminal, unless an option sets them.
let usual = 120

/// The columns of the terminal; of output that goes to a file or a pipe: COLUMNS, or the usual ones.
let width () : int =
    let asked =
        match Int32.TryParse(Environment.GetEnvironmentVariable "COLUMNS") with
        | true, columns when columns > 0 -> columns
        | _ -> usual

    if not (isTerminal ()) then
        asked
    else
        // Some terminals print an empty line after a line as wide as the terminal.
        try
            max 20 (Console.WindowWidth - 1)
        with :? IO.IOException ->
            asked

/// The number of lines of the terminal; for output to a file or a pipe: LINES, or the lines of the smallest terminal.
let height () : int =
    let smallest = 24

    let asked =
        match Int32.TryParse(Environment.GetEnvironmentVariable "LINES") with
        | true, lines when lines > 0 -> lines
        | _ -> smallest

    if not (isTerminal ()) then
        asked
    else
        try
            if Console.WindowHeight > 0 then Console.WindowHeight else asked
        with :? IO.IOException ->
            asked

/// Breaks a sentence into lines of at most `width` columns, each behind `indent`.
let within (width: int) (indent: string) (text: string) : string list =
    let rec go (lines: string list) (current: string) (words: string list) =
        match words with
        | [] -> List.rev (current :: lines)
        | word :: rest when current = indent || current.Length + 1 + word.Length <= width ->
            go lines (if current = indent then indent + word else current + " " + word) rest
        | words -> go (current :: lines) indent words

    text.Split(' ', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray |> go [] indent

/// The same for the terminal.
let lines (indent: string) (text: string) : string list = within (width ()) indent text
