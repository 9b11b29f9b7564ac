// The verb that analyses F# projects: shows the findings, and writes the files.
module internal Plait.Tool.CheckVerb

open System
open System.Collections.Generic
open System.CommandLine
open System.IO
open System.Threading
open FSharp.Compiler.CodeAnalysis

open Plait.Common
open Plait.Check
open Plait.Tool.CheckOptions

/// All was analysed, and there is something to report.
let private found = Endings.failure

/// Not all could be analysed.
let private notAnalysed = Endings.badInput

/// Writes a file beside itself first, so that no reader ever finds half of it.
let private replace (file: string) (text: string) =
    // A device cannot be replaced.
    if file = Files.standardOutput || file.StartsWith("/dev/", StringComparison.Ordinal) then
        Files.write file text
    else
        Files.writing file (fun () -> Files.replacing file (fun beside -> File.WriteAllText(beside, text)))

let private exitCode (request: CheckRequest) (outcome: CheckResult) =
    let isIncomplete =
        outcome.IsStopped
        || not outcome.Unloaded.IsEmpty
        || not outcome.Unread.IsEmpty
        || outcome.Coverage.LostLines > 0 && not request.Load.Degraded

    if isIncomplete then notAnalysed
    elif outcome.Findings.IsEmpty then Endings.success
    else found

/// Shows an outcome and writes the files. Returns the exit code. `isShown`: the finding was shown before.
let private report (request: CheckInput) (isShown: Finding -> bool) (outcome: CheckResult) : int =
    let root = Directory.GetCurrentDirectory()
    let sources = Sources()
    let code = exitCode request.Check outcome

    // notes have the reason of lost lines: the package that is missing, the first type error
    if not request.Quiet || outcome.Coverage.LostLines > 0 then
        for note in outcome.Notes do
            Streams.say $"note: {note}"

    let show () =
        if request.Quiet then
            FindingsText.short root isShown outcome |> TerminalLines.write
        else
            FindingsText.lines (Wrap.width ()) root sources isShown outcome |> TerminalLines.write

        let writing (what: string) (file: string) (text: string) =
            fun () ->
                replace file text

                if not request.Quiet then
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

    let lost = outcome.Coverage.LostLines

    if outcome.IsStopped then
        let left =
            match outcome.Unread.Length with
            | 0 -> ""
            | 1 -> "; 1 project was not checked"
            | several -> $"; {several} projects were not checked"

        Endings.complain $"the check was stopped: later findings are missing{left}"

    for file, why in outcome.Unloaded do
        Endings.complain (FindingsText.unloaded root file why)

    if code = notAnalysed && lost > 0 then
        let lines = if lost = 1 then "1 line" else $"{lost} lines"

        Endings.complain
            $"{lines} could not be type-checked, so the rules left them out; build the project to see the errors, or accept this with --degraded"

    code

/// Findings that are shown when their project is done, before the others are.
type private ShownFindings(request: CheckInput) =
    let sources = Sources()
    let shown = HashSet<struct (string * Location * string)>()

    let key (finding: Finding) =
        struct (finding.Rule, finding.Location, finding.Message)

    member _.Show (print: (LineKind * string) list -> unit) (findings: Finding list) : unit =
        // beside JSON on standard output the text comes as a whole
        if request.Json <> Some Files.standardOutput then
            let root = Directory.GetCurrentDirectory()

            for finding in findings do
                shown.Add(key finding) |> ignore

            if request.Quiet then
                FindingsText.shortFindings root findings |> print
            else
                FindingsText.findings (Wrap.width ()) root sources findings |> print

    member _.Contains(finding: Finding) : bool = shown.Contains(key finding)

/// Runs a check. Returns its exit code; the exit code of an error is not that of findings.
let private guarded (check: unit -> int) : int =
    let mutable code = notAnalysed

    Endings.guard (fun () ->
        code <- check ()
        code)
    |> ignore

    code

/// The watched files besides the sources: project files, and the files that the user names.
let private watched (request: CheckRequest) (loaded: LoadResult) =
    [
        yield! loaded.Unloaded |> List.map fst

        for project in loaded.Projects do
            project.File
            yield! project.Options.SourceFiles

        yield! request.Tables
        yield! Option.toList request.Baseline
    ]

/// Checks again and again, until it is stopped. Returns the exit code of the last check.
let private watching (request: CheckInput) (checker: FSharpChecker) (token: CancellationToken) : int =
    let load () =
        StepProgress.run (fun tell -> Loading.load request.Check.Cache tell token request.Check.Load)

    let check projects =
        guarded (fun () ->
            StepProgress.run (fun tell -> Check.loaded checker tell token request.Check projects)
            |> report request (fun _ -> false))

    let mutable projects = load ()
    // Watching begins before the check, so that it gets the changes made meanwhile.
    let mutable watcher = new CheckWatch.Watcher(watched request.Check projects)
    let mutable last = notAnalysed

    let isProject file =
        projects.Unloaded |> List.exists (fun (unloaded, _) -> unloaded = file)
        || projects.Projects
           |> List.exists (fun project ->
               project.File = file && not (Array.contains file project.Options.SourceFiles))

    /// Loads the projects again. False: a project cannot be read, because somebody is editing it.
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

    /// Waits until there is something to check. False when it is stopped.
    let rec wait () =
        Streams.say "note: waiting for changes; Ctrl-C ends"

        match watcher.Next token with
        | None -> false
        | Some changed ->
            let names = changed |> List.map (fun file -> string (Path.GetFileName file))
            let others = names.Length - 1
            let more = if others = 0 then "" else $" and {others} more"
            Streams.say $"note: checking again: {names.Head}{more} changed"

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

            let quiet: StepProgress.Reporter =
                { Step = ignore; Say = ignore; Print = TerminalLines.write }

            let telling (work: StepProgress.Reporter -> 'T) : 'T =
                if request.Quiet then work quiet else StepProgress.runReporting work

            if request.Watch then
                watching request checker token
            elif request.Staged then
                match Staged.changes token request.Check.Load.Paths with
                | None ->
                    Console.Out.WriteLine "No F# file of these projects is staged."
                    Endings.success
                | Some staged ->
                    // all of it: callers and the blocking code that they call may be in other projects
                    telling (fun telling -> Check.run checker telling.Step ignore token request.Check)
                    |> Staged.only staged
                    |> report request (fun _ -> false)
            else
                let shown = ShownFindings request

                telling (fun telling ->
                    Check.run checker telling.Step (shown.Show telling.Print) token request.Check)
                |> report request shown.Contains))

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
        "Find misuse of async code in F# projects by data-flow: single-use values used twice, calls that block, work that is dropped. Exit code 0: no finding; 1: findings; 2: a part was not analysed, or the check was stopped."
        [ paths ]
        options
        run

/// plait check-worker
let worker () : Command =
    let verb =
        Verb.make CommandLine.checkWorkerVerb "Check, in a process of its own." [ paths ] options serve

    verb.Hidden <- true
    verb
