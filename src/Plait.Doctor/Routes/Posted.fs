// Work that was posted to the SynchronizationContext of a thread: whether it is there, and whether it waits for that thread, which waits
// itself. Read in the memory of the process while it runs. Only the reader of contexts asks.
module internal Plait.Doctor.Posted

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

open Plait.Doctor.PostedQueue

/// References from an object on a thread's stack to one by which it may end the wait of another thread.
let private near = 3

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
        Objects.derives "System.Threading.WaitHandle" object
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
    | BlockKind.Mailbox -> (Objects.typeName object).Contains "ResultCell"
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
    let name = Objects.typeName object

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
    let contextOf = contextOf runtime

    let contexts =
        [
            for thread in runtime.Threads do
                let number = int thread.OSThreadId

                if waits.ContainsKey number || others.ContainsKey number then
                    match contextOf thread with
                    | Some context -> number, context
                    | None -> ()
        ]

    let waiting = contexts |> List.filter (fun (thread, _) -> waits.ContainsKey thread)

    let seen = Deadlocks.Moment(pid, runtime, waiting |> List.map fst |> set, [])

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
                thread, (Objects.typeName context, workFor thread context)
        ]
