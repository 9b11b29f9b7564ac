// Threads that wait for a task outside of the pool: whether each has a SynchronizationContext whose posted work waits meanwhile; and
// threads of any kind that wait for one another. Read in the memory of the process while it runs; nothing is stopped. On Linux, where
// that memory may be read.
module internal Plait.Doctor.Contexts

open System
open System.Collections.Generic
open System.Globalization
open System.IO
open System.Threading
open Microsoft.Diagnostics.Runtime

/// Threads that are looked at: more of them that wait for tasks are a pool of somebody's own.
let private mostThreads = 32

/// Objects and references from a context to what was posted to it: its queue is not far.
let private mostObjects, private deepest = 2000, 6

/// Moments at which posted work must wait, and milliseconds between them: a dispatcher takes it up in between.
let private times, private apart = 3, 50

/// What a thread with these frames waits for; None: it runs, or waits for what no other thread holds up.
let private kind (frames: Frame list) : BlockKind option =
    let inner = frames |> List.takeWhile _.IsFramework

    let called =
        [
            for frame in inner do
                frame.Method
            // the JIT may have put the call's own frame into the user's
            for frame in frames |> List.skip inner.Length |> List.truncate 1 do
                yield! frame.Calls
        ]

    called
    |> List.choose BlockingCalls.ofCall
    |> List.tryFind (fun kind ->
        kind = BlockKind.TaskWait || kind = BlockKind.RunSynchronously || kind = BlockKind.Lock)

/// The threads that wait so in most of their samples.
let private waiting (samples: Sample list) (isMeant: Frame list -> bool) : int list =
    [
        for thread, members in samples |> List.groupBy _.Thread do
            let so = members |> List.filter (fun sample -> isMeant sample.Frames)

            if 2 * so.Length > members.Length then
                thread
    ]
    |> List.truncate mostThreads

/// Those that wait for a task outside of the pool, and may have a context.
let private outside (frames: Frame list) : bool =
    not (WorkerStack.isWorker frames || MeantWait.isOne frames)
    && frames
       |> List.takeWhile _.IsFramework
       |> List.exists (fun frame ->
           match BlockingCalls.ofCall frame.Method with
           | Some BlockKind.TaskWait
           | Some BlockKind.RunSynchronously -> true
           | _ -> false)

let private posted = "System.Threading.SendOrPostCallback"

/// Whether a callback that was posted lies within a few references of these objects.
let private holdsWork (roots: ClrObject list) : bool =
    let seen = HashSet<uint64>()

    let rec from (level: ClrObject list) (depth: int) : bool =
        let fresh = level |> List.filter (fun object -> seen.Add object.Address)

        if
            fresh
            |> List.exists (fun object ->
                object.Type |> Option.ofObj |> Option.exists (fun kind -> kind.Name = posted))
        then
            true
        elif depth = 0 || fresh.IsEmpty || seen.Count > mostObjects then
            false
        else
            let next =
                fresh
                |> Seq.collect Deadlocks.references
                |> Seq.filter (fun object -> object.IsValid)
                |> Seq.truncate mostObjects
                |> List.ofSeq

            from next (depth - 1)

    from roots deepest

/// A context and what its class, and the class that this is written in, keep for all: a queue may be there.
let private roots (runtime: ClrRuntime) (context: ClrObject) : ClrObject list =
    let domain = runtime.AppDomains[0]

    let statics (kind: ClrType | null) =
        match kind with
        | null -> []
        | kind ->
            [
                for field in kind.StaticFields do
                    if field.IsObjectReference then
                        let value = field.ReadObject domain

                        if not value.IsNull then
                            value
            ]

    match Option.ofObj context.Type with
    | None -> [ context ]
    | Some kind ->
        let outer =
            match kind.Name |> Option.ofObj with
            | Some name when name.Contains '+' -> kind.Module.GetTypeByName(name[.. name.LastIndexOf '+' - 1])
            | _ -> null

        context :: statics kind @ statics outer

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

