// The verbs of the doctor: reads their options, looks at a process, watches it, or reads a saved trace.
module internal Plait.Tool.DoctorVerb

open System
open System.CommandLine

open Plait.Common
open Plait.Doctor

let private target =
    Argument<string | null>(
        "PID|NAME",
        Description =
            "the number of the process, its name or a part of its name; without it, list the .NET processes",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = fun _ -> null
    )

let private watch =
    Options.flag
        "--watch"
        "watch the process: read its counters all the time, and its stacks when work waits, when hardly any work is done, and at the end of --for"

let private ptrace =
    Options.flag
        "--ptrace"
        "read the stacks as a debugger does, without the diagnostics port (Linux): the doctor stops one thread at a time; with --watch, only while work waits"

let private longestStop =
    Options.duration
        "--max-stop"
        (1, 10_000)
        "with --ptrace: the longest stop of one thread; the sum of all stops has no limit (default: 500ms)"

let private limit =
    Options.duration
        "--for"
        (1000, 7 * 24 * 3600 * 1000)
        "how long to watch (default: until the process ends)"

/// The process to examine, the settings of the look, and the files of the diagnosis.
type private Examination =
    {
        /// Its number, its name, or a part of that.
        Name: string
        Look: Look.LookSettings
        Outputs: DoctorOutput.Outputs
    }

/// The request of `plait doctor`.
[<RequireQualifiedAccess>]
type private Request =
    | List
    | Look of Examination
    | Watch of Examination * limit: TimeSpan option

/// The request of a command line. Raises BadInput when two options do not go together.
let private requested (parsed: ParseResult) : Request =
    let isWatching = Options.value parsed watch
    let byPtrace = Options.value parsed ptrace

    let limit, longestStop =
        Options.value parsed limit, Options.value parsed longestStop

    if limit.IsSome && not isWatching then
        raise (BadInput "--for limits the time of --watch: add --watch, or leave --for out")

    if longestStop.IsSome && not byPtrace then
        raise (BadInput "--max-stop limits the stops of --ptrace: add --ptrace, or leave --max-stop out")

    match parsed.GetValue target with
    | null ->
        for name, isGiven in
            [
                "--watch", isWatching
                "--ptrace", byPtrace
                "--json", Options.isGiven parsed DoctorOutput.json
                "--html", Options.isGiven parsed DoctorOutput.html
            ] do
            if isGiven then
                raise (
                    BadInput
                        $"{name} needs a process: 'plait doctor PID {name}'; 'plait doctor' alone lists them"
                )

        Request.List
    | name ->
        let stop = Option.defaultValue PtraceRoute.usualLimit longestStop

        let examination =
            {
                Name = name
                Look = { Look.usual with Ptrace = if byPtrace then Some stop else None }
                Outputs = DoctorOutput.requested parsed
            }

        if isWatching then Request.Watch(examination, limit) else Request.Look examination

/// How long stopped work may take to remove its files.
let private tidying = TimeSpan.FromSeconds 3.0

/// The result of `work`, with a display of its steps; raises OperationCanceledException when the user stops it.
let private stoppable (work: (string -> unit) -> (string -> unit) -> 'T) : 'T =
    use stop = new StopSignal()

    StepProgress.runSaying (fun tell say -> StopSignal.until stop.Token tidying (fun () -> work tell say))

let private listed () : int =
    let lines =
        stoppable (fun tell _ ->
            tell "looking for .NET processes"
            Overview.read ())

    ProcessTable.lines (Wrap.width ()) lines |> TerminalLines.write
    Endings.success

let private once (examination: Examination) (pid: int) : Diagnosis =
    let diagnosis =
        stoppable (fun tell say ->
            tell $"looking at process {pid}"

            let settings =
                { examination.Look with Announce = fun sentence -> say $"note: {sentence}" }

            try
                Judging.judge (Look.at settings pid)
            with :? NoAnswer as trouble ->
                Judging.noAnswer (Processes.facts pid) trouble.Message)

    DoctorOutput.show diagnosis
    diagnosis

let private watched (examination: Examination) (limit: TimeSpan option) (pid: int) : Diagnosis =
    use stop = new StopSignal()

    let attach settings tell =
        tell $"asking process {pid}"
        let facts = Processes.facts pid
        new Watch(settings, settings.Look.Limit, facts), facts

    DoctorWatch.run examination.Look limit stop.Token attach id

let private examine (request: Request) : int =
    let at (examination: Examination) (look: int -> Diagnosis) =
        let pid = Processes.find examination.Name
        DoctorOutput.writing examination.Outputs (fun () -> look pid)

    match request with
    | Request.List -> listed ()
    | Request.Look examination -> at examination (once examination)
    | Request.Watch(examination, limit) -> at examination (watched examination limit)

let private command' =
    Argument<string[]>(
        "COMMAND",
        Description = "the program and its arguments, after --",
        Arity = ArgumentArity.OneOrMore
    )

let private start (command: string list) (limit: TimeSpan option) (outputs: DoctorOutput.Outputs) : int =
    use stop = new StopSignal()

    DoctorOutput.writing outputs (fun () ->
        DoctorRun.run Look.usual limit outputs.TakesStandardOutput stop.Token command)

let private trace =
    Argument<string>("FILE", Description = "a trace with stacks of threads, FILE.nettrace")

let private explain (trace: string) (outputs: DoctorOutput.Outputs) : int =
    DoctorOutput.writing outputs (fun () ->
        let diagnosis =
            stoppable (fun tell _ ->
                tell "reading the trace"
                Judging.judge (Look.saved trace))

        DoctorOutput.show diagnosis
        diagnosis)

/// The exit codes of a verb. `sick`: what else ends it with 1.
let private codes (sick: string) =
    $"Exit code 0: work of the pool does not wait for blocked threads; 1: it does, or most workers wait for one lock, or a thread hangs{sick}; 2: the doctor found no verdict."

let private verbWith sick name description arguments options run =
    Verb.make name $"{description} {codes sick}" arguments options (fun parsed ->
        DoctorOutput.guarded (fun () -> run parsed))

let private verb name = verbWith "" name

/// plait doctor
let command () : Command =
    Verb.group
        (verb
            "doctor"
            "Show whether the thread pool of a live .NET process starves, and the lines that block its threads."
            [ target ]
            [ watch; limit; DoctorOutput.json; DoctorOutput.html; ptrace; longestStop ]
            (requested >> examine))
        [
            verbWith
                ", or the program failed"
                "run"
                $"Start a program and watch it from the start. It has {int DoctorRun.patience.TotalSeconds} s to become a .NET process; --for counts from then on."
                [ command' ]
                [ limit; DoctorOutput.json; DoctorOutput.html ]
                (fun parsed ->
                    start
                        (List.ofArray (parsed.GetRequiredValue command'))
                        (Options.value parsed limit)
                        (DoctorOutput.requested parsed))
            verb
                "explain"
                "Read a trace that was saved before."
                [ trace ]
                [ DoctorOutput.json; DoctorOutput.html ]
                (fun parsed -> explain (parsed.GetRequiredValue trace) (DoctorOutput.requested parsed))
        ]
