// The texts of checked files, each read once: for comments in them, for baselines, and for shown lines.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO

/// The texts of files as they are on disk at the first read.
type Sources() =
    let texts = Dictionary<string, string>()
    let lines = Dictionary<string, string[]>()

    let text (file: string) =
        match texts.TryGetValue file with
        | true, text -> text
        | _ ->
            let text =
                // A finding in a file that was deleted since is still a finding.
                try
                    File.ReadAllText file
                with
                | :? IOException
                | :? UnauthorizedAccessException -> ""

            texts[file] <- text
            text

    /// The text of a file; empty when it cannot be read.
    member _.Text(file: string) : string = text file

    /// The lines of a file as the compiler counts them.
    member _.Lines(file: string) : string[] =
        match lines.TryGetValue file with
        | true, lines -> lines
        | _ ->
            let split = (text file).Split([| "\r\n"; "\n" |], StringSplitOptions.None)
            lines[file] <- split
            split

    /// A line of a file, counted from one; empty when there is none.
    member this.Line(file: string, number: int) : string =
        let lines = this.Lines file
        if number >= 1 && number <= lines.Length then lines[number - 1] else ""
