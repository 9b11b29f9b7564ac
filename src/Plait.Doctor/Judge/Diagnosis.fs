// The verdict, with the numbers it stands on.
namespace Plait.Doctor

/// The verdict on a pool.
[<RequireQualifiedAccess>]
type Verdict =
    /// Nothing: work is taken up as it comes.
    | Healthy
    /// Work waits because its threads are blocked.
    | Starved
    /// Work waits because its threads compute.
    | CpuBound
    /// Work waits, and neither blocked threads nor computing ones explain it.
    | Late
    /// Threads wait for one lock, one behind the other.
    | LockConvoy
    /// No work waits for the pool's threads, and a thread, one of the pool or not, waits for work that waits for this
    /// thread.
    | Hung
    /// The program ended, and failed.
    | Failed
    /// The process does not answer.
    | NoAnswer

/// The numbers that a verdict stands on. None: the way into the process does not give it.
type Numbers =
    {
        /// Work items that wait, at the last reading.
        Queue: int64 option
        CompletedPerSecond: float option
        /// Threads of the pool.
        Threads: int option
        /// The most that it may have, where it has them.
        MaxThreads: int option
        /// Workers that had a stack.
        Workers: int
        Blocked: int
        Running: int
        Idle: int
        /// Managed threads outside of the pool that had a stack.
        Others: int
        CpuPercent: float option
        /// Threads that the pool gained, a second.
        InjectedPerSecond: float option
        /// Times a second that a thread found a lock taken.
        ContentionsPerSecond: float option
        /// Seconds that an item waits which is queued now; None: nothing waits, or nothing is completed.
        WaitSeconds: float option
    }

/// Reading numbers.
module Numbers =
    /// Seconds that work may wait for a thread without anybody feeling it.
    let shortSeconds = 0.25

/// The result of one look.
type Diagnosis =
    {
        Evidence: Evidence
        Verdict: Verdict
        /// Why, in a sentence.
        Why: string
        Numbers: Numbers
        /// The lines that hold workers, most workers first.
        Blames: Blame list
        /// The functions in which workers compute, those of most samples first: where work waits, and blocked workers are not why.
        Computing: Computing list
        /// Threads outside of the pool that wait for others, and all that can never go on, these first.
        Waiters: WaitingThread list
        /// The cost, in a sentence; None: none.
        Cost: string option
        /// All samples of workers, folded; idle ones left out.
        Folded: FoldedStack list
    }

