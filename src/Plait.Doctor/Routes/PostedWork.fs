// Work that was posted to the SynchronizationContext of a waiting thread: whether there is any, and whether it waits for that
// thread. Reads the memory of the running process. Only Contexts uses it.
module internal Plait.Doctor.PostedWork

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

open Plait.Doctor.PostedQueue

/// The most references from an object on a thread's stack to one by which the thread may end the wait of another thread.
let private near = 3

/// The objects in reach of others, by a number of references.
type private Reachable =
    {
        /// Their addresses.
        Objects: HashSet<uint64>
        /// Whether the search was complete, within its limit of objects.
        IsWhole: bool
    }

/// The objects in reach of these, by `depth` references; `isEnd`: whether to follow no references from an object.
let private reachable (isEnd: ClrObject -> bool) (depth: int) (objects: ClrObject seq) : Reachable =
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

/// Whether a thread can wait for this object in a call of this kind. `isLocked`: whether a lock or Monitor.Wait has used it.
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

/// The objects in static fields of the user's classes, and the objects that these refer to: a posted callback may use them, with
/// any state.
let private common (runtime: ClrRuntime) : HashSet<uint64> =
    [
        for part in runtime.EnumerateModules() do
            let path = Option.ofObj part.Name

            let name = path |> Option.map Frames.moduleName |> Option.defaultValue ""

            if name <> "" && not (FrameworkModules.isFramework name path) then
                for struct (table, _) in part.EnumerateTypeDefToMethodTableMap() do
                    yield! statics runtime (runtime.GetTypeByMethodTable table)
    ]
    |> reachable (fun _ -> false) 1
    |> _.Objects

/// The name of an object's class, without the arguments of a generic one.
let private nameOf (object: ClrObject) : string =
    let name = Objects.typeName object

    match name.IndexOf '<' with
    | -1 -> name
    | at -> name[.. at - 1]

/// Whether a frame is of a class with this name, or of a class inside it; not of its methods that post work.
let private isOf (owner: string) (frame: Frame) : bool =
    let posts =
        [ ".Post"; ".Send"; "..ctor" ]
        |> List.exists (fun name -> frame.Method.EndsWith(name, StringComparison.Ordinal))

    not posts
    && [ "."; "+"; "`" ]
       |> List.exists (fun mark -> frame.Method.StartsWith(owner + mark, StringComparison.Ordinal))

/// The class of the user's innermost function on a stack, without the functions inside it.
let private classOf (frames: Frame list) : string option =
    frames
    |> List.tryFind (fun frame -> not frame.IsFramework)
    |> Option.map (fun frame ->
        match frame.Method.IndexOf '+', frame.Method.LastIndexOf '.' with
        | -1, -1 -> frame.Method
        | -1, dot -> frame.Method[.. dot - 1]
        | plus, _ -> frame.Method[.. plus - 1])

/// Whether work that was posted to the context of a thread waits for the thread.
[<RequireQualifiedAccess>]
type PostedState =
    /// No: none is posted, or the thread takes it.
    | Absent
    /// Another thread may take it, or the queue was not found, or the search was not complete.
    | Unknown
    /// It waits for the thread.
    | Waits
    /// It waits for the thread, and the thread waits for it.
    | Hangs

/// Each waiting thread's context at this moment, by its type, and whether work that was posted to it waits for the thread; None:
/// it has none. A thread that is not found in the memory is missing. `waits`: threads that wait for others, each with the kind of its call and its stack. `others`: stacks of running threads.
let snapshot
    (pid: int)
    (runtime: ClrRuntime)
    (waits: Map<int, BlockKind * Frame list>)
    (others: Map<int, Frame list>)
    : Map<int, (string * PostedState) option> =
    let contextOf = contextOf runtime

    let found =
        [
            for thread in runtime.Threads do
                let number = int thread.OSThreadId

                if waits.ContainsKey number || others.ContainsKey number then
                    number, contextOf thread
        ]

    let contexts =
        found
        |> List.choose (fun (thread, context) -> context |> Option.map (fun context -> thread, context))

    let waiting = contexts |> List.filter (fun (thread, _) -> waits.ContainsKey thread)

    let seen =
        Deadlocks.WaitSnapshot(pid, runtime, waiting |> List.map fst |> set, [], Map.empty)

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

    /// Whether a running thread takes the callbacks there.
    let isTaken (context: ClrObject) (queue: Queue) : bool =
        let collections = queue.Collections |> List.map _.Address |> set

        // a thread that posts work has the user's objects on its stack as well
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
        dict [ for thread in others.Keys -> thread, lazy (reachable isContext near (seen.Stack thread)) ]

    /// Whether a running thread may end a wait for one of these.
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

    /// Whether posted work may end a wait for one of these: they are in reach of it, or of a static field.
    let isWithinReach (queue: Queue) (awaited: ClrObject list) : bool =
        let posted =
            lazy
                (HashSet(
                    Objects.reached queue.Holders (fun object ->
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
        // a holder that was not found may run
        | Some _, BlockKind.Lock when StackWaits.mayGiveUp frames -> false
        | Some wait, _ -> wait.Lost.IsEmpty && wait.Wait.BlockedBy |> List.forall (others.ContainsKey >> not)
        | None, (BlockKind.Lock | BlockKind.Join) -> false
        | None, (BlockKind.TaskWait | BlockKind.RunSynchronously) ->
            let tasks = seen.Awaited(seen.Stack thread)
            // RunSynchronously does not wait for a task
            (tasks.IsEmpty || isWithinReach queue tasks) && not (isEnded frames tasks)
        | None, _ ->
            let own =
                reachable
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

    let workFor (thread: int) (context: ClrObject) : PostedState =
        let kind, frames = waits[thread]

        // the loop that takes the callbacks waits for more
        let isIdle =
            frames
            |> List.tryFind (fun frame -> not frame.IsFramework)
            |> Option.exists (isOf (nameOf context))

        let queue = queue (roots runtime context) (kin context)

        if queue.Holders.IsEmpty then
            if queue.IsWhole || isOfPool context then PostedState.Absent else PostedState.Unknown
        elif isTaken context queue then
            PostedState.Unknown
        elif waitsForIt thread queue then
            // a loop that waits for a task may take a callback only at its time
            if isIdle && BlockKinds.isForTask kind then PostedState.Unknown else PostedState.Hangs
        elif isIdle then
            PostedState.Absent
        else
            PostedState.Waits

    Map.ofSeq
        [
            for thread, context in found do
                if waits.ContainsKey thread then
                    thread,
                    context |> Option.map (fun context -> Objects.typeName context, workFor thread context)
        ]
