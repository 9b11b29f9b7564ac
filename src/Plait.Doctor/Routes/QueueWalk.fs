// The work items that wait in the pool of a process that stands still, counted in its memory. Only the debugger's route uses it.
module internal Plait.Doctor.QueueWalk

open System
open Microsoft.Diagnostics.Runtime

// Segments of one queue, and queues of workers: beyond it the memory is no queue.
let private tooMany = 100_000

let private ofRing (slots: int) (head: int) (tail: int) =
    // a segment that takes no more has a tail that is moved on by twice its length
    if head = tail || head = tail - 2 * slots then
        0L
    else
        let first, last = head &&& (slots - 1), tail &&& (slots - 1)
        int64 (if first < last then last - first else slots - first + last)

// ConcurrentQueue: a chain of rings.
let private ofQueue (queue: ClrObject) : int64 =
    let mutable segment = queue.ReadObjectField "_head"
    let mutable count = 0L
    let mutable seen = 0

    while not segment.IsNull do
        seen <- seen + 1

        if seen > tooMany then
            raise (InvalidOperationException "the queue has no end")

        let ends = segment.ReadValueTypeField "_headAndTail"

        count <-
            count
            + ofRing
                (segment.ReadField<int> "_slotsMask" + 1)
                (ends.ReadField<int> "Head")
                (ends.ReadField<int> "Tail")

        segment <- segment.ReadObjectField "_nextSegment"

    count

let private single (object: ClrObject) (field: string) : ClrObject option =
    if
        object.Type
        |> Option.ofObj
        |> Option.exists (fun found -> not (isNull (found.GetFieldByName field)))
    then
        let found = object.ReadObjectField field
        if found.IsNull then None else Some found
    else
        None

// Each worker's own queue: a ring whose ends count on and on.
let private ofWorkers (runtime: ClrRuntime) (domain: ClrAppDomain) : int64 =
    let lists =
        runtime.BaseClassLibrary.GetTypeByName "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList"

    match
        lists
        |> Option.ofObj
        |> Option.bind (fun lists -> Option.ofObj (lists.GetStaticFieldByName "_queues"))
    with
    | None -> 0L
    | Some field ->
        let queues = field.ReadObject domain

        if queues.IsNull then
            0L
        else
            let array = queues.AsArray()

            Seq.init (min tooMany array.Length) array.GetObjectValue
            |> Seq.filter (fun queue -> not queue.IsNull)
            |> Seq.sumBy (fun queue ->
                int64 (max 0 (queue.ReadField<int> "m_tailIndex" - queue.ReadField<int> "m_headIndex")))

/// How many work items wait in the pool: in the queues that all share and in those of the workers. None: the runtime's pool is of a
/// form that this does not know, or the native pool of Windows.
let count (runtime: ClrRuntime) : int64 option =
    try
        let pool = runtime.BaseClassLibrary.GetTypeByName "System.Threading.ThreadPool"
        let domain = runtime.AppDomains[0]

        pool
        |> Option.ofObj
        |> Option.bind (fun pool -> Option.ofObj (pool.GetStaticFieldByName "s_workQueue"))
        |> Option.map _.ReadObject(domain)
        |> Option.filter (fun queue -> not queue.IsNull)
        |> Option.map (fun queue ->
            let shared =
                [ "workItems"; "highPriorityWorkItems"; "lowPriorityWorkItems" ]
                |> List.choose (single queue)
                |> List.sumBy ofQueue

            // beyond 32 processors, groups of workers share one each
            let assigned =
                match single queue "_assignableWorkItemQueues" with
                | None -> 0L
                | Some queues ->
                    let array = queues.AsArray()

                    Seq.init array.Length array.GetObjectValue
                    |> Seq.filter (fun queue -> not queue.IsNull)
                    |> Seq.sumBy ofQueue

            shared + assigned + ofWorkers runtime domain)
    with
    | :? InvalidOperationException
    | :? ArgumentException
    | :? NullReferenceException
    | :? IndexOutOfRangeException
    | :? ClrDiagnosticsException -> None
