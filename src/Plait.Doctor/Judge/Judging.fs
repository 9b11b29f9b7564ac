// From evidence to a diagnosis. Pure; the door for looks, watches and saved traces.
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
    let held = workers |> List.filter BlockingLines.isHeld

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
        Others = (BlockingLines.others evidence).Length
        CpuPercent = average readings _.CpuPercent |> Option.orElse evidence.CpuPercent
        InjectedPerSecond = injected readings
        ContentionsPerSecond = average readings _.ContentionsPerSecond
        WaitSeconds =
            match queue, completed with
            | Some queue, Some completed when queue > 0L && completed > 0.0 -> Some(float queue / completed)
            | _ -> None
    }

/// Whether work waits for threads at all readings; if the queue is not known, whether no worker is free.
let private waits (evidence: Evidence) (numbers: Numbers) : bool =
    match evidence.Readings with
    | [] -> numbers.Workers >= evidence.Process.Processors && numbers.Idle = 0
    | readings -> readings |> List.forall (fun reading -> reading.Queue > 0L)

/// Whether the waiting work waits for so long that a user notices.
let private isSlow (numbers: Numbers) : bool =
    numbers.WaitSeconds |> Option.forall (fun seconds -> seconds >= Numbers.shortSeconds)

/// Whether most workers are blocked while the processors have little to do; workers that wake up now and then do not change that.
let private mostAreBlocked (numbers: Numbers) (busy: int) : bool =
    2 * numbers.Blocked >= busy
    && numbers.CpuPercent |> Option.exists (fun percent -> percent < 50.0)

/// Whether work waits for blocked workers, if most are blocked by their stacks. It does if the processors have little to do, if
/// the workers wait by the operating system too, or if the process uses no more processor time than its running workers explain.
/// An unknown figure does not contradict the stacks.
let private reallyBlocked (evidence: Evidence) (workers: WorkerLook list) (numbers: Numbers) : bool =
    let waitsBySystem (worker: WorkerLook) =
        Map.tryFind worker.Thread evidence.Threads
        |> Option.bind _.Waiting
        |> Option.exists (fun share -> share >= WorkerStates.works)

    let waiting =
        workers |> List.filter (fun worker -> BlockingLines.isHeld worker && waitsBySystem worker)

    match numbers.CpuPercent with
    | None -> true
    | Some percent ->
        percent < 50.0
        || float waiting.Length >= BlockingLines.held * float (numbers.Blocked + numbers.Running)
        || percent * float evidence.Process.Processors <= 100.0 * float numbers.Running

/// The processors that running workers want, by the operating system's states; the process may get fewer.
let private wanted (evidence: Evidence) (workers: WorkerLook list) : float =
    workers
    |> List.filter (fun worker -> worker.State = WorkerState.Running)
    |> List.choose (fun worker -> Map.tryFind worker.Thread evidence.Threads |> Option.bind _.Waiting)
    |> List.sumBy (fun waiting -> 1.0 - waiting)

/// Whether the pool has fewer threads than the process has processors, and nearly all of them run.
let private isNarrow (evidence: Evidence) (numbers: Numbers) : bool =
    Numbers.width numbers < evidence.Process.Processors
    && numbers.Idle = 0
    && float numbers.Running >= BlockingLines.held * float (numbers.Blocked + numbers.Running)

/// Whether the workers compute: by the processor time of the process or, if other processes use the processors, by the processors
/// that its workers want. Stacks alone do not show it.
let private computes (evidence: Evidence) (workers: WorkerLook list) (numbers: Numbers) : bool =
    let processors = evidence.Process.Processors

    (numbers.Running >= processors || isNarrow evidence numbers)
    && (Numbers.usesThem processors numbers = Some true
        || wanted evidence workers >= 0.75 * Numbers.most processors numbers)