/// Judging evidence.
module Judging =
    let private last (readings: PoolReading list) (figure: PoolReading -> 'T) : 'T option =
        readings |> List.tryLast |> Option.map figure

    let private average (readings: PoolReading list) (figure: PoolReading -> float option) : float option =
        match readings |> List.choose figure with
        | [] -> None
        | figures -> Some(List.average figures)

    let private injected (readings: PoolReading list) : float option =
        match List.tryHead readings, List.tryLast readings with
        | Some first, Some last when last.AtMilliseconds > first.AtMilliseconds ->
            Some(
                1000.0 * float (last.Threads - first.Threads)
                / (last.AtMilliseconds - first.AtMilliseconds)
            )
        | _ -> None

    let private numbers (evidence: Evidence) (workers: WorkerLook list) : Numbers =
        let readings = evidence.Readings
        let queue = last readings _.Queue
        let completed = average readings _.CompletedPerSecond
        let idle = workers |> List.filter (fun worker -> worker.State = WorkerState.Idle)
        let held = workers |> List.filter Blaming.isHeld

        {
            Queue = queue
            CompletedPerSecond = completed
            Threads = last readings _.Threads
            MaxThreads =
                evidence.MaxThreads
                |> Option.filter (fun most ->
                    last readings _.Threads |> Option.exists (fun threads -> threads >= most))
            Workers = workers.Length
            Blocked = held.Length
            Running = workers.Length - held.Length - idle.Length
            Idle = idle.Length
            Others = (Blaming.others evidence).Length
            CpuPercent = average readings _.CpuPercent |> Option.orElse evidence.CpuPercent
            InjectedPerSecond = injected readings
            ContentionsPerSecond = average readings _.ContentionsPerSecond
            WaitSeconds =
                match queue, completed with
                | Some queue, Some completed when queue > 0L && completed > 0.0 ->
                    Some(float queue / completed)
                | _ -> None
        }

    /// Whether work waits for threads: at all readings; where the queue is not known, whether no worker is free.
    let private waits (evidence: Evidence) (numbers: Numbers) : bool =
        match evidence.Readings with
        | [] -> numbers.Workers >= evidence.Process.Processors && numbers.Idle = 0
        | readings -> readings |> List.forall (fun reading -> reading.Queue > 0L)

    /// Whether queued work waits for so long that a user feels it.
    let private isSlow (numbers: Numbers) : bool =
        numbers.WaitSeconds |> Option.forall (fun seconds -> seconds >= Numbers.shortSeconds)

    /// Whether most are blocked while the processors have little to do: those that wake up now and then do not cure it.
    let private mostAreBlocked (numbers: Numbers) (busy: int) : bool =
        2 * numbers.Blocked >= busy
        && numbers.CpuPercent |> Option.exists (fun percent -> percent < 50.0)

    /// Whether work waits for blocked workers, where most are blocked by their stacks: the processors have little to
    /// do, the operating system has the workers waiting too, or the process takes no more than its running workers
    /// explain. A figure that is not known contradicts no stack.
    let private reallyBlocked (evidence: Evidence) (workers: WorkerLook list) (numbers: Numbers) : bool =
        let waitsBySystem (worker: WorkerLook) =
            Map.tryFind worker.Thread evidence.Threads
            |> Option.bind _.Waiting
            |> Option.exists (fun share -> share >= Leaves.works)

        let waiting =
            workers |> List.filter (fun worker -> Blaming.isHeld worker && waitsBySystem worker)

        match numbers.CpuPercent with
        | None -> true
        | Some percent ->
            percent < 50.0
            || float waiting.Length >= Blaming.held * float (numbers.Blocked + numbers.Running)
            || percent * float evidence.Process.Processors <= 100.0 * float numbers.Running

    /// Processors that running workers want, as the operating system has them: a process that computes may get less.
    let private wanted (evidence: Evidence) (workers: WorkerLook list) : float =
        workers
        |> List.filter (fun worker -> worker.State = WorkerState.Running)
        |> List.choose (fun worker -> Map.tryFind worker.Thread evidence.Threads |> Option.bind _.Waiting)
        |> List.sumBy (fun waiting -> 1.0 - waiting)

    /// The threads that a pool has, or whose stacks were seen where that is not known.
    let private width (numbers: Numbers) : int =
        max numbers.Workers (numbers.Threads |> Option.defaultValue 0)

    /// Whether the pool has fewer threads than the process has processors, and nearly all of them run.
    let private isNarrow (evidence: Evidence) (numbers: Numbers) : bool =
        width numbers < evidence.Process.Processors
        && numbers.Idle = 0
        && float numbers.Running >= Blaming.held * float (numbers.Blocked + numbers.Running)

    /// Whether the workers compute: measured by the processors that the process takes or, beside others that take them, by those that
    /// its workers want. Stacks alone do not show it.
    let private computes (evidence: Evidence) (workers: WorkerLook list) (numbers: Numbers) : bool =
        let processors = float evidence.Process.Processors
        // those that running workers can have
        let most = min (float numbers.Running) processors

        (float numbers.Running >= processors || isNarrow evidence numbers)
        && (numbers.CpuPercent |> Option.exists (fun percent -> percent * processors >= 50.0 * most)
            || wanted evidence workers >= 0.75 * most)

    let private verdict
        (evidence: Evidence)
        (workers: WorkerLook list)
        (numbers: Numbers)
        (blames: Blame list)
        (causes: Blame list)
        : Verdict =
        let busy = numbers.Blocked + numbers.Running

        let locked =
            blames |> List.filter (fun blame -> blame.Kind = BlockKind.Lock) |> List.sumBy _.Workers

        if not (waits evidence numbers && isSlow numbers) then
            Verdict.Healthy
        elif numbers.Workers = 0 && not evidence.Readings.IsEmpty then
            Verdict.NoAnswer
        elif busy = 0 then
            Verdict.Healthy
        // who holds the lock is blocked: the lock is not the cause
        elif 2 * locked >= busy && causes.IsEmpty then
            Verdict.LockConvoy
        elif
            float numbers.Blocked >= Blaming.held * float busy
            && reallyBlocked evidence workers numbers
        then
            Verdict.Starved
        elif mostAreBlocked numbers busy then
            Verdict.Starved
        elif computes evidence workers numbers then
            Verdict.CpuBound
        else
            Verdict.Late

    let private counted (count: int64) (one: string) (several: string) =
        if count = 1L then $"1 {one}" else $"{count:N0} {several}"

    /// How a program ended, in a clause.
    let ending (ended: ProgramEnd) : string =
        let signal =
            match ended.Signal with
            | Some signal -> $" ({signal})"
            | None -> ""

        $"'{ended.Command}' ended with exit code {ended.ExitCode}{signal} after {ended.Seconds:F1} s"

    /// "the main thread", "thread 4711", "worker 4711 of the pool".
    let private named (waiter: WaitingThread) =
        if waiter.IsMain then "the main thread"
        elif waiter.IsWorker then $"worker {waiter.Thread} of the pool"
        else $"thread {waiter.Thread}"

    /// The sentence about waiting threads outside of a pool that is well.
    let private outside (waiters: WaitingThread list) : string =
        match waiters with
        | [] -> ""
        | [ waiter ] ->
            $"; outside of the pool {named waiter} {WaitWords.waits waiter.Kind} in {waiter.Function}"
        | several -> $"; outside of the pool {several.Length:N0} threads wait for others"

    /// The sentence about workers that stood at one place for the whole of a look in which no work was completed.
    let private standing (numbers: Numbers) (blames: Blame list) : string =
        let mayHang (blame: Blame) =
            match blame.Kind with
            | BlockKind.TaskWait
            | BlockKind.RunSynchronously
            | BlockKind.Lock -> true
            | _ -> false

        match numbers.CompletedPerSecond, blames |> List.filter mayHang with
        | Some 0.0, blame :: _ ->
            $" and nothing was completed meanwhile: unless it is meant to wait in {blame.Function}, it hangs there"
        | _ -> ""

    /// Why a thread can never go on.
    let private hangs (waiter: WaitingThread) : string =
        match waiter.Deadlock with
        | None ->
            let context = waiter.Context |> Option.defaultValue "its SynchronizationContext"

            $"{WaitWords.waits waiter.Kind} in {waiter.Function}, and work that was posted to {context} waits for that thread: neither goes on"
        | Some deadlock ->
            let isOwn = deadlock.By = [ waiter.Thread ]

            let others = WaitWords.threads deadlock

            match deadlock.What with
            | Obstruction.Scheduler scheduler when isOwn ->
                $"waits for a task in {waiter.Function} that waits in {scheduler} for this worker to be done: neither goes on"
            | Obstruction.Scheduler scheduler ->
                $"waits for a task in {waiter.Function} that waits in {scheduler}, which {others} will not leave: none goes on"
            | Obstruction.Task when isOwn ->
                $"waits in {waiter.Function} for the task that it runs itself: it never goes on"
            | Obstruction.Task ->
                $"waits in {waiter.Function} for a task of {others}, which waits as well: none goes on"
            | Obstruction.Lock object ->
                let hold =
                    if deadlock.By.Length = 1 then "holds, which waits" else "hold, which wait"

                $"waits in {waiter.Function} for a {WaitWords.lock object} that {others} {hold} as well: none goes on"
            | Obstruction.Thread ->
                let wait = if deadlock.By.Length = 1 then "which waits" else "which wait"
                $"waits in {waiter.Function} for the end of {others}, {wait} as well: none goes on"

    let private why
        (evidence: Evidence)
        (numbers: Numbers)
        (blames: Blame list)
        (causes: Blame list)
        (waiters: WaitingThread list)
        (verdict: Verdict)
        : string =
        let waiting =
            match numbers.Queue with
            | Some queue -> $"""{counted queue "work item waits" "work items wait"}"""
            | None -> "no worker is free"

        let busy = numbers.Blocked + numbers.Running

        match verdict with
        | Verdict.Starved ->
            let how = if numbers.Blocked = busy then "all" else $"{numbers.Blocked} of"

            let held =
                match causes with
                | [] -> "none of them computes anything"
                | cause :: _ -> $"most stand behind one that {WaitWords.waits cause.Kind} in {cause.Function}"

            $"{waiting}, and {how} {busy} busy workers are blocked: {held}"
        | Verdict.LockConvoy ->
            let ended =
                if waiters |> List.exists _.Deadlock.IsSome then
                    "; it is a deadlock, and nothing will end"
                elif numbers.CompletedPerSecond = Some 0.0 then
                    "; nothing ends, so that it may be a deadlock"
                else
                    ""

            $"{waiting}, and most of the {busy} busy workers stand before a lock{ended}"
        | Verdict.CpuBound when numbers.Running < evidence.Process.Processors ->
            $"{waiting} because {numbers.Running} workers compute, and the pool has {width numbers} threads for {evidence.Process.Processors} processors: if ThreadPool.SetMaxThreads or the setting System.Threading.ThreadPool.MaxThreads limits it, raise that limit"
        | Verdict.CpuBound ->
            $"{waiting} because {numbers.Running} workers compute on {evidence.Process.Processors} processors; more threads would not help"
        | Verdict.Late ->
            let cpu =
                numbers.CpuPercent
                |> Option.map (fun percent -> $", at {percent:F0} %% CPU")
                |> Option.defaultValue ", CPU not known"

            if float numbers.Blocked >= Blaming.held * float busy then
                $"{waiting}, and {numbers.Blocked} of {busy} busy workers stand in calls that block{cpu}: {numbers.Running} running workers do not explain that CPU, so that blocked workers may wait busily, or threads outside of the pool take the processors"
            else
                $"{waiting}, though only {numbers.Blocked} of {busy} busy workers are blocked and {numbers.Running} run{cpu}: the machine gives the process too little time, or the work comes in bursts"
        | Verdict.Healthy when numbers.Blocked > 0 ->
            $"""nothing waits for long, though {counted (int64 numbers.Blocked) "worker is" "workers are"} blocked{standing numbers blames}{outside waiters}"""
        | Verdict.Healthy -> $"work is taken up as it comes{outside waiters}"
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

    let private cost (numbers: Numbers) (verdict: Verdict) : string option =
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
                numbers.CompletedPerSecond |> Option.map _.ToString("0.#") |> Option.defaultValue ""

            Some
                $"""queued work waits about {Plait.Common.Duration.rough (int64 (seconds * 1e9))}{width}: {queue:N0} ahead of it, {completed} completed a second"""
        | None, Some queue when queue > 0L && numbers.CompletedPerSecond.IsSome ->
            Some $"nothing at all was completed during the look, with {queue:N0} work items waiting"
        | _ -> None

    /// The diagnosis of the evidence.
    let judge (evidence: Evidence) : Diagnosis =
        let states = Blaming.states evidence
        let workers = Blaming.workers states
        let numbers = numbers evidence workers
        let blames = Blaming.blames workers
        let causes = Blaming.causes states blames
        let waiters = Blaming.waiters evidence

        let verdict =
            match verdict evidence workers numbers blames causes with
            | Verdict.Healthy when waiters |> List.exists _.IsHung -> Verdict.Hung
            | verdict -> verdict

        {
            Evidence = evidence
            Verdict = verdict
            Why = why evidence numbers blames causes waiters verdict
            Numbers = numbers
            Blames =
                // before a lock stand those that wait for it, whatever else holds others
                if verdict = Verdict.LockConvoy then
                    blames |> List.sortBy (fun blame -> blame.Kind <> BlockKind.Lock)
                else
                    causes @ List.except causes blames
            Computing =
                if verdict = Verdict.CpuBound || verdict = Verdict.Late then
                    Blaming.computing states
                else
                    []
            Waiters = waiters
            Cost = cost numbers verdict
            Folded = Folding.fold states
        }

    /// The diagnosis of a process that does not answer; `reason` is a sentence.
    let noAnswer (facts: ProcessFacts) (reason: string) : Diagnosis =
        let evidence =
            {
                Process = facts
                Route = Route.EventPipe
                At = System.DateTime.UtcNow
                Milliseconds = 0.0
                Readings = []
                CpuPercent = None
                MaxThreads = None
                Adjustments = []
                Samples = []
                Threads = Map.empty
                Contexts = Map.empty
                Stops = None
                Ended = None
                Notes = []
            }

        { judge evidence with Verdict = Verdict.NoAnswer; Why = reason }

    /// A process that was sick stays so, and of others the end decides.
    let private endedBy (verdict: Verdict) (how: string) (diagnosis: Diagnosis) : Diagnosis =
        match diagnosis.Verdict with
        | Verdict.Starved
        | Verdict.LockConvoy
        | Verdict.Hung -> { diagnosis with Why = $"{diagnosis.Why}; then {how}" }
        | Verdict.NoAnswer -> { diagnosis with Verdict = verdict; Why = $"{how}; {diagnosis.Why}" }
        | Verdict.Healthy
        | Verdict.CpuBound
        | Verdict.Late
        | Verdict.Failed -> { diagnosis with Verdict = verdict; Why = $"{how}; until then: {diagnosis.Why}" }

    /// The diagnosis of a program that has ended: one that failed was not well, whatever its pool was.
    let ended (diagnosis: Diagnosis) (ended: ProgramEnd) : Diagnosis =
        let diagnosis =
            { diagnosis with Evidence = { diagnosis.Evidence with Ended = Some ended } }

        if ended.IsFailure then endedBy Verdict.Failed (ending ended) diagnosis else diagnosis

    /// The diagnosis of a process that has ended, and whose exit code is unknown for this reason.
    let endedUnseen (diagnosis: Diagnosis) (reason: string) : Diagnosis =
        endedBy Verdict.NoAnswer reason diagnosis
