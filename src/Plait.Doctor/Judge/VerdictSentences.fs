// The reasons of a verdict and its cost, in sentences.
module Plait.Doctor.VerdictSentences

/// A number, with a decimal if it is small.
let number (value: float) : string =
    value.ToString(
        (if abs value < 100.0 then "0.#" else "N0"),
        System.Globalization.CultureInfo.InvariantCulture
    )

let private counted (count: int64) (one: string) (several: string) =
    if count = 1L then $"1 {one}" else $"{count:N0} {several}"

/// The end of a program, in a clause.
let ending (ended: ProgramEnd) : string =
    let signal =
        match ended.Signal with
        // a program may also end with such an exit code by itself
        | Some signal -> $" ({signal}, if a signal ended it)"
        | None -> ""

    $"'{ended.Command}' ended with exit code {ended.ExitCode}{signal} after {ended.Seconds:F1} s"

/// "the main thread", "thread 4711", "worker 4711 of the pool".
let private named (waiter: WaitingThread) =
    if waiter.IsMain then "the main thread"
    elif waiter.IsFinalizer then "the finalizer thread"
    elif waiter.IsWorker then $"worker {waiter.Thread} of the pool"
    else $"thread {waiter.Thread}"

/// The clause about threads outside of a healthy pool.
let private outside (waiters: WaitingThread list) : string =
    let unknown =
        waiters |> List.filter (fun waiter -> waiter.Context.IsSome && waiter.HasPosted.IsNone)

    let unread =
        waiters |> List.filter (fun waiter -> not (waiter.IsRead || waiter.IsHung))

    match waiters, unknown with
    | [], _ -> ""
    | [ waiter ], _ when not unread.IsEmpty ->
        $"; outside of the pool {named waiter} {WaitWords.waits waiter.Kind} in {waiter.Function}, and whether it hangs is not known: the memory of the process did not show it"
    | several, _ when not unread.IsEmpty ->
        $"; outside of the pool {several.Length:N0} threads wait for others, and whether {unread.Length:N0} of them hang is not known: the memory of the process did not show it"
    | [ waiter ], [ _ ] ->
        $"; outside of the pool {named waiter} {WaitWords.waits waiter.Kind} in {waiter.Function}, and work that was posted to it may wait"
    | [ waiter ], _ ->
        $"; outside of the pool {named waiter} {WaitWords.waits waiter.Kind} in {waiter.Function}"
    | several, [] -> $"; outside of the pool {several.Length:N0} threads wait for others"
    | several, unknown ->
        $"; outside of the pool {several.Length:N0} threads wait for others, and work that was posted to {unknown.Length:N0} of them may wait"

/// The sentence about blocked workers in a look in which no work was completed.
let private standing (numbers: Numbers) (blockingLines: BlockingLine list) : string =
    let mayHang (blockingLine: BlockingLine) =
        match blockingLine.Kind with
        | BlockKind.TaskWait
        | BlockKind.RunSynchronously
        | BlockKind.Mailbox
        | BlockKind.Lock
        | BlockKind.SpinLock
        | BlockKind.Mutex
        | BlockKind.Semaphore
        | BlockKind.Initializer -> true
        | _ -> false

    match numbers.CompletedPerSecond, blockingLines |> List.filter mayHang with
    | Some 0.0, blockingLine :: _ ->
        $" and nothing was completed meanwhile: unless it is meant to wait in {blockingLine.Function}, as a consumer without work is, it hangs there"
    | _ -> ""

