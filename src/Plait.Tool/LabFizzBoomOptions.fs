// The options of FizzBoom, a part of the comparison fizzbuzz.
module internal Plait.Tool.LabFizzBoomOptions

open System.CommandLine

open Plait.Report

open Plait.Lab.Scenarios

let private fizzBoom =
    Options.flag
        "--fizzboom"
        "measure FizzBoom as well: six waits a request for a slow service, under a closed load (with --no-http --no-in-process: nothing else)"

let private delay =
    Options.number
        "--delay"
        []
        "MS"
        FizzBoom.delays
        "with --fizzboom: milliseconds of one wait; default: 1000, with --quick 100"

/// All of them.
let all': System.CommandLine.Option list = [ fizzBoom; delay ]

/// Whether FizzBoom is asked for.
let isAsked (parsed: ParseResult) : bool = Options.value parsed fizzBoom

/// How FizzBoom runs; None: it is not asked for. Raises BadInput for a delay without it.
let settings (isQuick: bool) (connections: int option) (parsed: ParseResult) : FizzBoomSettings option =
    let given = Options.value parsed delay

    if isAsked parsed then
        let preset = if isQuick then FizzBoom.quick else FizzBoom.full

        Some
            { preset with
                DelayMilliseconds = Option.defaultValue preset.DelayMilliseconds given
                Connections = Option.defaultValue preset.Connections connections
            }
    elif given.IsSome then
        raise (BadInput "--delay is that of FizzBoom; give --fizzboom with it, or leave it out")
    else
        None
