// What the terminal shows of a diagnosis, on one screen: the verdict, the numbers it stands on, the lines that hold workers,
// what that costs, and what to write instead. Pure. Above it the words that the page and the JSON take from here too.
namespace Plait.Doctor

open System
open System.Globalization
open System.IO

open Plait.Common
// Its verdicts and frames are those of a process.
open Plait.Doctor

/// Verdicts, kinds, places and numbers in words.
module internal DiagnosisWords =
    let private invariant = CultureInfo.InvariantCulture

    /// How deep folded stacks go in files. What lies deeper is recursion, and some readers of JSON refuse it.
    let deepest = 200

    /// The verdict as the first word that is read.
    let verdict (verdict: Verdict) : string =
        match verdict with
        | Verdict.Healthy -> "HEALTHY"
        | Verdict.Starved -> "STARVED"
        | Verdict.CpuBound -> "CPU-BOUND"
        | Verdict.Late -> "LATE"
        | Verdict.LockConvoy -> "LOCK CONVOY"
        | Verdict.Hung -> "HUNG"
        | Verdict.Failed -> "FAILED"
        | Verdict.NoAnswer -> "NO ANSWER"

    /// What holds a thread.
    let kind (kind: BlockKind) : string =
        match kind with
        | BlockKind.Sleep -> "Thread.Sleep"
        | BlockKind.Spin -> "spinning (SpinWait)"
        | BlockKind.TaskWait -> "wait for a task (.Result, .Wait)"
        | BlockKind.RunSynchronously -> "Async.RunSynchronously"
        | BlockKind.Lock -> "wait for a lock"
        | BlockKind.MonitorWait -> "Monitor.Wait"
        | BlockKind.Semaphore -> "wait for a semaphore"
        | BlockKind.WaitHandle -> "wait for an event or a wait handle"
        | BlockKind.Mailbox -> "wait for a mailbox's reply"
        | BlockKind.Collection -> "wait for a BlockingCollection"
        | BlockKind.Join -> "Thread.Join"
        | BlockKind.File -> "synchronous file access"
        | BlockKind.Socket -> "synchronous socket"
        | BlockKind.Http -> "HttpClient.Send"
        | BlockKind.Dns -> "synchronous name look-up"
        | BlockKind.Process -> "wait for a process to end"
        | BlockKind.Console -> "console input"
        | BlockKind.Other -> "blocking call"

    /// The way into the process.
    let route (route: Route) : string =
        match route with
        | Route.EventPipe -> "EventPipe"
        | Route.Ptrace -> "ptrace"
        | Route.SavedTrace -> "a saved trace"

    /// A build that is the same everywhere has "/_/" in place of the folder of its sources: the current directory, if the file is
    /// there.
    let private ofRepository (file: string) : string =
        if file.StartsWith("/_", StringComparison.Ordinal) && file.IndexOf('/', 2) > 0 then
            let rest = file.Substring(file.IndexOf('/', 2) + 1)
            if File.Exists rest then Path.GetFullPath rest else file
        else
            file

    /// A path relative to the current directory where it lies below it, with slashes; otherwise the name of the file alone.
    let path (file: string) : string =
        let file = ofRepository file

        let relative =
            Path.GetRelativePath(Environment.CurrentDirectory, file).Replace('\\', '/')

        // Symbols that were made on another system have that system's paths.
        let isForeign =
            file.Length > 1 && file[1] = ':' && Path.DirectorySeparatorChar = '/'

        if isForeign || Path.IsPathRooted relative || relative = ".." || relative.StartsWith "../" then
            file.Substring(file.LastIndexOfAny [| '/'; '\\' |] + 1)
        else
            relative

    /// "src/Orders.fs:10".
    let place (file: string, line: int) : string = Printable.line $"{path file}:{line}"

    /// "Orders.work (src/Orders.fs:10)".
    let code (name: string) (at: (string * int) option) : string =
        match at with
        | Some at -> $"{Printable.line name} ({place at})"
        | None -> Printable.line name

    /// "1 worker", "17 workers".
    let counted (count: int) (one: string) : string =
        let number = count.ToString("N0", invariant)
        if count = 1 then $"{number} {one}" else $"{number} {one}s"

    /// A whole number.
    let whole (value: int64) : string = value.ToString("N0", invariant)

    /// A number with a decimal where it is small.
    let number (value: float) : string =
        value.ToString((if abs value < 100.0 then "0.#" else "N0"), invariant)

    /// Seconds as people say them: 500 ms, 29.0 s, 5 min 1 s.
    let seconds (value: float) : string =
        if value < 99.5 then
            Duration.rough (int64 (max 0.0 value * 1e9))
        elif value > 86_400.0 then
            "more than a day"
        else
            let whole = int64 (Math.Round value)

            if whole >= 3600L then
                $"{whole / 3600L} h {whole / 60L % 60L} min"
            else
                $"{whole / 60L} min {whole % 60L} s"

    /// Whether the runtime adds threads for what is blocked, in a few words; None: nothing is.
    let compensation (blames: Blame list) : string option =
        let blocked = blames |> List.sumBy _.Workers
        let at = blames |> List.filter _.Compensated |> List.sumBy _.Workers

        if blocked = 0 then
            None
        elif at = 0 then
            Some "not compensated: the runtime adds threads slowly for these waits"
        elif at = blocked then
            Some "compensated: the runtime adds threads at once for these waits"
        else
            Some $"compensated for {at} of {blocked} blocked workers"

    /// What became of the work item that was put into the queue for the purpose.
    let canary (canary: CanaryItem) : string =
        let waited = seconds (canary.WaitedMilliseconds / 1000.0)

        if canary.Ran then
            $"a work item of ours ran after {waited}"
        else
            $"a work item of ours has not run after {waited}"

    /// What stands above the threads that are listed.
    let heading (waiters: WaitingThread list) : string =
        if waiters |> List.exists _.IsWorker then
            "Threads that can never go on, and others outside of the pool that wait"
        else
            "Threads outside of the pool that wait"

    /// What a thread waits for that can never go on, and what to do instead.
    let heldUp (deadlock: Deadlock) : string =
        let threads = WaitWords.threads deadlock

        match deadlock.What with
        | Obstruction.Scheduler scheduler ->
            $"its task waits in {scheduler} for {threads} to be done: await the task instead of waiting for it"
        | Obstruction.Task -> $"its task is run by {threads}: await it instead of waiting for it"
        | Obstruction.Lock object ->
            $"the {WaitWords.lock object} is held by {threads}: take locks in the same order everywhere, and wait for nothing while you hold one"
        | Obstruction.Thread ->
            $"it joins {threads}: join no thread that needs what this one holds or does, or let it go first"

    /// Frames with how often each comes one after the other: recursion in one line.
    let rec folded (frames: 'Frame list) : ('Frame * int) list =
        match frames with
        | [] -> []
        | frame :: _ ->
            let same = frames |> List.takeWhile ((=) frame) |> List.length
            (frame, same) :: folded (List.skip same frames)

