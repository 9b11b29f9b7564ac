// The objects of the waits in a line, by the memory of the process: the holders of mutexes, the methods of tasks, and deadlocks. Only
// Judging uses it.
module internal Plait.Doctor.WaitedObjects

/// What is known of the workers in a line, for each of whom something is.
let private ofWorkers (line: BlockingLine) (known: Map<int, 'T>) (workers: WorkerLook list) : 'T list =
    workers
    |> List.filter (fun worker -> BlockingLines.userFunction worker.Frames = (line.Function, line.Place))
    |> List.choose (fun worker -> Map.tryFind worker.Thread known)

/// The lines with the holders of the mutexes that their workers wait for. If the cause is known, only a holder in another
/// process is listed.
let withHolders
    (evidence: Evidence)
    (workers: WorkerLook list)
    (causes: BlockingLine list)
    (blockingLines: BlockingLine list)
    : BlockingLine list =
    let isTold (lock: HeldLock) =
        match lock.Holder with
        | Holder.Process _ -> true
        | _ -> causes.IsEmpty

    // one of the workers may have got the mutex meanwhile
    let knowledge (lock: HeldLock) =
        lock.Holder <> Holder.Unknown, lock.Name.IsSome

    [
        for blockingLine in blockingLines do
            if blockingLine.Kind <> BlockKind.Mutex || blockingLine.Outside.IsSome then
                blockingLine
            else
                let locks =
                    workers
                    |> ofWorkers blockingLine evidence.Held
                    |> List.filter isTold
                    |> List.sortByDescending knowledge

                { blockingLine with Held = List.tryHead locks }
    ]

/// The lines with the async methods for whose tasks their workers wait.
let withMethods
    (evidence: Evidence)
    (workers: WorkerLook list)
    (blockingLines: BlockingLine list)
    : BlockingLine list =
    [
        for line in blockingLines do
            let methods =
                workers
                |> List.filter (fun worker -> worker.State = WorkerState.Blocked BlockKind.TaskWait)
                |> ofWorkers line evidence.Awaited

            match methods |> List.map SourceName.ofMethod |> List.distinct with
            // a worker may have gone on to another line before the memory was read
            | [ only ] when line.Kind = BlockKind.TaskWait && 2 * methods.Length >= min line.Workers 32 ->
                { line with Awaited = Some only }
            | _ -> line
    ]

/// The lines with the remedy of a deadlock, if a worker in them is deadlocked and that of their kind does not help.
let withDeadlocks
    (evidence: Evidence)
    (workers: WorkerLook list)
    (blockingLines: BlockingLine list)
    : BlockingLine list =
    let remedies =
        evidence.Contexts
        |> Map.toSeq
        |> Seq.choose (fun (thread, context) ->
            context.Deadlock
            |> Option.bind (fun deadlock -> Remedy.ofDeadlock deadlock.WaitsFor)
            |> Option.map (fun remedy -> thread, remedy))
        |> Map.ofSeq

    [
        for line in blockingLines ->
            workers
            |> List.filter (fun worker -> worker.State = WorkerState.Blocked line.Kind)
            |> ofWorkers line remedies
            |> List.tryHead
            |> Option.map (fun remedy -> { line with Remedy = remedy })
            |> Option.defaultValue line
    ]
