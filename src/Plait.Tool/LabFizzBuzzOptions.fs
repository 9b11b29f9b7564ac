// The options of the comparison fizzbuzz, and what they come to.
module internal Plait.Tool.LabFizzBuzzOptions

open System.CommandLine

open Plait.Report

open Plait.Lab.Scenarios

let private quick =
    LabOptions.quick "a few minutes: fewer launches and pairs, shorter slices, wider intervals"

let private all =
    Options.flag "--all" "with --quick: measure rows with a factor (+sync-fn) over HTTP as well"

let private effort = LabEffort.make "candidate" [ "--rounds" ] "every random choice"

let private connections =
    LabOptions.connections "keep-alive connections of the load client"

let private noHttp = Options.flag "--no-http" "measure in process only"
let private noInProcess = Options.flag "--no-in-process" "measure over HTTP only"
let private out = LabOptions.out "fizzbuzz"

let private runtimes =
    Options.names
        "--runtimes"
        "measure on these versions of .NET, each with its own runtime: net8.0,net9.0,net10.0"

let private port =
    Options.number
        "--port"
        []
        "N"
        Settings.ranges.Port
        "port of the base's server, the candidate's is the next; 0: the system's choice"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        all
        yield! LabCandidateOptions.byName
        yield! LabEffort.all' effort
        connections
        noHttp
        noInProcess
        out
        LabSwitchOptions.form
        yield! LabCandidateOptions.places
        runtimes
        yield! LabSwitchOptions.all'
        port
        LabOptions.patience
        yield! LabFizzBoomOptions.all'
    ]

/// How to measure. Raises BadInput when options contradict each other.
let settings (parsed: ParseResult) : Settings =
    let preset = if Options.value parsed quick then Settings.quick else Settings.full

    if
        Options.value parsed noHttp
        && Options.value parsed noInProcess
        && not (LabFizzBoomOptions.isAsked parsed)
    then
        raise (
            BadInput "--no-http and --no-in-process together leave nothing to measure; leave one of them out"
        )

    let isOrdered = Options.value parsed all || LabEffort.isOrdered effort parsed

    { LabEffort.into effort isOrdered parsed preset with
        Connections = Options.valueOr preset.Connections parsed connections
        InProcess = not (Options.value parsed noInProcess)
        Http = not (Options.value parsed noHttp)
        HttpForFactors = preset.HttpForFactors || Options.value parsed all
        Port = Options.valueOr preset.Port parsed port
    }

/// The runtimes to compare, oldest first; empty: this one alone.
let runtimesOf (parsed: ParseResult) : string list =
    Options.value parsed runtimes |> RuntimeBuild.choose

/// Whether the short preset was asked for.
let isQuick (parsed: ParseResult) : bool = Options.value parsed quick

/// Whether the time is the user's.
let isTimed (parsed: ParseResult) : bool = LabEffort.isTimed effort parsed

/// How FizzBoom runs; None: it is not asked for.
let fizzBoom (parsed: ParseResult) : FizzBoomSettings option =
    LabFizzBoomOptions.settings (isQuick parsed) (Options.value parsed connections) parsed

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out
