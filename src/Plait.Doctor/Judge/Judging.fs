// From what was read to a diagnosis: pure, and the door for whoever looks, watches or reads a trace.
module Plait.Doctor.Judging

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
            | Some queue, Some completed when queue > 0L && completed > 0.0 -> Some(float queue / completed)
            | _ -> None
    }

/// Whether work waits for threads: at all readings; where the queue is not known, whether no worker is free.
let private waits (evidence: Evidence) (numbers: Numbers) : bool =
    match evidence.Readings with
    | [] -> numbers.Workers >= evidence.Process.Processors && numbers.Idle = 0
    | readings -> readings |> List.forall (fun reading -> reading.Queue > 0L)

/// Whether what waits now waits for so long that a user feels it.
let private isSlow (numbers: Numbers) : bool =
    numbers.WaitSeconds |> Option.forall (fun seconds -> seconds >= Numbers.shortSeconds)

/// Whether most are blocked while the processors have little to do: those that wake up now and then do not cure it.
let private mostAreBlocked (numbers: Numbers) (busy: int) : bool =
    2 * numbers.Blocked >= busy
    && numbers.CpuPercent |> Option.exists (fun percent -> percent < 50.0)

/// Whether blocked workers are what work waits for, where most are blocked by their stacks: the processors have little to do, the
/// operating system has the workers waiting too, or the process takes no more than its running workers explain. A figure that is
/// not known contradicts no stack.
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

/// Whether the pool has fewer threads than the process has processors, and nearly all of them run.
let private isNarrow (evidence: Evidence) (numbers: Numbers) : bool =
    Numbers.width numbers < evidence.Process.Processors
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
    (causes: Cause list)
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
    elif
        2 * locked >= busy
        && not (causes |> List.exists (fun cause -> List.contains BlockKind.Lock cause.Waits))
    then
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

/// The diagnosis of what was read.
let judge (evidence: Evidence) : Diagnosis =
    let states = Causes.states evidence
    let workers = Blaming.workers states
    let numbers = numbers evidence workers
    let blames = Blaming.blames workers
    let causes = Causes.find evidence states workers blames
    let waiters = WaitingThreads.find evidence

    let verdict =
        match verdict evidence workers numbers blames causes with
        | Verdict.Healthy when waiters |> List.exists _.IsHung -> Verdict.Hung
        | verdict -> verdict

    let causes = causes |> List.map _.Line
    let told = Causes.withHolders evidence workers causes
    let blames, causes = told blames, told causes

    {
        Evidence =
            // it concerns lines and functions that are shown
            if verdict = Verdict.Healthy && blames.IsEmpty then
                evidence
            else
                { evidence with Notes = evidence.Notes @ Option.toList (Blaming.frameNote workers) }
        Verdict = verdict
        Why = Why.sentence evidence numbers blames causes waiters verdict
        Numbers = numbers
        Blames =
            // before a lock stand those that wait for it, whatever else holds others
            if verdict = Verdict.LockConvoy then
                blames |> List.sortBy (fun blame -> blame.Kind <> BlockKind.Lock)
            else
                causes @ List.except causes blames
        Computing =
            if verdict = Verdict.CpuBound || verdict = Verdict.Late then
                Computations.find states
            else
                []
        Waiters = waiters
        Cost = Why.cost numbers verdict
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
            Held = Map.empty
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

    if ended.IsFailure then endedBy Verdict.Failed (Why.ending ended) diagnosis else diagnosis

/// The diagnosis of a process that has ended, in which way nobody can tell for this reason.
let endedUnseen (diagnosis: Diagnosis) (reason: string) : Diagnosis =
    endedBy Verdict.NoAnswer reason diagnosis
