// Sentences as lines that fit the terminal, and how wide that is.
module Plait.Common.Wrap

open System

/// Whether output goes to a terminal. While JSON has standard output, the text goes to standard error.
let isTerminal () : bool =
    if obj.ReferenceEquals(Console.Out, Console.Error) then
        not Console.IsErrorRedirected
    else
        not Console.IsOutputRedirected

/// The columns of output to a file or a pipe, unless COLUMNS is set.
let usual = 120

let private asked (variable: string) (otherwise: int) : int =
    match Int32.TryParse(Environment.GetEnvironmentVariable variable) with
    | true, size when size > 0 -> size
    | _ -> otherwise

/// A size of the terminal; of one that does not report it: the variable, or the size of the smallest terminal.
let private ofTerminal (size: unit -> int) (variable: string) (smallest: int) : int =
    let reported =
        try
            size ()
        with :? IO.IOException ->
            0

    if reported > 0 then reported else asked variable smallest

// Some terminals print an empty line after a line as wide as the terminal.
let private columns () : int =
    max 20 (ofTerminal (fun () -> Console.WindowWidth) "COLUMNS" 80 - 1)

/// The columns of the terminal; of output that goes to a file or a pipe: COLUMNS, or the usual ones.
let width () : int =
    if isTerminal () then columns () else asked "COLUMNS" usual

/// The number of lines of the terminal; for output to a file or a pipe: LINES, or the lines of the smallest terminal.
let height () : int =
    let smallest = 24

    if isTerminal () then
        ofTerminal (fun () -> Console.WindowHeight) "LINES" smallest
    else
        asked "LINES" smallest

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

/// A message for standard error. Only a terminal breaks its lines, and only those that are too long for it: in a file or a pipe a sentence
/// is a line, for programs that search it.
let message (text: string) : string =
    if Console.IsErrorRedirected then
        text
    else
        text.Split '\n'
        |> Seq.collect (fun line ->
            if line.Length <= columns () then
                [ line ]
            else
                within (columns ()) (String(' ', line.Length - line.TrimStart(' ').Length)) line)
        |> String.concat "\n"
