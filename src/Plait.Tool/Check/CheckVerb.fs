// The verb that analyses F# projects: reads its options, shows the findings, and writes the files.
module internal Plait.Tool.CheckVerb

open System
open System.CommandLine
open System.IO
open System.Threading
open FSharp.Compiler.CodeAnalysis

open Plait.Common
open Plait.Check

/// All was analysed, and there is something to report.
let private found = Endings.failure

/// Not all could be analysed.
let private notAnalysed = Endings.badInput

let private paths =
    Argument<string[]>(
        "PATH",
        Description = ".fsproj, .slnx, .sln, a folder, or .fs and .fsx files",
        Arity = ArgumentArity.ZeroOrMore,
        DefaultValueFactory = fun _ -> [||]
    )

let private rules =
    Options.choices
        "--rules"
        [ for rule in Rules.all -> rule.Code, rule.Code ]
        "the rules to run (default all)"

let private least =
    Options.choice
        "--min-severity"
        [ for word in Word.all<Severity>() -> word, Word.tryFind<Severity> word |> Option.get ]
        "the least severity that is reported (default: warning)"

let private fix =
    Options.flag
        "--fix"
        "apply the fixes that leave the behaviour as it is, if the code type-checks afterwards"

let private sarif =
    Options.text "--sarif" "FILE" "write the findings to this file as SARIF 2.1.0"

let private json = Options.json "the findings"

let private baseline =
    Options.text "--baseline" "FILE" "a file of findings that are known and not reported"

let private writeBaseline =
    Options.flag "--write-baseline" "write all findings of now to the file of --baseline"

let private degraded =
    Options.flag
        "--degraded"
        "also check projects that cannot be restored or wholly type-checked; the report lists the code that was left out"

let private framework =
    Options.text
        "--framework"
        "TFM"
        "the target framework to check projects of several for (default the newest)"

let private tables =
    Options.texts "--table" [] "FILE" "a file of further effects of functions; may be given several times"

let private watch =
    Options.flag "--watch" "check again when a file changes, until Ctrl-C"

let private options: Option list =
    [ rules; least; fix; sarif; json; baseline; writeBaseline; degraded; framework; tables; watch ]

/// The request of a command line.
type private CheckInput =
    {
        Check: CheckRequest
        /// The files of the findings, `-` for standard output.
        Sarif: string option
        Json: string option
        /// Check again when a file changes.
        Watch: bool
    }

/// The request of a command line. Raises BadInput when two options do not go together.
let private requested (parsed: ParseResult) : CheckInput =
    let value option = Options.value parsed option
    let paths = List.ofArray (parsed.GetRequiredValue paths)

    if paths.IsEmpty then
        raise (BadInput "'check' needs a path: a project, a solution, a folder or source files")

    for path in paths do
        // The parser takes an unknown option for one more path.
        if path.StartsWith '-' && not (File.Exists path || Directory.Exists path) then
            let known = options |> List.map _.Name
            let hint = NearestName.hint known "--help lists them all" path
            raise (BadInput $"'check' has no option '{path}'; {hint}")

    if value writeBaseline && (value baseline).IsNone then
        raise (BadInput "--write-baseline needs the file to write: add --baseline FILE")

    if value watch then
        for name, isGiven in
            [
                "--fix", value fix
                "--write-baseline", value writeBaseline
                "--json -", value json = Some Files.standardOutput
            ] do
            if isGiven then
                raise (BadInput $"--watch and {name} do not go together; leave one of them out")

    if value fix && value writeBaseline then
        raise (BadInput "--fix and --write-baseline do not go together: fix first, then write the baseline")

    for name, file in [ "--sarif", value sarif; "--json", value json ] do
        file |> Option.iter (Files.trial name)

    if value writeBaseline then
        value baseline |> Option.iter (Files.trial "--baseline")

    {
        Check =
            {
                Load = { Paths = paths; Framework = value framework; Degraded = value degraded }
                Rules = List.distinct (value rules)
                Tables = value tables
                Baseline = value baseline
                WriteBaseline = value writeBaseline
                Least = Options.valueOr Severity.Warning parsed least
                Fix = value fix
                // fixes for editors are tried before they are written
                TryFixes = (value sarif).IsSome || (value json).IsSome
            }
        Sarif = value sarif
        Json = value json
        Watch = value watch
    }

/// Writes a file beside itself first, so that no reader ever finds half of it.
let private replace (file: string) (text: string) =
    // A device cannot be replaced.
    if file = Files.standardOutput || file.StartsWith("/dev/", StringComparison.Ordinal) then
        Files.write file text
    else
        Files.writing file (fun () ->
            let beside = $"{Path.GetFullPath file}.{Environment.ProcessId}.tmp"

            try
                File.WriteAllText(beside, text)
                File.Move(beside, file, true)
            finally
                File.Delete beside)

let private exitCode (request: CheckRequest) (outcome: CheckResult) =
    if outcome.Coverage.LostLines > 0 && not request.Load.Degraded then notAnalysed
    elif outcome.Findings.IsEmpty then Endings.success
    else found

