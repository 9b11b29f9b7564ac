// Work that was posted to the SynchronizationContext of a thread: whether it is there, and whether it waits for that thread, which waits
// itself. Read in the memory of the process while it runs. Only the reader of contexts asks.
module internal Plait.Doctor.Posted

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

/// Objects that are searched for one answer, about as many: the objects of the last step are all taken.
let private mostObjects = 5000

/// References from a context to the callbacks that were posted to it, without those inside collections: its queue is not far.
let private deepest = 6

/// References from an object on a thread's stack to one by which it may end the wait of another thread.
let private near = 3

let private isCallback (object: ClrObject) =
    Deadlocks.typeName object = "System.Threading.SendOrPostCallback"

let private isContext = Deadlocks.derives "System.Threading.SynchronizationContext"

/// Whether a context has no queue: all that is posted to it runs on the pool.
let private isOfPool (context: ClrObject) =
    Deadlocks.typeName context = "System.Threading.SynchronizationContext"

let private begins (names: string list) (object: ClrObject) : bool =
    let own = Deadlocks.typeName object
    names |> List.exists (fun name -> own.StartsWith(name, StringComparison.Ordinal))

let private isOfLibrary = begins [ "System." ]

/// Whether an object is one of those that a collection consists of.
let private isOfCollection (object: ClrObject) : bool =
    object.IsArray
    || begins
        [
            "System.Collections."
            "System.Threading.Channels."
            "Microsoft.FSharp.Collections."
            "Microsoft.FSharp.Control.Mailbox"
            "Microsoft.FSharp.Control.FSharpMailboxProcessor"
        ]
        object

let private isDelegate = Deadlocks.derives "System.Delegate"

/// Whether a callback in an object of the library is one that was posted: a collection has it, or a delegate calls it. Other objects, such as
/// Progress, keep one of their own.
let private keepsPosted (object: ClrObject) : bool =
    not (isOfLibrary object)
    || isOfCollection object
    || isDelegate object
    || (Deadlocks.typeName object).Contains "SendOrPostCallback"

/// The context that a thread has set for itself.
let private contextOf (runtime: ClrRuntime) (thread: ClrThread) : ClrObject option =
    let kind = runtime.BaseClassLibrary.GetTypeByName "System.Threading.Thread"

    kind
    |> Option.ofObj
    |> Option.bind (fun kind ->
        kind.ThreadStaticFields |> Seq.tryFind (fun field -> field.Name = "t_currentThread"))
    |> Option.map _.ReadObject(thread)
    |> Option.filter (fun current -> not current.IsNull)
    |> Option.map _.ReadObjectField("_synchronizationContext")
    |> Option.filter (fun context -> not context.IsNull)

/// The objects in the static fields of a class.
let private statics (runtime: ClrRuntime) (kind: ClrType | null) : ClrObject list =
    match kind with
    | null -> []
    | kind ->
        [
            for field in kind.StaticFields do
                if field.IsObjectReference then
                    let value = field.ReadObject runtime.AppDomains[0]

                    if not value.IsNull && value.IsValid then
                        value
        ]

/// A context and the static fields of its class and of the class around it: a queue may be there.
let private roots (runtime: ClrRuntime) (context: ClrObject) : ClrObject list =
    match Option.ofObj context.Type with
    | None -> [ context ]
    | Some kind ->
        let outer =
            match kind.Name |> Option.ofObj with
            | Some name when name.Contains '+' -> kind.Module.GetTypeByName(name[.. name.LastIndexOf '+' - 1])
            | _ -> null

        context
        :: (statics runtime kind @ statics runtime outer
            // a delegate that a class keeps in order to post it
            |> List.filter (isCallback >> not))

/// The context, and those that it passes work on to.
let private kin (context: ClrObject) : uint64 list =
    context.Address
    :: [
        for other in Deadlocks.references context do
            if isContext other then
                other.Address
    ]