/// The clause about a thread that hangs.
let private hangs (waiter: WaitingThread) : string =
    match waiter.Deadlock with
    | None when waiter.IsFinalizer ->
        $"{WaitWords.waits waiter.Kind} in {waiter.Function}, and until that finalizer returns, no other finalizer runs and no object with one is freed"
    | None ->
        let context = waiter.Context |> Option.defaultValue "its SynchronizationContext"

        $"{WaitWords.waits waiter.Kind} in {waiter.Function}, and work that was posted to {context} waits for that thread: neither goes on"
    | Some deadlock ->
        let isOwn = deadlock.BlockedBy = [ waiter.Thread ]

        let others = WaitWords.threads deadlock

        match deadlock.WaitsFor with
        | WaitObject.Scheduler scheduler when isOwn ->
            $"waits for a task in {waiter.Function} that waits in {scheduler} for this thread to be done: neither goes on"
        | WaitObject.Scheduler scheduler ->
            $"waits for a task in {waiter.Function} that waits in {scheduler}, which {others} will not leave: none goes on"
        | WaitObject.Task when isOwn ->
            $"waits in {waiter.Function} for the task that it runs itself: it never goes on"
        | WaitObject.Task ->
            $"waits in {waiter.Function} for a task of {others}, which waits as well: none goes on"
        | WaitObject.Lock object ->
            let hold =
                if deadlock.BlockedBy.Length = 1 then "holds, which waits" else "hold, which wait"

            $"waits in {waiter.Function} for a {WaitWords.lock object} that {others} {hold} as well: none goes on"
        | WaitObject.AbandonedLock object ->
            $"waits in {waiter.Function} for a {WaitWords.lock object} whose holder has ended without releasing it: it never goes on"
        | WaitObject.Initializer ->
            let run, wait =
                if deadlock.BlockedBy.Length = 1 then "runs", "waits" else "run", "wait"

            $"waits in {waiter.Function} for a static constructor that {others} {run}, which {wait} as well: none goes on"
        | WaitObject.Thread ->
            let wait = if deadlock.BlockedBy.Length = 1 then "which waits" else "which wait"
            $"waits in {waiter.Function} for the end of {others}, {wait} as well: none goes on"

/// The clause about the queue of a healthy pool.
let private taken (evidence: Evidence) (numbers: Numbers) : string =
    match numbers.Queue with
    | Some queue when queue > 0L ->
        let before, again =
            match evidence.Readings with
            | first :: _ when first.Queue < queue ->
                $" ({first.Queue:N0} at the first)", "; look again to see whether the queue grows"
            | _ -> "", ""

        let soon =
            match numbers.WaitSeconds with
            | Some seconds when seconds < Numbers.shortSeconds ->
                $", and each waits about {Plait.Common.Duration.rough (int64 (seconds * 1e9))} for a thread"
            | _ -> ""

        $"""{counted queue "work item waits" "work items wait"} at the last reading{before}{soon}{again}"""
    | _ -> "work is taken up as it comes"

