// The scenario fizzbuzz: a FizzBuzz interpreter, evaluated in every way of writing async.
module Plait.Lab.Scenarios.FizzBuzz

open Plait.Lab.Report

/// The 100 strings.
let strings: string list =
    [
        for i in 1..100 do
            if i % 15 = 0 then "fizzbuzz"
            elif i % 5 = 0 then "buzz"
            elif i % 3 = 0 then "fizz"
            else string i
    ]

/// The body of a right answer: the strings as compact JSON.
let expected: string =
    let items = strings |> List.map (fun text -> $"\"{text}\"") |> String.concat ","
    $"[{items}]"

/// The same as indented JSON.
let indented: string =
    let items = strings |> List.map (fun text -> $"  \"{text}\"") |> String.concat ",\n"
    $"[\n{items}\n]"

/// Wrappers that one request makes if every node (1,804), call, function and list step is wrapped; with sync-fn the
/// 602 calls of pure functions make none.
let wrappers (syncFn: bool) : int = if syncFn then 2721 else 3323

let private optimizingTasks =
    [
        "sync", 100.0, false
        "Task (Ply task)", 44.0, false
        "Task (Ply task)", 51.0, true
        "hidden DTask", 88.0, false
        "TaskOrValue", 34.0, false
        "TaskOrValue", 58.0, true
        "Ply vtask", 55.0, true
        "Ply uvtask", 79.0, true
        "Ply uply", 91.0, true
        "Ply uply", 91.5, false
        "OCaml sync", 53.0, false
        "OCaml async", 42.0, false
        "Rust (hyper) sync", 51.0, false
    ]

// Requests/s on .NET 6 with F# 6, from which the percentages are computed.
let private benchmarkingTasks =
    let sync = 22572.0

    [
        "sync", sync
        "async", 8189.0
        "TaskBuilder.fs (its published source references Ply)", 12133.0
        "Ply task", 12087.0
        "Ply vtask", 13856.0
        "Ply uvtask", 19840.0
        "Ply uply", 21924.0
        "F# 6 task", 15937.0
    ]
    |> List.map (fun (variant, rate) -> variant, System.Math.Round(100.0 * rate / sync, 1), false)

/// What was published before.
let published: PublishedRow list =
    [
        for source, rows in
            [
                "Optimizing Tasks in F# (2021)", optimizingTasks
                "Benchmarking F# 6 Tasks (2021)", benchmarkingTasks
            ] do
            for variant, percent, syncFn in rows do
                { Source = source; Variant = variant; PercentOfSync = percent; SyncFn = syncFn }
    ]

/// The scenario.
let scenario: Scenario =
    {
        Name = "fizzbuzz"
        Title = "FizzBuzz, interpreted in every way of writing async"
        Base = "sync"
        Control = "sync-again"
        Path = "/fizzbuzz"
        Expected = expected
        ExpectedOf = Map.empty
        ToleratesErrors = false
        Wrappers = Some wrappers
        Published = published
        Panels = fun _ -> []
    }
