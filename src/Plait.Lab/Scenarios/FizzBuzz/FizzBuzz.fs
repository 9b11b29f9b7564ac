// The scenario fizzbuzz: a FizzBuzz interpreter, evaluated in every way of writing async.
module Plait.Lab.FizzBuzz

open Plait.Report

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

/// The rows of a short run, as candidates/Candidates.proj builds them: the base and its control, ours from the safest to the
/// barest, and those of others.
let quickRows: string list =
    [
        "sync"
        "sync-again"
        "strand"
        "strand-unsafe"
        "strand-bare"
        "pooled-value-task"
        "csharp-value-task"
        "task"
        "async"
    ]

/// Those among them that a short run measures over HTTP as well; the base always is.
let quickHttpRows: string list = [ "sync"; "sync-again"; "strand"; "task" ]

/// Those names in one text.
let quickNames: string = String.concat ", " quickRows

/// The same of the rows over HTTP.
let quickHttpNames: string = String.concat ", " quickHttpRows

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
        Factors =
            [
                {
                    Name = fst Candidate.syncFn
                    Value = snd Candidate.syncFn
                    Explanation = "pure functions are called without a wrapper"
                }
            ]
        Wrappers = Some(fun factors -> wrappers (factors.ContainsKey(fst Candidate.syncFn)))
        Answer =
            List.filter (fun row -> row.Factors.IsEmpty)
            >> Answer.ofRows [ "strand"; "task"; "async" ] "plain code"
        Panels = fun rows -> [ FizzBuzzPublished.table rows ]
    }
