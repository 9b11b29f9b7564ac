// The waiting and the completed work items of a process's pool, counted in its memory. Only the --ptrace route uses it.
module internal Plait.Doctor.QueueWalk

open System
open Microsoft.Diagnostics.Runtime

// The limits of the segments of a queue, and of the workers' queues: beyond these the memory is no queue.
let private tooMany = 100_000

let private ofRing (slots: int) (head: int) (tail: int) =
    // a closed segment has a tail that is moved on by twice its length
    if head = tail || head = tail - 2 * slots then
        0L
    else
        let first, last = head &&& (slots - 1), tail &&& (slots - 1)
        int64 (if first < last then last - first else slots - first + last)

// ConcurrentQueue: a chain of rings.
let private ofQueue (queue: ClrObject) : int64 =
    let rec from (segment: ClrObject option) (seen: int) (count: int64) =
        match segment with
        | None -> count
        | Some _ when seen > tooMany -> raise (InvalidOperationException "the queue has no end")
        | Some segment ->
            let ends = segment.ReadValueTypeField "_headAndTail"

            count
            + ofRing
                (segment.ReadField<int> "_slotsMask" + 1)
                (ends.ReadField<int> "Head")
                (ends.ReadField<int> "Tail")
            |> from (Objects.field segment "_nextSegment") (seen + 1)

    from (Objects.field queue "_head") 0 0L

/// The object in a static field of a class of the runtime.
let private fixedObject (runtime: ClrRuntime) (owner: string) (field: string) : ClrObject option =
    runtime.BaseClassLibrary.GetTypeByName owner
    |> Option.ofObj
    |> Option.bind (fun owner -> Option.ofObj (owner.GetStaticFieldByName field))
    |> Option.bind (Objects.ofStatic runtime)

// Each worker's own queue: a ring whose ends count upwards.
let private ofWorkers (runtime: ClrRuntime) : int64 =
    fixedObject runtime "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList" "_queues"
    |> Option.map (
        Objects.references
        >> Seq.truncate tooMany
        >> Seq.sumBy (fun queue ->
            int64 (max 0 (queue.ReadField<int> "m_tailIndex" - queue.ReadField<int> "m_headIndex")))
    )
    |> Option.defaultValue 0L

/// The result of reading a structure of the runtime; None: its form is not known, or the process changed it meanwhile.
let private ifReadable (read: unit -> 'T option) : 'T option =
    try
        read ()
    with
    | :? InvalidOperationException
    | :? ArgumentException
    | :? NullReferenceException
    | :? IndexOutOfRangeException
    | :? ClrDiagnosticsException -> None

/// The number of work items that the pool has completed. None: the form of the runtime's pool is not known, or it is the native
/// pool of Windows.
let completed (runtime: ClrRuntime) : int64 option =
    ifReadable (fun () ->
        fixedObject runtime "System.Threading.PortableThreadPool" "ThreadPoolInstance"
        |> Option.bind (fun pool -> Objects.field pool "_completionCounter")
        |> Option.bind (fun counter ->
            // a ring with the count of each thread; those of ended threads are in the other field
            Objects.field counter "_nodes"
            |> Option.map (fun first ->
                let rec sum (node: ClrObject) (total: int64) (seen: int) =
                    let total = total + int64 (node.ReadField<uint32> "_count")

                    match Objects.field node "_next" with
                    | Some next when next.Address <> first.Address && seen <= tooMany ->
                        sum next total (seen + 1)
                    | _ -> total

                sum first (counter.ReadField<int64> "_overflowCount") 0)))

/// The number of work items that wait in the pool: in the shared queues and in those of the workers. None: the form of the
/// runtime's pool is not known, or it is the native pool of Windows.
let count (runtime: ClrRuntime) : int64 option =
    ifReadable (fun () ->
        fixedObject runtime "System.Threading.ThreadPool" "s_workQueue"
        |> Option.map (fun queue ->
            let shared =
                [ "workItems"; "highPriorityWorkItems"; "lowPriorityWorkItems" ]
                |> List.choose (Objects.field queue)
                |> List.sumBy ofQueue

            // beyond 32 processors, groups of workers share a queue
            let assigned =
                Objects.field queue "_assignableWorkItemQueues"
                |> Option.map (Objects.references >> Seq.sumBy ofQueue)
                |> Option.defaultValue 0L

            shared + assigned + ofWorkers runtime))
