// The benchmarks' command line.
module Plait.Benchmarks.Program

open System
open System.Diagnostics
open System.IO

let private usage =
    """turns ROUNDS [FILE]         every row in turn in one process; writes the report; exit code 1 where a goal is missed
published FILE [TITLE]    every row in a process of its own (BenchmarkDotNet); writes the report; all suites, or
                          those whose title begins so
only TITLE ROW SECONDS      one row again and again, for a profiler"""

let private fail (words: string) =
    eprintfn "%s" words
    2

let private turns rounds file =
    let results =
        [
            for suite in Suites.all do
                eprintfn "%s ..." suite.Title
                suite, Turns.measure rounds suite
        ]

    let text, met = Report.write rounds results
    printfn "%s" text
    file |> Option.iter (fun file -> File.WriteAllText(file, text))
    if met then 0 else 1

let private startingWith title =
    Suites.all |> List.filter _.Title.StartsWith(title, StringComparison.OrdinalIgnoreCase)

let private only title row seconds =
    match startingWith title |> List.tryHead with
    | None -> fail $"No suite's title begins with '{title}'. They are: %A{Suites.all |> List.map _.Title}."
    | Some suite ->
        match suite.Rows |> List.tryFind (fun found -> found.Name = row) with
        | None -> fail $"'{suite.Title}' has no row '{row}'. They are: %A{suite.Rows |> List.map _.Name}."
        | Some row ->
            let watch = Stopwatch.StartNew()
            let mutable least = Double.MaxValue

            while watch.Elapsed.TotalSeconds < seconds do
                let start = Stopwatch.GetTimestamp()
                (row.Run suite.Operations).Wait()

                least <- min least (Stopwatch.GetElapsedTime(start).TotalNanoseconds / float suite.Operations)

            printfn "%s: %s %.1f ns" suite.Title row.Name least
            0

let private (|Positive|_|) (text: string) =
    match Int32.TryParse text with
    | true, number when number > 0 -> Some number
    | _ -> None

[<EntryPoint>]
let main arguments =
    match List.ofArray arguments with
    | [ "turns"; Positive rounds ] -> turns rounds None
    | [ "turns"; Positive rounds; file ] -> turns rounds (Some file)
    | [ "only"; title; row; Positive seconds ] -> only title row (float seconds)
    | [ "published"; file ] -> Published.write file Suites.all
    | [ "published"; file; title ] ->
        match startingWith title with
        | [] -> fail $"No suite's title begins with '{title}'. They are: %A{Suites.all |> List.map _.Title}."
        | suites -> Published.write file suites
    | _ -> fail usage