/// Shows an outcome and writes the files. Returns the exit code.
let private report (request: CheckInput) (outcome: CheckResult) : int =
    let root = Directory.GetCurrentDirectory()
    let sources = Sources()
    let code = exitCode request.Check outcome

    for note in outcome.Notes do
        Console.Error.WriteLine $"note: {note}"

    let show () =
        FindingsText.lines (Wrap.width ()) root sources outcome |> TerminalLines.write

        let writing (what: string) (file: string) (text: string) =
            fun () ->
                replace file text
                Console.Out.WriteLine $"{what}: {file}"

        Files.each
            [
                match outcome.NewBaseline, request.Check.Baseline with
                | Some text, Some file -> writing "baseline" file text
                | _ -> ()

                match request.Sarif with
                | Some file -> writing "sarif" file (Sarif.write root code sources outcome)
                | None -> ()

                match request.Json with
                | Some file when file <> Files.standardOutput ->
                    writing "json" file (FindingsJson.write root code outcome)
                | _ -> ()
            ]

    let toStandardOutput =
        request.Json |> Option.filter (fun file -> file = Files.standardOutput)

    Options.withJson toStandardOutput show (fun () -> FindingsJson.write root code outcome)

    if code = notAnalysed then
        let lost = outcome.Coverage.LostLines
        let lines = if lost = 1 then "1 line" else $"{lost} lines"

        Endings.complain
            $"{lines} could not be type-checked, so they were not checked; build the project to see the errors, or accept that with --degraded"

    code

/// Runs a check so that whatever stops it is no "something found". Returns the exit code.
let private guarded (check: unit -> int) : int =
    let mutable code = notAnalysed

    Endings.guard (fun () ->
        code <- check ()
        code)
    |> ignore

    code

/// The watched files besides the sources: project files, and the files that the user names.
let private watched (request: CheckRequest) (projects: LoadedProject list) =
    [
        for project in projects do
            project.File
            yield! project.Options.SourceFiles

        yield! request.Tables
        yield! Option.toList request.Baseline
    ]

/// Checks again and again, until it is told to stop. Returns the exit code of the last check.
let private watching (request: CheckInput) (checker: FSharpChecker) (token: CancellationToken) : int =
    let load () =
        StepProgress.run (fun tell -> Loading.load tell token request.Check.Load)

    let check projects =
        guarded (fun () ->
            StepProgress.run (fun tell -> Check.loaded checker tell token request.Check projects)
            |> report request)

    let mutable projects = load ()
    // Watching begins before the check, so that it sees the changes made meanwhile.
    let mutable watcher = new CheckWatch.Watcher(watched request.Check projects)
    let mutable last = notAnalysed

    let isProject file =
        projects
        |> List.exists (fun project ->
            project.File = file && not (Array.contains file project.Options.SourceFiles))

    /// Loads the projects again. False when that does not go: a project that cannot be read is on its way to another text.
    let loadAgain () =
        let mutable isLoaded = false

        let code =
            guarded (fun () ->
                projects <- load ()
                isLoaded <- true
                last)

        if isLoaded then
            (watcher :> IDisposable).Dispose()
            watcher <- new CheckWatch.Watcher(watched request.Check projects)
        elif not token.IsCancellationRequested then
            last <- code

        isLoaded

    /// Waits until there is something to check. False when it is told to stop.
    let rec wait () =
        Console.Error.WriteLine "note: waiting for changes; Ctrl-C ends"

        match watcher.Next token with
        | None -> false
        | Some changed ->
            let names = changed |> List.map (fun file -> string (Path.GetFileName file))
            let others = names.Length - 1
            let more = if others = 0 then "" else $" and {others} more"
            Console.Error.WriteLine $"note: checking again: {names.Head}{more} changed"

            if not (List.exists isProject changed) || loadAgain () then true
            elif token.IsCancellationRequested then false
            else wait ()

    try
        let mutable goesOn = true

        while goesOn do
            let code = check projects

            if token.IsCancellationRequested then
                goesOn <- false
            else
                last <- code
                Console.Out.Flush()
                goesOn <- wait ()

        last
    finally
        (watcher :> IDisposable).Dispose()

/// The work itself, in the process that was made for it.
let private serve (parsed: ParseResult) : int =
    let request = requested parsed

    CheckWorker.serve (fun token ->
        guarded (fun () ->
            let checker = Analysis.createChecker ()

            if request.Watch then
                watching request checker token
            else
                StepProgress.run (fun tell -> Check.run checker tell token request.Check)
                |> report request))

let private run (parsed: ParseResult) : int =
    guarded (fun () ->
        // Before a process is started for it.
        requested parsed |> ignore
        use stop = new StopSignal()
        CheckWorker.run (Environment.GetCommandLineArgs() |> Seq.skip 2 |> List.ofSeq) stop.Token)

/// plait check
let command () : Command =
    Verb.make
        "check"
        "Find misuse of async code in F# projects by data-flow: single-use values used twice, calls that block, work that is dropped. Exit code 0: nothing found; 1: something found; 2: not all could be analysed."
        [ paths ]
        options
        run

/// plait check-worker
let worker () : Command =
    let verb =
        Verb.make CommandLine.checkWorkerVerb "Check, in a process of its own." [ paths ] options serve

    verb.Hidden <- true
    verb
