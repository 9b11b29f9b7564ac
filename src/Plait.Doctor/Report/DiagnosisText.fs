// A diagnosis as text for the terminal, on one screen: the verdict, its numbers, the lines that block workers, the cost, and the
// remedies. Pure.
module Plait.Doctor.DiagnosisText

open System
open System.Globalization

open Plait.Common
// Its verdicts and frames are those of a process.
open Plait.Doctor
open Plait.Doctor.DiagnosisWords

/// The number of listed lines, and of the callers of the first line and of the others.
let private shownLines, private shownCallers, private shownOthers = 5, 3, 1

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

/// Lines after a label; the later ones are indented below its text.
let private labelled width (label: string) (text: string) =
    Wrap.within width (String(' ', label.Length)) (Printable.line text)
    |> List.mapi (fun at line -> if at = 0 then label + line.Substring label.Length else line)

/// Whether the doctor read anything of the process: nothing if it did not answer, or ended before the look.
let private isMeasured (diagnosis: Diagnosis) : bool =
    diagnosis.Verdict <> Verdict.NoAnswer && diagnosis.Evidence.Milliseconds > 0.0

let private head width (diagnosis: Diagnosis) =
    let evidence = diagnosis.Evidence
    let about = evidence.Process

    let how =
        [
            match about.Runtime with
            | Some version -> $".NET {version}"
            | None -> ()
            counted about.Processors "processor"

            if isMeasured diagnosis then
                $"{route evidence.Route}, {seconds (evidence.Milliseconds / 1000.0)}"
        ]
        |> String.concat ", "

    [
        for line in labelled width (verdict diagnosis.Verdict + "  ") $"{about.Name}, pid {about.Pid} ({how})" do
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
            | None -> $"not known ({route} does not show it)"

            match numbers.CompletedPerSecond with
            | Some completed -> $"{VerdictSentences.number completed} completed/s"
            | None -> ()
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
                    numbers.Threads |> Option.map (fun threads -> $"{threads} of the pool") |> Option.toList

                match numbers.InjectedPerSecond with
                | Some rate when rate >= 0.05 -> $"{VerdictSentences.number rate} added/s"
                | Some _ -> "none added"
                | None -> ()

                yield! compensation numbers diagnosis.BlockingLines |> Option.toList
            ]
        with
        | [] -> ()
        | parts -> "threads", String.concat ", " parts

        match numbers.CpuPercent with
        | Some percent ->
            let processors = counted diagnosis.Evidence.Process.Processors "processor"
            "CPU", $"{VerdictSentences.number percent} %% of {processors}"
        | None -> ()

        match numbers.ContentionsPerSecond with
        | Some rate when rate >= 1.0 -> "locks", $"{VerdictSentences.number rate} found taken/s"
        | _ -> ()
    ]

/// The callers of the function; the innermost frame of the stack is the function itself.
let private callers (blockingLine: BlockingLine) =
    match blockingLine.Stack with
    | (name, place) :: rest when name = blockingLine.Function && place = blockingLine.Place -> rest
    | stack -> stack

let private blamed width (at: int) (indent: int) (blockingLine: BlockingLine) =
    // a thread outside of the pool counts as one
    let count = (string (max 1 blockingLine.Workers)).PadLeft indent

    let beside =
        beside blockingLine |> Option.map (fun words -> $", {words}") |> Option.defaultValue ""

    let pad = String(' ', indent + 4)
    let callers = callers blockingLine |> folded
    let most = if at = 0 then shownCallers else shownOthers
    let left = callers.Length - most

    // a package's call is in the program's function, or is the function itself
    let where =
        if blockingLine.Package |> Option.exists _.Called.IsNone then ":" else " in"

    [
        for line in
            labelled
                width
                $"  {count}  "
                $"{held blockingLine}{where} {code blockingLine.Function blockingLine.Place}{beside}" do
            LineKind.Plain, line

        for (name, place), times in List.truncate most callers do
            let times = if times > 1 then $", {times} times" else ""

            for line in labelled width (pad + "from ") (code name place + times) do
                LineKind.Faint, line

        if left > 0 then
            LineKind.Faint, pad + "and " + counted left "caller" + " more"
    ]

let private blockingLines width (blockingLines: BlockingLine list) =
    let shown = blockingLines |> List.truncate shownLines
    let rest = blockingLines |> List.skip shown.Length

    let indent =
        shown
        |> List.fold (fun widest blockingLine -> max widest (string blockingLine.Workers).Length) 1

    [
        if not blockingLines.IsEmpty then
            LineKind.Plain, ""
            LineKind.Heading, "Lines that hold workers"

            for at, blockingLine in List.indexed shown do
                yield! blamed width at indent blockingLine

        if not rest.IsEmpty then
            let more = counted rest.Length "line"
            let held = counted (rest |> List.sumBy _.Workers) "worker"
            LineKind.Faint, $"  and {more} more that hold {held}"
    ]

