// Work that was posted to the SynchronizationContext of a thread: whether it is there, and whether it waits for that thread, which waits
// itself. Read in the memory of the process while it runs. Only the reader of contexts asks.
module internal Plait.Doctor.Posted

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

/// Objects and references from a context to the callbacks that were posted to it: its queue is not far.
let private mostObjects, private deepest = 2000, 6

/// References from an object on a thread's stack to one by which it may end the wait of another thread.
let private near = 3

let private isCallback (object: ClrObject) =
    Deadlocks.typeName object = "System.Threading.SendOrPostCallback"

let private isContext = Deadlocks.derives "System.Threading.SynchronizationContext"

let private isOfLibrary (object: ClrObject) =
    (Deadlocks.typeName object).StartsWith("System.", StringComparison.Ordinal)

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
    }

let private next (object: ClrObject) : ClrObject seq =
    if Deadlocks.isElsewhere (Deadlocks.typeName object) then
        Seq.empty
    else
        Deadlocks.references object |> Seq.truncate mostObjects

/// The callbacks within a few references of these objects.
let private queue (roots: ClrObject list) : Queue =
    let cameFrom = Dictionary<uint64, ClrObject option>()
    let holders = List<ClrObject>()

    for root in roots do
        cameFrom.TryAdd(root.Address, None) |> ignore

    let rec from (level: ClrObject list) (depth: int) =
        let further =
            [
                for object in level do
                    let referred = List.ofSeq (next object)

                    if List.exists isCallback referred then
                        holders.Add object
                    elif depth > 1 && cameFrom.Count < mostObjects then
                        for other in referred do
                            if cameFrom.TryAdd(other.Address, Some object) then
                                other
            ]

        if not further.IsEmpty then
            from further (depth - 1)

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
    }

/// Objects within so many references of these, by their addresses; `isEnd`: whether to go no further there.
let private around (isEnd: ClrObject -> bool) (depth: int) (objects: ClrObject seq) : HashSet<uint64> =
    let seen = HashSet<uint64>()

    let rec from (level: ClrObject list) (left: int) =
        let fresh = level |> List.filter (fun object -> seen.Add object.Address)

        if left > 0 && not fresh.IsEmpty && seen.Count < mostObjects then
            let further = fresh |> Seq.filter (isEnd >> not) |> Seq.collect next |> List.ofSeq
            from further (left - 1)

    from (List.ofSeq objects) depth
    seen

/// Whether an object can be the one that a thread waits for in a call of this kind. `isLocked`: whether a lock or
/// Monitor.Wait has used it.
let private isAwaited (kind: BlockKind) (isLocked: ClrObject -> bool) (object: ClrObject) : bool =
    let begins (names: string list) =
        let own = Deadlocks.typeName object
        names |> List.exists (fun name -> own.StartsWith(name, StringComparison.Ordinal))

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
    /// Another thread may take it.
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

    /// Whether a thread that goes on may end a wait for one of these.
    let isEnded (frames: Frame list) (awaited: ClrObject list) : bool =
        others
        |> Map.exists (fun thread otherFrames ->
            match seen.Stack thread with
            // it computes, and the range of its stack is unknown
            | [] -> classOf otherFrames = classOf frames
            | stack ->
                let found = around isContext near stack
                awaited |> List.exists (fun object -> found.Contains object.Address))

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

            let awaited =
                seen.Stack thread
                |> List.filter (fun object ->
                    isAwaited kind (fun object -> locked.Value.Contains object.Address) object
                    && not (own.Contains object.Address))

            isWithinReach queue awaited && not (isEnded frames awaited)

    let workFor (thread: int) (context: ClrObject) : Work =
        let _, frames = waits[thread]

        // the loop that takes the callbacks waits for more
        let isIdle =
            frames
            |> List.tryFind (fun frame -> not frame.IsFramework)
            |> Option.exists (isOf (nameOf context))

        let queue = queue (roots runtime context)

        if isIdle || queue.Holders.IsEmpty then Work.Absent
        elif isTaken context queue then Work.Unknown
        elif waitsForIt thread queue then Work.Hangs
        else Work.Waits

    Map.ofSeq
        [
            for thread, context in waiting do
                thread, (Deadlocks.typeName context, workFor thread context)
        ]
