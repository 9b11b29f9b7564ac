// The verb that runs the scenario fizzbuzz: its options, and the settings and stages that they come to.
module internal Plait.Tool.LabFizzBuzzVerb

open System.CommandLine

open Plait.Common
open Plait.Lab

let private quick =
    LabOptions.quick
        $"under three minutes: {FizzBuzz.quickRows.Length} rows ({FizzBuzz.quickNames}) in {Settings.quick.Launches} launches; over HTTP only {FizzBuzz.quickHttpNames}. With --only: the rows of --only, those with +sync-fn in process only; {Settings.quickOfMany.Launches} launches if these are more than {snd FizzBuzzStages.fewRows} rows, or more than {fst FizzBuzzStages.fewRows} without +sync-fn"

let private effort =
    LabOptions.effort "candidate" "every random choice" Settings.full

let private connections =
    LabOptions.connections
        $"keep-alive connections of the load generator; default: {Settings.full.Connections}"

let private noHttp = Options.flag "--no-http" "measure in process only"
let private noInProcess = Options.flag "--no-in-process" "measure over HTTP only"

let private runtime =
    Options.choice
        "--runtime"
        [ for runtime in RuntimeBuild.known -> RuntimeBuild.version runtime, runtime ]
        "measure every row on this version of .NET, built for it and with its own runtime; 11 has rows of its own (runtime async) and needs 'make dotnet11'; default: the installed runtime"

let private runtimes =
    Options.choices
        "--runtimes"
        [ for runtime in RuntimeBuild.known -> runtime, runtime ]
        $"""compare these versions of .NET, each with its own runtime: {String.concat "," RuntimeBuild.known}"""

let private asPublished =
    Options.flag
        "--as-published"
        "measure with the defects of the published benchmark (the five below), and the effect of each"

let private logging =
    Options.flag "--logging" "defect: every server logs to the console at level Debug"

let private table =
    Options.choice
        "--fn-table"
        [ "per-request", true; "once", false ]
        "defect: when the table of functions is made; default: once"

let private answers =
    Options.choice
        "--answers"
        [ "indented", true; "compact", false ]
        "defect: the form of the JSON that servers answer with; default: compact"

let private beside =
    Options.flag "--client-on-server-cores" "defect: the load generator shares the core of the server"

let private traced =
    Options.flag
        "--traced"
        "defect: functions that only compute are recorded call by call in a file (measured alone, on the base)"

let private fizzBoom =
    Options.flag
        "--fizzboom"
        "measure FizzBoom as well: six waits a request for a slow service, under a closed load (with --no-http --no-in-process: nothing else)"

let private delay =
    Options.duration
        "--delay"
        FizzBoom.delays
        "with --fizzboom: how long one wait takes; default: 1s, with --quick 100ms"

let private options: System.CommandLine.Option list =
    [
        quick
        yield! LabCandidateOptions.byName
        yield! LabOptions.effortOptions effort
        connections
        noHttp
        noInProcess
        yield! LabCandidateOptions.places
        runtime
        runtimes
        asPublished
        logging
        table
        answers
        beside
        traced
        fizzBoom
        delay
    ]

let private fizzBoomOf (parsed: ParseResult) : FizzBoomSettings option =
    if Options.value parsed fizzBoom then
        let preset = if Options.value parsed quick then FizzBoom.quick else FizzBoom.full

        Some
            { preset with
                DelayMilliseconds = Options.millisecondsOr preset.DelayMilliseconds parsed delay
                Connections = Options.valueOr preset.Connections parsed connections
            }
    elif Options.isGiven parsed delay then
        raise (BadInput "--delay is an option of FizzBoom; give --fizzboom with it, or leave it out")
    else
        None

let private switches (parsed: ParseResult) : Switches =
    let all =
        if Options.value parsed asPublished then FizzBuzzSwitches.asPublished else Switches.none

    let isOn switch =
        match switch with
        | Switch.Logging -> all.Has switch || Options.value parsed logging
        | Switch.TablePerRequest -> Options.valueOr (all.Has switch) parsed table
        | Switch.Indented -> Options.valueOr (all.Has switch) parsed answers
        | Switch.ClientOnServer -> all.Has switch || Options.value parsed beside

    Switches.ofList (Switch.all |> List.filter isOn)

/// The stages of the run besides measuring rows. Raises BadInput when options contradict each other.
let private wanted (choice: LabCandidateOptions.Choice) (parsed: ParseResult) : FizzBuzzOptions =
    {
        IsQuick = Options.value parsed quick
        IsTimed = Options.isGiven parsed LabOptions.budget
        HasNames = choice.HasNames
        Runtimes = Options.value parsed runtimes |> RuntimeBuild.oldestFirst
        Switches = switches parsed
        AsPublished = Options.value parsed asPublished
        IsTraced = Options.value parsed traced || Options.value parsed asPublished
        FizzBoom = fizzBoomOf parsed
        Feed = choice.Feed
        Candidates = choice.Folder
    }

/// How to measure. Raises BadInput when options contradict each other.
let private settings (choice: LabCandidateOptions.Choice) (wanted: FizzBuzzOptions) (parsed: ParseResult) =
    if Options.value parsed noHttp && Options.value parsed noInProcess && wanted.FizzBoom.IsNone then
        raise (
            BadInput "--no-http and --no-in-process together leave nothing to measure; leave one of them out"
        )

    let preset =
        if not wanted.IsQuick then
            Settings.full
        elif not choice.IsAll && FizzBuzzStages.isFewRows wanted choice.Rows choice.Packages.Length then
            Settings.quick
        else
            Settings.quickOfMany

    let isOrdered = choice.IsAll || LabOptions.isOrdered effort parsed

    let settings =
        { LabOptions.withEffort effort isOrdered parsed preset with
            Connections = Options.valueOr preset.Connections parsed connections
            InProcess = not (Options.value parsed noInProcess)
            Http = not (Options.value parsed noHttp)
        }

    FizzBuzzStages.check wanted settings
    let settings = FizzBuzzStages.settings wanted settings

    choice.Packages
    |> List.map _.Candidate.Name
    |> FizzBuzzStages.checkBudget wanted settings choice.Rows

    settings

let private work (parsed: ParseResult) (root: string) : ScenarioVerb.Work =
    let runtime = Options.value parsed runtime

    if runtime.IsSome && not (Options.value parsed runtimes).IsEmpty then
        raise (
            BadInput
                "--runtime measures every row on one runtime, and --runtimes compares several; leave one of them out"
        )

    let choice =
        LabCandidateOptions.choose
            [ FizzBuzz.scenario.Base; FizzBuzz.scenario.Control ]
            root
            (Options.value parsed quick)
            runtime
            parsed

    let wanted = wanted choice parsed
    let settings = settings choice wanted parsed

    fun session tell ->
        let rows =
            choice.Rows
            |> PackagedCandidate.buildRows root choice.Feed choice.Packages (Noticed >> tell) session.Stop
            |> match runtime with
               | Some runtime -> RuntimeBuild.rows root choice.Feed runtime (Noticed >> tell) session.Stop
               | None -> id

        FizzBuzzStages.run
            wanted
            session.Folder
            (session.Request(settings, rows))
            tell
            session.Save
            session.Stop

/// plait lab fizzbuzz
let command () : Command =
    ScenarioVerb.make
        FizzBuzz.scenario.Name
        "Compare every way of writing async by an interpreter that runs FizzBuzz, in process and over HTTP. Each candidate is a process of its own, measured in pairs against the plain synchronous one; the result is a ratio of CPU for a request with a 95 % interval."
        options
        work
