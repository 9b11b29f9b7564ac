// The verbs of the doctor: reads their options, looks at a process, watches it, or reads a saved trace.
module internal Plait.Tool.DoctorVerb

open System
open System.CommandLine
open System.Threading.Tasks

open Plait.Common
open Plait.Doctor

let private target =
    Argument<string | null>(
        "PID|NAME",
        Description = "the process: its number, or its name or a part of that; none: list the .NET processes",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = fun _ -> null
    )

let private watch =
    Options.flag
        "--watch"
        "go on watching: counters all the time; the threads where work waits, where hardly anything is done, and when --for is over"

let private ptrace =
    Options.flag
        "--ptrace"
        "look as a debugger does, without its diagnostics port: its threads are stopped one at a time (Linux); with --watch, where work waits"

let private longestStop =
    Options.duration
        "--max-stop"
        (1, 10_000)
        "with --ptrace: the limit for the stop of each thread; their sum has none (default 500ms)"

let private limit =
    Options.duration "--for" (1000, 7 * 24 * 3600 * 1000) "how long to watch (default until it ends)"

let private look (parsed: ParseResult) : Look.LookSettings =
    { Look.usual with
        Ptrace =
            if Options.value parsed ptrace then
                Some(Options.value parsed longestStop |> Option.defaultValue PtraceRoute.usualLimit)
            else
                None
    }

/// How long work that was told to stop may take to remove its files.
let private tidying = TimeSpan.FromSeconds 3.0

/// The result of `work`, with a display of its steps; raises OperationCanceledException when the user stops it.
let private stoppable (work: (string -> unit) -> (string -> unit) -> 'T) : 'T =
    use stop = new StopSignal()

    StepProgress.runSaying (fun tell say ->
        let working =
            Task.Factory.StartNew((fun () -> work tell say), TaskCreationOptions.LongRunning)

        try
            working.Wait stop.Token
        with
        | :? OperationCanceledException ->
            Task.WaitAny([| working :> Task |], tidying) |> ignore
            reraise ()
        // It is raised below, as it was.
        | :? AggregateException -> ()

        working.GetAwaiter().GetResult())

let private listed () : int =
    use stop = new StopSignal()

    let lines =
        StepProgress.run (fun tell ->
            tell "looking for .NET processes"
            Overview.read stop.Token)

    ProcessTable.lines (Wrap.width ()) lines |> TerminalLines.write
    Endings.success

let private once (parsed: ParseResult) (pid: int) : Diagnosis =
    let diagnosis =
        stoppable (fun tell say ->
            tell $"looking at process {pid}"

            let settings =
                { look parsed with Announce = fun sentence -> say $"note: {sentence}" }

            try
                Judging.judge (Look.at settings pid)
            with :? NoAnswer as trouble ->
                Judging.noAnswer (Processes.facts pid) trouble.Message)

    DoctorOutput.show diagnosis
    diagnosis

let private examine (parsed: ParseResult) : int =
    let isWatching = Options.value parsed watch

    if Options.isGiven parsed limit && not isWatching then
        raise (BadInput "--for says how long to watch: add --watch, or leave it out")

    if Options.isGiven parsed longestStop && not (Options.value parsed ptrace) then
        raise (BadInput "--max-stop limits the stops of --ptrace: add --ptrace, or leave it out")

    match parsed.GetValue target with
    | null ->
        for name, isGiven in
            [
                "--watch", isWatching
                "--ptrace", Options.value parsed ptrace
                "--json", Options.isGiven parsed DoctorOutput.json
                "--html", Options.isGiven parsed DoctorOutput.html
            ] do
            if isGiven then
                raise (
                    BadInput
                        $"{name} needs a process: 'plait doctor PID {name}'; 'plait doctor' alone lists them"
                )

        listed ()
    | name ->
        DoctorOutput.trial parsed
        let pid = Processes.find name

        let diagnosis =
            DoctorOutput.writing parsed (fun () ->
                if isWatching then
                    use stop = new StopSignal()

                    let attach settings tell =
                        tell $"asking process {pid}"
                        let facts = Processes.facts pid
                        new Watch(settings, facts), facts

                    DoctorWatch.run (look parsed) (Options.value parsed limit) stop.Token attach id
                else
                    once parsed pid)

        DoctorOutput.exitCode diagnosis.Verdict

let private command' =
    Argument<string[]>(
        "COMMAND",
        Description = "the program and its arguments, behind --",
        Arity = ArgumentArity.OneOrMore
    )

let private start (parsed: ParseResult) : int =
    DoctorOutput.trial parsed
    let command = List.ofArray (parsed.GetRequiredValue command')
    use stop = new StopSignal()
    let isQuiet = DoctorOutput.takesStandardOutput parsed

    let diagnosis =
        DoctorOutput.writing parsed (fun () ->
            DoctorRun.run Look.usual (Options.value parsed limit) isQuiet stop.Token command)

    DoctorOutput.exitCode diagnosis.Verdict

let private trace =
    Argument<string>("FILE", Description = "a trace with stacks of threads, FILE.nettrace")

let private explain (parsed: ParseResult) : int =
    DoctorOutput.trial parsed

    let diagnosis =
        DoctorOutput.writing parsed (fun () ->
            let diagnosis =
                stoppable (fun tell _ ->
                    tell "reading the trace"
                    Judging.judge (Look.saved (parsed.GetRequiredValue trace)))

            DoctorOutput.show diagnosis
            diagnosis)

    DoctorOutput.exitCode diagnosis.Verdict

let private codes =
    "Exit code 0: the pool does not starve; 1: it does, or stands before one lock, or a thread hangs, or the program of 'run' failed; 2: the look had no answer."

let private verb name description arguments options run =
    Verb.make name $"{description} {codes}" arguments options (fun parsed ->
        DoctorOutput.guarded (fun () -> run parsed))

/// plait doctor
let command () : Command =
    Verb.group
        (verb
            "doctor"
            "Say whether the thread pool of a live .NET process starves, and on which lines."
            [ target ]
            [ watch; limit; DoctorOutput.json; DoctorOutput.html; ptrace; longestStop ]
            examine)
        [
            verb
                "run"
                "Start a program and watch it from the start."
                [ command' ]
                [ limit; DoctorOutput.json; DoctorOutput.html ]
                start
            verb
                "explain"
                "Read a trace that was saved before."
                [ trace ]
                [ DoctorOutput.json; DoctorOutput.html ]
                explain
        ]