/// The callbacks that were posted to a context.
type private Queue =
    {
        /// The objects that hold the callbacks, with their states; none: nothing was posted.
        Holders: ClrObject list
        /// The objects on the way there from the context, without the context.
        Way: ClrObject list
        /// The collections among that: objects of the library that one of the user's, or the context, refers to. A thread that takes
        /// work has one on its stack; a node or an item of a collection is also what a thread that posted work has left there.
        Collections: ClrObject list
        /// Whether all objects were searched, and a collection was among them in which callbacks would be.
        IsWhole: bool
    }

let private next (object: ClrObject) : ClrObject seq =
    if Deadlocks.isElsewhere (Deadlocks.typeName object) then
        Seq.empty
    else
        Deadlocks.references object |> Seq.truncate mostObjects

/// The callbacks within a few references of these objects. Of other contexts only `own` ones are searched.
let private queue (roots: ClrObject list) (own: uint64 list) : Queue =
    let cameFrom = Dictionary<uint64, ClrObject option>()
    let holders = List<ClrObject>()
    let mutable hasCollection = false
    let mutable isWhole = true

    for root in roots do
        cameFrom.TryAdd(root.Address, None) |> ignore

    let rec from (level: ClrObject list) (depth: int) =
        let left = Queue<ClrObject> level
        let further = List<ClrObject>()

        while left.Count > 0 do
            let object = left.Dequeue()
            let referred = List.ofSeq (next object)
            let isInside = isOfCollection object || isDelegate object
            hasCollection <- hasCollection || isOfCollection object

            if keepsPosted object && List.exists isCallback referred then
                holders.Add object
            elif cameFrom.Count >= mostObjects || referred.Length >= mostObjects then
                isWhole <- false
            else
                for other in referred do
                    if isContext other && not (List.contains other.Address own) then
                        isWhole <- isWhole && isOfPool other
                    elif not (isCallback other) && cameFrom.TryAdd(other.Address, Some object) then
                        (if isInside then left.Enqueue else further.Add) other

        if further.Count > 0 && depth > 1 then
            from (List.ofSeq further) (depth - 1)
        elif further.Count > 0 then
            isWhole <- false

    from roots deepest

    let rec way (object: ClrObject) : ClrObject list =
        match cameFrom[object.Address] with
        | None -> []
        | Some before -> before :: way before

    let isPart (object: ClrObject) =
        isOfLibrary object && not (isContext object)

    let isCollection (object: ClrObject) =
        isPart object && cameFrom[object.Address] |> Option.forall (isPart >> not)

    let ways =
        [
            for holder in holders do
                yield! way holder
        ]
        |> List.filter (isContext >> not)
        |> List.distinctBy _.Address

    {
        Holders = List.ofSeq holders
        Way = ways
        Collections = ways @ List.ofSeq holders |> List.filter isCollection
        IsWhole = isWhole && hasCollection
    }

/// Objects within so many references of others.
type private Around =
    {
        /// Their addresses.
        Objects: HashSet<uint64>
        /// Whether none was left out because there were too many.
        IsWhole: bool
    }

/// Objects within so many references of these; `isEnd`: whether to go no further there.
let private around (isEnd: ClrObject -> bool) (depth: int) (objects: ClrObject seq) : Around =
    let seen = HashSet<uint64>()

    let rec from (level: ClrObject list) (left: int) =
        let fresh = level |> List.filter (fun object -> seen.Add object.Address)

        if left > 0 && not fresh.IsEmpty && seen.Count < mostObjects then
            let further = fresh |> Seq.filter (isEnd >> not) |> Seq.collect next |> List.ofSeq
            from further (left - 1)
        else
            left = 0 || fresh.IsEmpty

    let isWhole = from (List.ofSeq objects) depth
    { Objects = seen; IsWhole = isWhole }

