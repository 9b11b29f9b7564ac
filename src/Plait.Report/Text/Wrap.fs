// Pure: sentences as lines that fit the terminal.
module Plait.Report.Wrap

open System

/// The widest line.
let width = 120

/// Breaks a sentence into lines of at most `width`, each behind `indent`.
let lines (indent: string) (text: string) : string list =
    let rec go (lines: string list) (current: string) (words: string list) =
        match words with
        | [] -> List.rev (current :: lines)
        | word :: rest when current = indent || current.Length + 1 + word.Length <= width ->
            go lines (if current = indent then indent + word else current + " " + word) rest
        | words -> go (current :: lines) indent words

    text.Split(' ', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray |> go [] indent