let private verdict
    (evidence: Evidence)
    (workers: WorkerLook list)
    (numbers: Numbers)
    (blockingLines: BlockingLine list)
    (causes: Cause list)
    : Verdict =
    let busy = numbers.Blocked + numbers.Running

    let locked =
        blockingLines
        |> List.filter (fun blockingLine -> BlockKinds.isForLock blockingLine.Kind)
        |> List.sumBy _.Workers

    if not (waits evidence numbers && isSlow numbers) then
        Verdict.Healthy
    elif numbers.Workers = 0 && not evidence.Readings.IsEmpty then
        Verdict.NoAnswer
    // the workers had done the work, or had not got it, when their stacks were read
    elif busy = 0 then
        Verdict.Late
    // the holder of the lock is blocked: the lock is not the cause
    elif
        2 * locked >= busy
        && not (causes |> List.exists (fun cause -> List.exists BlockKinds.isForLock cause.Waits))
    then
        Verdict.LockConvoy
    elif
        float numbers.Blocked >= BlockingLines.held * float busy
        && reallyBlocked evidence workers numbers
    then
        Verdict.Starved
    elif mostAreBlocked numbers busy then
        Verdict.Starved
    elif computes evidence workers numbers then
        Verdict.CpuBound
    else
        Verdict.Late

/// The diagnosis of evidence.
let judge (evidence: Evidence) : Diagnosis =
    let states = Causes.states evidence
    let workers = BlockingLines.workers states
    let numbers = numbers evidence workers
    let blockingLines = BlockingLines.find workers
    let causes = Causes.find evidence states workers blockingLines
    let waiters = WaitingThreads.find evidence

    let verdict =
        match verdict evidence workers numbers blockingLines causes with
        | Verdict.Healthy when waiters |> List.exists _.IsHung -> Verdict.Hung
        | verdict -> verdict

    let causes = causes |> List.map _.Line

    let told lines =
        WaitedObjects.withHolders evidence workers causes lines
        |> WaitedObjects.withMethods evidence workers
        |> WaitedObjects.withDeadlocks evidence workers

    let isComputing = verdict = Verdict.CpuBound || verdict = Verdict.Late
    let computing = if isComputing then Computations.find evidence states else []
    let blockingLines, causes = told blockingLines, told causes

    {
        Evidence =
            // the note is about the listed lines and functions
            if verdict = Verdict.Healthy && blockingLines.IsEmpty then
                evidence
            else
                { evidence with Notes = evidence.Notes @ BlockingLines.frameNotes isComputing workers }
        Verdict = verdict
        Why =
            VerdictSentences.sentence evidence numbers blockingLines causes waiters verdict
            + Computations.besides computing
        Numbers = numbers
        BlockingLines =
            // in a convoy the lines that wait for a lock come first
            if verdict = Verdict.LockConvoy then
                blockingLines
                |> List.sortBy (fun blockingLine -> not (BlockKinds.isForLock blockingLine.Kind))
            else
                causes @ List.except causes blockingLines
        Computing = computing
        Waiters = waiters
        Cost = VerdictSentences.cost numbers verdict
        Folded = Folding.fold states
    }

/// The diagnosis of a process that does not answer. `reason`: a sentence.
let noAnswer (facts: ProcessFacts) (reason: string) : Diagnosis =
    let evidence = Evidence.Of(facts, Route.EventPipe, System.DateTime.UtcNow)
    { judge evidence with Verdict = Verdict.NoAnswer; Why = reason }

/// A sick process stays sick; for others the program's end decides.
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

/// The diagnosis of an ended program: if it failed, that is the verdict, unless its pool was sick before.
let ended (diagnosis: Diagnosis) (ended: ProgramEnd) : Diagnosis =
    let diagnosis =
        { diagnosis with Evidence = { diagnosis.Evidence with Ended = Some ended } }

    if ended.IsFailure then
        endedBy Verdict.Failed (VerdictSentences.ending ended) diagnosis
    else
        diagnosis

/// The diagnosis of an ended process whose exit code is not known, for this reason.
let endedUnseen (diagnosis: Diagnosis) (reason: string) : Diagnosis =
    endedBy Verdict.NoAnswer reason diagnosis