/// Whether an object can be the one that a thread waits for in a call of this kind. `isLocked`: whether a lock or
/// Monitor.Wait has used it.
let private isAwaited (kind: BlockKind) (isLocked: ClrObject -> bool) (object: ClrObject) : bool =
    let begins (names: string list) = begins names object

    let isHandle () =
        Deadlocks.derives "System.Threading.WaitHandle" object
        || begins [ "Microsoft.Win32.SafeHandles.SafeWaitHandle" ]

    match kind with
    | BlockKind.Semaphore -> begins [ "System.Threading.SemaphoreSlim" ] || isHandle ()
    | BlockKind.WaitHandle ->
        begins
            [
                "System.Threading.ManualResetEventSlim"
                "System.Threading.CountdownEvent"
                "System.Threading.Barrier"
            ]
        || isHandle ()
    | BlockKind.Collection -> begins [ "System.Collections.Concurrent.BlockingCollection" ]
    | BlockKind.Mailbox -> (Deadlocks.typeName object).Contains "ResultCell"
    | BlockKind.MonitorWait -> isLocked object
    | _ -> false

/// The objects in static fields of the user's classes, and the objects that these refer to: a posted callback may use
/// them, whatever its state is.
let private common (runtime: ClrRuntime) : HashSet<uint64> =
    [
        for part in runtime.EnumerateModules() do
            let path = Option.ofObj part.Name

            let name = path |> Option.map Frames.moduleName |> Option.defaultValue ""

            if name <> "" && not (FrameworkModules.isFramework name path) then
                for struct (table, _) in part.EnumerateTypeDefToMethodTableMap() do
                    yield! statics runtime (runtime.GetTypeByMethodTable table)
    ]
    |> around (fun _ -> false) 1
    |> _.Objects

/// The name of an object's class, without the arguments of a generic one.
let private nameOf (object: ClrObject) : string =
    let name = Deadlocks.typeName object

    match name.IndexOf '<' with
    | -1 -> name
    | at -> name[.. at - 1]

/// Whether a frame is of a class with this name, or of a class inside it, except for the methods that post work.
let private isOf (owner: string) (frame: Frame) : bool =
    let posts =
        [ ".Post"; ".Send"; "..ctor" ]
        |> List.exists (fun name -> frame.Method.EndsWith(name, StringComparison.Ordinal))

    not posts
    && [ "."; "+"; "`" ]
       |> List.exists (fun mark -> frame.Method.StartsWith(owner + mark, StringComparison.Ordinal))

/// The class of the innermost function of a stack that is the user's, without those that are written in it.
let private classOf (frames: Frame list) : string option =
    frames
    |> List.tryFind (fun frame -> not frame.IsFramework)
    |> Option.map (fun frame ->
        match frame.Method.IndexOf '+', frame.Method.LastIndexOf '.' with
        | -1, -1 -> frame.Method
        | -1, dot -> frame.Method[.. dot - 1]
        | plus, _ -> frame.Method[.. plus - 1])

/// Whether work that was posted to the context of a thread waits for it.
[<RequireQualifiedAccess>]
type Work =
    /// None does: none is posted, or the thread takes it.
    | Absent
    /// Another thread may take it, or the queue was not found, or not all of it was searched.
    | Unknown
    /// It waits until the thread goes on.
    | Waits
    /// The thread waits for it, too.
    | Hangs