let private computing width (found: ComputingFunction list) =
    [
        if not found.IsEmpty then
            LineKind.Plain, ""
            LineKind.Heading, "Functions that compute"

            for at, one in found |> List.truncate shownLines |> List.indexed do
                let share =
                    (100.0 * one.Share).ToString("F0", CultureInfo.InvariantCulture).PadLeft 3

                let what =
                    if one.IsThrowing then "exceptions thrown in "
                    elif one.IsPolling then "asks again and again in "
                    else ""

                let by =
                    match one.Outside with
                    | 0 -> ""
                    | threads -> $""", on {counted threads "thread"} outside of the pool"""

                for line in labelled width $"  {share} %%  " (what + code one.Function one.Place + by) do
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
    | [ waiter ] when waiter.IsFinalizer -> "finalizer thread"
    | [ waiter ] when waiter.IsWorker -> $"worker {waiter.Thread}"
    | [ waiter ] -> $"thread {waiter.Thread}"
    | several -> counted several.Length "thread"

/// The words for a thread's wait; None: it may wait for work.
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
    | None, _ when waiter.IsFinalizer ->
        Some
            "until this finalizer returns, no other finalizer runs, and no object with one is freed: let no finalizer wait, and do its work in Dispose"
    | None, Some context when waiter.IsHung ->
        Some $"work posted to its SynchronizationContext, {context}, waits for this thread: {cure}"
    | None, Some context ->
        match waiter.HasPosted with
        | Some true ->
            Some
                $"work that was posted to its SynchronizationContext, {context}, waits until this thread goes on"
        | Some false ->
            Some
                $"its SynchronizationContext is {context}, and no work that was posted to it waits for this thread"
        | None ->
            Some
                $"its SynchronizationContext is {context}: work that was posted to it may wait for this thread"
    | None, None when waiter.IsHung -> Some "work posted to its SynchronizationContext waits for this thread"
    | None, None when waiter.Kind = BlockKind.Collection -> None
    | None, None ->
        Some
            "this is normal for a thread that waits for its next work; if the program needs this thread now, it hangs"

/// The seconds of a wait below which the thread has just run: the text does not show them.
let private shortWait = 0.1

let private waiters width (waiters: WaitingThread list) =
    // many threads may wait in one line
    let groups =
        waiters
        |> List.groupBy (fun waiter ->
            if waiter.IsMain || waiter.IsHung || waiter.IsFinalizer then Some waiter.Thread else None
            , (waiter.Kind, waiter.Function, waiter.Place, waiter.Context))
        |> List.map snd

    let shown = groups |> List.truncate shownLines
    let rest = groups |> List.skip shown.Length |> List.sumBy _.Length

    [
        if not waiters.IsEmpty then
            LineKind.Plain, ""
            LineKind.Heading, heading waiters

            for at, group in List.indexed shown do
                let waiter = group.Head

                let since =
                    match group |> List.choose _.WaitsForSeconds with
                    | [] -> ""
                    | known when List.min known >= shortWait ->
                        $""", for {seconds (List.min known)}{if group.Length > 1 then " or more" else ""}"""
                    | known when List.max known >= shortWait -> $", for up to {seconds (List.max known)}"
                    | _ -> ""

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
    let shown = diagnosis.BlockingLines |> List.truncate shownLines

    let remedies =
        shown
        |> List.filter (fun blockingLine -> blockingLine.Remedy <> "")
        |> List.groupBy _.Remedy
        |> List.map (fun (remedy, blockingLines) ->
            blockingLines
            |> List.map (fun blockingLine -> kind blockingLine.Kind)
            |> List.distinct
            |> String.concat ", ",
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

            if diagnosis.Computing |> List.truncate shownLines |> List.exists _.IsPolling then
                "remedy", Remedy.ofKind BlockKind.Spin

            if not rules.IsEmpty then
                // the stack does not tell such functions
                let inlined =
                    if rules = [ "PLT201" ] then
                        ", or PLT202 if a function that the compiler has inlined makes the call"
                    else
                        ""

                let rules = String.concat ", " rules
                "in source", $"plait check finds such calls ({rules}{inlined})"
        ]

    [
        if not lines.IsEmpty then
            LineKind.Plain, ""

            for label, text in lines do
                for line in labelled width $"  {label.PadRight 9}  " text do
                    LineKind.Plain, line
    ]

/// The verdict as the first words of the screen: "STARVED".
let word (diagnosis: Diagnosis) : string = verdict diagnosis.Verdict

/// The function and its line in the fewest words: "Orders.work (Orders.fs:10)".
let culprit (blockingLine: BlockingLine) : string =
    blockingLine.Place
    |> Option.map (fun (file, line) -> file.Substring(file.LastIndexOfAny [| '/'; '\\' |] + 1), line)
    |> code blockingLine.Function

/// The lines, of at most `width` columns if words allow it. Paths are relative to the current directory.
let lines (width: int) (diagnosis: Diagnosis) : (LineKind * string) list =
    [
        yield! head width diagnosis

        if isMeasured diagnosis then
            LineKind.Plain, ""

            for label, text in numbers diagnosis do
                for line in labelled width $"  {label.PadRight 9}  " text do
                    LineKind.Plain, line

        yield! blockingLines width diagnosis.BlockingLines
        yield! computing width diagnosis.Computing
        yield! waiters width diagnosis.Waiters
        yield! advice width diagnosis

        if not diagnosis.Evidence.Notes.IsEmpty then
            LineKind.Plain, ""

            for note in diagnosis.Evidence.Notes do
                for line in Wrap.within width "" (Printable.line note) do
                    LineKind.Faint, line
    ]
