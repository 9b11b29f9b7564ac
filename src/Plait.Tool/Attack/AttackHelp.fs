// The help of plait attack: examples first, then its options by subject.
module internal Plait.Tool.AttackHelp

open System.CommandLine

open Plait.Common

let private examples =
    [
        "plait attack http://127.0.0.1:8080/ --rate 500/s --duration 30s",
        "500 requests a second, also while the server answers none"
        "plait attack https://127.0.0.1:8443/ --connections 64 --insecure",
        "64 connections; each sends its next request when it has the answer"
        "plait attack http://127.0.0.1:8080/ --rate 500/s --require 'p99<200ms'",
        "a rule: the exit code is 3 if it is broken"
        "plait attack http://127.0.0.1:8080/ --steps 100,200,400x10s --out run1",
        "three rates, and all files in the folder run1"
    ]

let private named (option: Option) : string * string =
    let names = option.Name :: List.ofSeq option.Aliases |> String.concat ", "

    let hint =
        match option.HelpName with
        | null -> ""
        | name -> $" {name}"

    "  " + names + hint,
    (match option.Description with
     | null -> ""
     | words -> words)

/// The lines of the help. `groups`: titles and options.
let lines
    (width: int)
    (description: string)
    (argument: Argument)
    (groups: (string * Option list) list)
    : string list =
    let words =
        match argument.Description with
        | null -> ""
        | words -> words

    [
        yield! Wrap.within width "" description
        ""
        "plait attack URL [options]"
        yield! Wrap.within width "  " words

        for command, words in examples do
            ""
            $"  {command}"
            yield! Wrap.within width "      " words

        // All groups have one column of names.
        let described =
            groups |> List.collect snd |> List.map named |> TextTable.describedEach width

        let mutable at = 0

        for title, options in groups do
            ""
            $"{title}:"

            for _ in options do
                yield! described[at]
                at <- at + 1
    ]