/// Each thread's context at this moment, by its type, and whether work that was posted to it waits for the thread. `waits`: threads
/// that wait for others, each in a call of which kind, with its stack. `others`: stacks of threads that go on.
let moment
    (pid: int)
    (runtime: ClrRuntime)
    (waits: Map<int, BlockKind * Frame list>)
    (others: Map<int, Frame list>)
    : Map<int, string * Work> =
    let contexts =
        [
            for thread in runtime.Threads do
                let number = int thread.OSThreadId

                if waits.ContainsKey number || others.ContainsKey number then
                    match contextOf runtime thread with
                    | Some context -> number, context
                    | None -> ()
        ]

    let waiting = contexts |> List.filter (fun (thread, _) -> waits.ContainsKey thread)

    let seen = Deadlocks.Moment(pid, runtime, waiting |> List.map fst |> set)

    let locked =
        lazy (HashSet [ for block in runtime.Heap.EnumerateSyncBlocks() -> block.Object ])

    let common = lazy (common runtime)

    let taken =
        [
            for thread, context in contexts do
                if others.ContainsKey thread then
                    yield! kin context
        ]
        |> set

    /// Whether a thread that goes on takes the callbacks there.
    let isTaken (context: ClrObject) (queue: Queue) : bool =
        let collections = queue.Collections |> List.map _.Address |> set

        // who posts has the user's objects on its stack as well
        let classes =
            nameOf context
            :: (queue.Way @ queue.Holders |> List.filter (isOfLibrary >> not) |> List.map nameOf)
            |> List.distinct

        kin context |> List.exists taken.Contains
        || others
           |> Map.exists (fun thread frames ->
               frames |> List.exists (fun frame -> classes |> List.exists (fun name -> isOf name frame))
               || seen.Stack thread |> List.exists (fun object -> collections.Contains object.Address))

    let nearOthers =
        dict [ for thread in others.Keys -> thread, lazy (around isContext near (seen.Stack thread)) ]

    /// Whether a thread that goes on may end a wait for one of these.
    let isEnded (frames: Frame list) (awaited: ClrObject list) : bool =
        others
        |> Map.exists (fun thread otherFrames ->
            let found = nearOthers[thread].Value

            if found.Objects.Count = 0 then
                // it computes, and the range of its stack is unknown
                classOf otherFrames = classOf frames
            else
                not found.IsWhole
                || awaited |> List.exists (fun object -> found.Objects.Contains object.Address))

    /// Whether posted work may end a wait for one of these: they are within reach of it, or of a static field.
    let isWithinReach (queue: Queue) (awaited: ClrObject list) : bool =
        let posted =
            lazy
                (HashSet(
                    Deadlocks.reached queue.Holders (fun object ->
                        if isContext object then Seq.empty else next object)
                    |> Seq.map _.Address
                ))

        awaited
        |> List.exists (fun object ->
            posted.Value.Contains object.Address || common.Value.Contains object.Address)

    /// Whether the thread waits for a callback in this queue of its context.
    let waitsForIt (thread: int) (queue: Queue) : bool =
        let kind, frames = waits[thread]

        match seen.Wait(thread, kind), kind with
        | Some wait, _ -> wait.By |> List.forall (others.ContainsKey >> not)
        | None, (BlockKind.Lock | BlockKind.Join) -> false
        | None, (BlockKind.TaskWait | BlockKind.RunSynchronously) ->
            let tasks = seen.Awaited(seen.Stack thread)
            // RunSynchronously does not wait for a task
            (tasks.IsEmpty || isWithinReach queue tasks) && not (isEnded frames tasks)
        | None, _ ->
            let own =
                around
                    (fun object ->
                        queue.Holders |> List.exists (fun holder -> holder.Address = object.Address))
                    2
                    queue.Way
                |> _.Objects

            let awaited =
                seen.Stack thread
                |> List.filter (fun object ->
                    isAwaited kind (fun object -> locked.Value.Contains object.Address) object
                    && not (own.Contains object.Address))

            isWithinReach queue awaited && not (isEnded frames awaited)

    let workFor (thread: int) (context: ClrObject) : Work =
        let kind, frames = waits[thread]

        // the loop that takes the callbacks waits for more
        let isIdle =
            frames
            |> List.tryFind (fun frame -> not frame.IsFramework)
            |> Option.exists (isOf (nameOf context))

        let queue = queue (roots runtime context) (kin context)

        if queue.Holders.IsEmpty then
            if queue.IsWhole || isOfPool context then Work.Absent else Work.Unknown
        elif isTaken context queue then
            Work.Unknown
        elif waitsForIt thread queue then
            // a loop that waits for a task may be one that takes no callback before its time
            if isIdle && BlockKinds.isForTask kind then Work.Unknown else Work.Hangs
        elif isIdle then
            Work.Absent
        else
            Work.Waits

    Map.ofSeq
        [
            for thread, context in waiting do
                thread, (Deadlocks.typeName context, workFor thread context)
        ]
