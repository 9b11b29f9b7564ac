// The work items that wait in the pool of a process, and those that it has completed, counted in its memory. Only the debugger's route
// uses it.
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

/// The result of reading a structure of the runtime; None: it has another form, or the process has changed it meanwhile.
let private ifReadable (read: unit -> 'T option) : 'T option =
    try
        read ()
    with
    | :? InvalidOperationException
    | :? ArgumentException
    | :? NullReferenceException
    | :? IndexOutOfRangeException
    | :? ClrDiagnosticsException -> None

/// The object in a static field of a class of the runtime.
let private fixedObject (runtime: ClrRuntime) (owner: string) (field: string) : ClrObject option =
    runtime.BaseClassLibrary.GetTypeByName owner
    |> Option.ofObj
    |> Option.bind (fun owner -> Option.ofObj (owner.GetStaticFieldByName field))
    |> Option.map _.ReadObject(runtime.AppDomains[0])
    |> Option.filter (fun found -> not found.IsNull)

/// How many work items the pool has completed so far. None: the runtime's pool is of another form, or the native pool
/// of Windows.
let completed (runtime: ClrRuntime) : int64 option =
    ifReadable (fun () ->
        fixedObject runtime "System.Threading.PortableThreadPool" "ThreadPoolInstance"
        |> Option.bind (fun pool -> single pool "_completionCounter")
        |> Option.bind (fun counter ->
            // a ring with the count of each thread; those of ended threads are in the other field
            single counter "_nodes"
            |> Option.map (fun first ->
                let rec sum (node: ClrObject) (total: int64) (seen: int) =
                    let total = total + int64 (node.ReadField<uint32> "_count")
                    let next = node.ReadObjectField "_next"

                    if next.IsNull || next.Address = first.Address || seen > tooMany then
                        total
                    else
                        sum next total (seen + 1)

                sum first (counter.ReadField<int64> "_overflowCount") 0)))

/// How many work items wait in the pool: in the queues that all share and in those of the workers. None: the runtime's pool is of a
/// form that this does not know, or the native pool of Windows.
let count (runtime: ClrRuntime) : int64 option =
    ifReadable (fun () ->
        fixedObject runtime "System.Threading.ThreadPool" "s_workQueue"
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

            shared + assigned + ofWorkers runtime runtime.AppDomains[0]))