/// The screen.
module DiagnosisText =
    open DiagnosisWords

    /// Lines that hold workers which are shown, and how many callers of the first and of the others.
    let private shownBlames, private shownCallers, private shownOthers = 5, 3, 1

    let private kindOf (verdict: Verdict) =
        match verdict with
        | Verdict.Healthy -> LineKind.Good
        | Verdict.Starved
        | Verdict.LockConvoy
        | Verdict.Hung
        | Verdict.Failed
        | Verdict.NoAnswer -> LineKind.Bad
        | Verdict.CpuBound
        | Verdict.Late -> LineKind.Doubtful

    /// Lines behind a label; those after the first stand under its text.
    let private labelled width (label: string) (text: string) =
        Wrap.within width (String(' ', label.Length)) (Printable.line text)
        |> List.mapi (fun at line -> if at = 0 then label + line.Substring label.Length else line)

    let private head width (diagnosis: Diagnosis) =
        let evidence = diagnosis.Evidence
        let about = evidence.Process

        let how =
            [
                match about.Runtime with
                | Some version -> $".NET {version}"
                | None -> ()
                counted about.Processors "processor"

                if diagnosis.Verdict <> Verdict.NoAnswer then
                    $"{route evidence.Route}, {seconds (evidence.Milliseconds / 1000.0)}"
            ]
            |> String.concat ", "

        [
            for line in
                labelled width (verdict diagnosis.Verdict + "  ") $"{about.Name}, pid {about.Pid} ({how})" do
                kindOf diagnosis.Verdict, line

            for line in Wrap.within width "" (Printable.line diagnosis.Why) do
                LineKind.Heading, line
        ]

    let private numbers (diagnosis: Diagnosis) : (string * string) list =
        let numbers = diagnosis.Numbers
        let route = route diagnosis.Evidence.Route

        [
            "queue",
            [
                match numbers.Queue with
                | Some 0L -> "empty"
                | Some 1L -> "1 work item waits"
                | Some queue -> $"{whole queue} work items wait"
                | None -> $"not known ({route} does not tell)"

                match numbers.CompletedPerSecond with
                | Some completed -> $"{number completed} completed/s"
                | None -> ()

                yield! diagnosis.Evidence.Canary |> Option.map canary |> Option.toList
            ]
            |> String.concat ", "

            "workers",
            if numbers.Workers = 0 then
                "none has a stack"
            else
                $"{numbers.Blocked} of {numbers.Workers} blocked, {numbers.Running} running, {numbers.Idle} idle"

            if numbers.Others > 0 then
                let waiting =
                    diagnosis.Waiters |> List.filter (fun waiter -> not waiter.IsWorker) |> List.length

                "others",
                counted numbers.Others "thread"
                + " outside of the pool, "
                + match waiting with
                  | 0 -> "none waits for another"
                  | 1 -> "1 waits for another"
                  | several -> $"{whole (int64 several)} wait for others"

            match
                [
                    yield!
                        numbers.Threads
                        |> Option.map (fun threads -> $"{threads} of the pool")
                        |> Option.toList

                    match numbers.InjectedPerSecond with
                    | Some rate when rate >= 0.05 -> $"{number rate} added/s"
                    | Some _ -> "none added"
                    | None -> ()

                    yield! compensation diagnosis.Blames |> Option.toList
                ]
            with
            | [] -> ()
            | parts -> "threads", String.concat ", " parts

            match numbers.CpuPercent with
            | Some percent ->
                let processors = counted diagnosis.Evidence.Process.Processors "processor"
                "CPU", $"{number percent} %% of {processors}"
            | None -> ()

            match numbers.ContentionsPerSecond with
            | Some rate when rate >= 1.0 -> "locks", $"{number rate} found taken/s"
            | _ -> ()
        ]

    /// Who called the blamed function; the innermost frame of the stack is the function itself.
    let private callers (blame: Blame) =
        match blame.Stack with
        | (name, place) :: rest when name = blame.Function && place = blame.Place -> rest
        | stack -> stack

    let private blamed width (at: int) (indent: int) (blame: Blame) =
        let count = (string blame.Workers).PadLeft indent
        let pad = String(' ', indent + 4)
        let callers = callers blame |> folded
        let most = if at = 0 then shownCallers else shownOthers
        let left = callers.Length - most

        [
            for line in
                labelled width $"  {count}  " $"{kind blame.Kind} in {code blame.Function blame.Place}" do
                LineKind.Plain, line

            for (name, place), times in List.truncate most callers do
                let times = if times > 1 then $", {times} times" else ""

                for line in labelled width (pad + "from ") (code name place + times) do
                    LineKind.Faint, line

            if left > 0 then
                LineKind.Faint, pad + "and " + counted left "caller" + " more"
        ]

    let private blames width (blames: Blame list) =
        let shown = blames |> List.truncate shownBlames
        let rest = blames |> List.skip shown.Length

        let indent =
            shown |> List.fold (fun widest blame -> max widest (string blame.Workers).Length) 1

        [
            if not blames.IsEmpty then
                LineKind.Plain, ""
                LineKind.Heading, "Lines that hold workers"

                for at, blame in List.indexed shown do
                    yield! blamed width at indent blame

            if not rest.IsEmpty then
                let more = counted rest.Length "line"
                let held = counted (rest |> List.sumBy _.Workers) "worker"
                LineKind.Faint, $"  and {more} more that hold {held}"
        ]

    let private computing width (found: Computing list) =
        [
            if not found.IsEmpty then
                LineKind.Plain, ""
                LineKind.Heading, "Functions that compute"

                for at, one in found |> List.truncate shownBlames |> List.indexed do
                    let share =
                        (100.0 * one.Share).ToString("F0", CultureInfo.InvariantCulture).PadLeft 3

                    let what = if one.IsThrowing then "exceptions thrown in " else ""

                    for line in labelled width $"  {share} %%  " (what + code one.Function one.Place) do
                        LineKind.Plain, line

                    let callers =
                        one.Stack |> List.truncate (if at = 0 then 1 + shownCallers else 1 + shownOthers)

                    for (name, place), _ in folded (List.skip (min 1 callers.Length) callers) do
                        for line in labelled width "         from " (code name place) do
                            LineKind.Faint, line
        ]

    let private who (waiters: WaitingThread list) : string =
        match waiters with
        | [ waiter ] when waiter.IsMain -> "main thread"
        | [ waiter ] when waiter.IsWorker -> $"worker {waiter.Thread}"
        | [ waiter ] -> $"thread {waiter.Thread}"
        | several -> counted several.Length "thread"

    /// What is to be said of a thread that waits; None: it may wait for work.
    let private explained (waiter: WaitingThread) : string option =
        let cure =
            match waiter.Kind with
            | BlockKind.TaskWait -> "await the task, or end its awaits with ConfigureAwait(false)"
            | BlockKind.RunSynchronously -> "bind the async with let!, up to the event of the window"
            | BlockKind.Join
            | BlockKind.Lock -> "let that thread wait for no work that is posted here"
            | _ -> "await a TaskCompletionSource, or SemaphoreSlim.WaitAsync, in place of this wait"

        match waiter.Deadlock, waiter.Context with
        | Some deadlock, _ -> Some(heldUp deadlock)
        | None, Some context when waiter.IsHung ->
            Some $"work posted to its SynchronizationContext, {context}, waits for this thread: {cure}"
        | None, Some context ->
            Some $"its SynchronizationContext is {context}: what is posted to it waits meanwhile"
        | None, None when waiter.IsHung ->
            Some "work posted to its SynchronizationContext waits for this thread"
        | None, None when waiter.Kind = BlockKind.Collection -> None
        | None, None -> Some "a thread that has nothing else to do may wait so; one that others need hangs"

    let private waiters width (waiters: WaitingThread list) =
        // many threads may wait in one line
        let groups =
            waiters
            |> List.groupBy (fun waiter ->
                if waiter.IsMain || waiter.IsHung then Some waiter.Thread else None
                , (waiter.Kind, waiter.Function, waiter.Place, waiter.Context))
            |> List.map snd

        let shown = groups |> List.truncate shownBlames
        let rest = groups |> List.skip shown.Length |> List.sumBy _.Length

        [
            if not waiters.IsEmpty then
                LineKind.Plain, ""
                LineKind.Heading, heading waiters

                for at, group in List.indexed shown do
                    let waiter = group.Head

                    let since =
                        match List.choose _.WaitsForSeconds group with
                        | [] -> ""
                        | known when group.Length > 1 -> $", for {seconds (List.min known)} or more"
                        | known -> $", for {seconds known.Head}"

                    for line in
                        labelled
                            width
                            $"  {who group}  "
                            $"{kind waiter.Kind} in {code waiter.Function waiter.Place}{since}" do
                        LineKind.Plain, line

                    let isSaid =
                        shown
                        |> List.truncate at
                        |> List.exists (fun other -> explained other.Head = explained waiter)

                    if not isSaid then
                        for says in Option.toList (explained waiter) do
                            for line in labelled width "      " says do
                                LineKind.Faint, line

            if rest > 0 then
                LineKind.Faint, "  and " + counted rest "thread" + " more"
        ]

    let private advice width (diagnosis: Diagnosis) =
        let shown = diagnosis.Blames |> List.truncate shownBlames

        let remedies =
            shown
            |> List.filter (fun blame -> blame.Remedy <> "")
            |> List.groupBy _.Remedy
            |> List.map (fun (remedy, blames) ->
                blames |> List.map (fun blame -> kind blame.Kind) |> List.distinct |> String.concat ", ",
                remedy)

        let rules = shown |> List.choose _.Rule |> List.distinct

        let lines =
            [
                yield! diagnosis.Cost |> Option.map (fun cost -> "cost", cost) |> Option.toList

                match remedies with
                | [ _, remedy ] -> "remedy", remedy
                | remedies ->
                    for what, remedy in remedies do
                        "remedy", $"{what}: {remedy}"

                if not rules.IsEmpty then
                    let rules = String.concat ", " rules
                    "in source", $"plait check finds such calls ({rules})"
            ]

        [
            if not lines.IsEmpty then
                LineKind.Plain, ""

                for label, text in lines do
                    for line in labelled width $"  {label.PadRight 9}  " text do
                        LineKind.Plain, line
        ]

    /// The verdict as the screen begins with it: "STARVED".
    let word (diagnosis: Diagnosis) : string = verdict diagnosis.Verdict

    /// The function that holds workers, with its line, in the fewest words: "Orders.work (Orders.fs:10)".
    let culprit (blame: Blame) : string =
        blame.Place
        |> Option.map (fun (file, line) -> file.Substring(file.LastIndexOfAny [| '/'; '\\' |] + 1), line)
        |> code blame.Function

    /// The lines, of at most `width` columns where words allow it. Paths are relative to the current directory.
    let lines (width: int) (diagnosis: Diagnosis) : (LineKind * string) list =
        [
            yield! head width diagnosis

            // Of a process that does not answer there are none.
            if diagnosis.Verdict <> Verdict.NoAnswer then
                LineKind.Plain, ""

                for label, text in numbers diagnosis do
                    for line in labelled width $"  {label.PadRight 9}  " text do
                        LineKind.Plain, line

            yield! blames width diagnosis.Blames
            yield! computing width diagnosis.Computing
            yield! waiters width diagnosis.Waiters
            yield! advice width diagnosis

            if not diagnosis.Evidence.Notes.IsEmpty then
                LineKind.Plain, ""

                for note in diagnosis.Evidence.Notes do
                    for line in Wrap.within width "" (Printable.line note) do
                        LineKind.Faint, line
        ]