let private schedule (file: string) : float option =
    ProcFiles.ifReadable (fun () -> File.ReadLines file |> Seq.tryFind _.StartsWith("se.exec_start"))
    |> Option.flatten
    |> Option.bind (fun line ->
        match
            Double.TryParse(
                line.Substring(line.IndexOf ':' + 1),
                NumberStyles.Float,
                CultureInfo.InvariantCulture
            )
        with
        | true, milliseconds -> Some milliseconds
        | _ -> None)

/// Seconds since a thread ran last, by the scheduler's clock, which runs for all.
let private waitsFor (pid: int) (thread: int) : float option =
    Option.map2
        (fun now last -> max 0.0 (now - last) / 1000.0)
        (schedule "/proc/thread-self/sched")
        (schedule $"/proc/{pid}/task/{thread}/sched")

/// One moment: each thread's context, by its type, and whether work waits there.
let private moment (runtime: ClrRuntime) (threads: int Set) : Map<int, (string option * bool)> =
    Map.ofSeq
        [
            for thread in runtime.Threads do
                if threads.Contains(int thread.OSThreadId) then
                    match contextOf runtime thread with
                    | None -> int thread.OSThreadId, (None, false)
                    | Some context ->
                        let name =
                            context.Type |> Option.ofObj |> Option.bind (fun kind -> Option.ofObj kind.Name)

                        int thread.OSThreadId, (name, holdsWork (roots runtime context))
        ]

/// What is so at each of several moments; `both` keeps of two what is the same.
let private lasting (read: unit -> Map<int, 'T>) (both: 'T -> 'T -> 'T option) : Map<int, 'T> =
    let moments =
        [
            for time in 1..times do
                if time > 1 then
                    Thread.Sleep apart

                read ()
        ]

    moments
    |> List.reduce (fun before after ->
        Map.ofSeq
            [
                for thread, now in Map.toSeq after do
                    match Map.tryFind thread before |> Option.bind (fun before -> both before now) with
                    | Some kept -> thread, kept
                    | None -> ()
            ])

/// In which the memory is read, on a busy machine.
let private limit = TimeSpan.FromSeconds 10.0

/// What is found of the threads that wait for a task outside of the pool, and of all that can never go on. Of those whose memory may
/// not be read, only that they wait.
let read (pid: int) (samples: Sample list) : Map<int, ThreadContext> =
    let contexts = waiting samples outside

    let blockedBy isIt =
        waiting samples (kind >> Option.exists isIt)

    let locks = blockedBy ((=) BlockKind.Lock)
    let tasks = blockedBy ((<>) BlockKind.Lock)

    if (contexts @ locks @ tasks).IsEmpty || not (OperatingSystem.IsLinux()) then
        Map.empty
    else
        let since =
            [ for thread in List.distinct (contexts @ locks @ tasks) -> thread, waitsFor pid thread ]
            |> Map.ofList

        let look () =
            use target = DataTarget.AttachToProcess(pid, suspend = false)

            match Seq.tryHead target.ClrVersions with
            | None -> Map.empty, Map.empty
            | Some info ->
                use runtime = info.CreateRuntime()

                let forget () =
                    runtime.DataTarget.DataReader.FlushCachedData()
                    runtime.FlushCachedData()

                let contexts =
                    if contexts.IsEmpty then
                        Map.empty
                    else
                        lasting
                            (fun () ->
                                forget ()
                                moment runtime (set contexts))
                            (fun (_, hadWork) (context, hasWork) -> Some(context, hadWork && hasWork))

                let deadlocks =
                    lasting
                        (fun () ->
                            forget ()
                            Deadlocks.moment pid runtime (set tasks) (set locks))
                        (fun before now -> if before = now then Some now else None)

                contexts, deadlocks

        let found, deadlocks =
            try
                TimeLimit.one "reads contexts" limit look |> Option.defaultValue (Map.empty, Map.empty)
            with
            // What it finds half written, or may not read: it is not known then. It explains a look, which goes on without it.
            | _ ->
                Map.empty, Map.empty

        since
        |> Map.filter (fun thread _ -> List.contains thread contexts || Map.containsKey thread deadlocks)
        |> Map.map (fun thread seconds ->
            let context, hasWork = Map.tryFind thread found |> Option.defaultValue (None, false)

            {
                Context = context
                HasWork = hasWork
                WaitsForSeconds = seconds
                Deadlock = Map.tryFind thread deadlocks
            })