let sentence
    (evidence: Evidence)
    (numbers: Numbers)
    (blockingLines: BlockingLine list)
    (causes: BlockingLine list)
    (waiters: WaitingThread list)
    (verdict: Verdict)
    : string =
    let waiting =
        match numbers.Queue with
        | Some queue -> $"""{counted queue "work item waits" "work items wait"}"""
        | None -> "no worker is free"

    let busy = numbers.Blocked + numbers.Running

    let computing = counted (int64 numbers.Running) "worker computes" "workers compute"

    let processors =
        counted (int64 evidence.Process.Processors) "processor" "processors"

    match verdict with
    | Verdict.Starved ->
        let how = if numbers.Blocked = busy then "all" else $"{numbers.Blocked} of"

        let held =
            match causes, blockingLines with
            | [], { Held = Some { Holder = Holder.Process(pid, name) }; Workers = workers } :: _ when
                2 * workers >= numbers.Blocked
                ->
                $"most wait for a mutex that process {pid} ({name}) holds"
            | [], _ -> "none of them computes anything"
            | { Outside = Some outside } as cause :: _, _ ->
                $"most stand behind {WaitWords.outside outside}, which {WaitWords.waits cause.Kind} in {cause.Function}"
            | cause :: _, _ -> $"most stand behind one that {WaitWords.waits cause.Kind} in {cause.Function}"

        $"{waiting}, and {how} {busy} busy workers are blocked: {held}"
    | Verdict.LockConvoy ->
        let ended =
            if waiters |> List.exists _.Deadlock.IsSome then
                "; it is a deadlock, and nothing will end"
            elif numbers.CompletedPerSecond = Some 0.0 then
                "; no work item ended, so it may be a deadlock"
            else
                ""

        $"{waiting}, and most of the {busy} busy workers stand before a lock{ended}"
    | Verdict.CpuBound when numbers.Running < evidence.Process.Processors ->
        let threads = counted (int64 (Numbers.width numbers)) "thread" "threads"

        $"{waiting} because {computing}, and the pool has {threads} for {processors}: if ThreadPool.SetMaxThreads or the setting System.Threading.ThreadPool.MaxThreads limits it, raise that limit"
    | Verdict.CpuBound ->
        let given =
            match numbers.CpuPercent with
            | Some percent when Numbers.usesThem evidence.Process.Processors numbers = Some false ->
                $", of which the process gets {percent:F0} %% during the look: other processes and the look itself use the rest, or a container limits it"
            | _ -> ""

        $"{waiting} because {computing} on {processors}{given}; more threads would not help"
    | Verdict.Late ->
        let cpu =
            numbers.CpuPercent
            |> Option.map (fun percent -> $", at {percent:F0} %% CPU")
            |> Option.defaultValue ", CPU not known"

        if busy = 0 then
            let workers = counted (int64 numbers.Workers) "worker was" "workers were"

            $"{waiting}, and {workers} idle when the stacks were read: this look does not explain it, and the work may come in bursts; look again, or with --watch"
        elif float numbers.Blocked >= BlockingLines.held * float busy then
            $"{waiting}, and {numbers.Blocked} of {busy} busy workers stand in calls that block{cpu}: {numbers.Running} running workers do not explain that CPU: blocked workers may spin, or threads outside of the pool use the processors"
        else
            $"{waiting}, though only {numbers.Blocked} of {busy} busy workers are blocked and {numbers.Running} run{cpu}: the machine gives the process too little time, or the work comes in bursts"
    | Verdict.Healthy when numbers.Blocked > 0 ->
        $"""nothing waits for long, though {counted (int64 numbers.Blocked) "worker is" "workers are"} blocked{standing numbers blockingLines}{outside waiters}"""
    | Verdict.Healthy -> $"{taken evidence numbers}{outside waiters}"
    | Verdict.Hung ->
        let hung = List.head waiters

        let pool =
            if waiters |> List.exists (fun waiter -> waiter.IsHung && waiter.IsWorker) then
                ""
            else
                "; the pool is well"

        $"{named hung} {hangs hung}{pool}"
    | Verdict.Failed -> evidence.Ended |> Option.map ending |> Option.defaultValue "the program failed"
    | Verdict.NoAnswer ->
        $"{waiting}, and no stack of a worker of the pool could be read; look again, or with --ptrace"

let cost (numbers: Numbers) (verdict: Verdict) : string option =
    let isSick =
        match verdict with
        | Verdict.Healthy
        | Verdict.Hung
        | Verdict.Failed
        | Verdict.NoAnswer -> false
        | _ -> true

    match numbers.WaitSeconds, numbers.Queue with
    | _ when not isSick -> None
    | Some seconds, Some queue ->
        let width =
            numbers.Threads
            |> Option.map (fun threads -> $" at this width of {threads} threads")
            |> Option.defaultValue ""

        let completed =
            numbers.CompletedPerSecond |> Option.map number |> Option.defaultValue ""

        Some
            $"""queued work waits about {Plait.Common.Duration.rough (int64 (seconds * 1e9))}{width}: {queue:N0} ahead of it, {completed} completed a second"""
    | None, Some queue when queue > 0L && numbers.CompletedPerSecond.IsSome ->
        Some $"nothing at all was completed during the look, with {queue:N0} work items waiting"
    | _ -> None
