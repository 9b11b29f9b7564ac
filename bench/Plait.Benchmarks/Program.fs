// bench [rounds] [file]: measures all suites, prints them, writes the report. Exit code 1 where a goal is missed.
module Plait.Benchmarks.Program

open System
open System.IO

[<EntryPoint>]
let main arguments =
    let rounds =
        match arguments with
        | [||] -> 15
        | _ ->
            match Int32.TryParse arguments[0] with
            | true, rounds when rounds > 0 -> rounds
            | _ ->
                eprintfn "'%s' is no number of rounds: give a whole number from 1 on." arguments[0]
                exit 2

    let results =
        [
            for suite in Suites.all do
                eprintfn "%s ..." suite.Title
                suite, Turns.measure rounds suite
        ]

    let text, met = Report.write rounds results
    printfn "%s" text

    if arguments.Length > 1 then
        File.WriteAllText(arguments[1], text)

    if met then 0 else 1
