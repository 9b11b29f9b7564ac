// Reads the stacks of all managed threads of a process: stops and copies each for a moment, collects copies in batches, and walks
// their stacks while the process runs. Only the --ptrace route uses it.
module internal Plait.Doctor.ThreadReading

open System
open Microsoft.Diagnostics.Runtime

/// The threads of a process, read one after the other.
type ThreadStacks =
    {
        Stacks: MemoryStacks.Stack list
        /// Threads that did not stop in time, or had ended.
        Unread: int
        /// Threads for which there was no time.
        Untaken: int
    }

/// The most copies of threads in a batch, and the most bytes: either ends the batch, and its stacks are walked.
let private mostThreads, private mostBytes = 500, 64 <<< 20

/// The threads of a runtime, by the system's numbers.
let alive (runtime: ClrRuntime) : ClrThread list =
    [
        for thread in runtime.Threads do
            if thread.IsAlive then
                thread
    ]

/// Empties the reader's caches: the process runs and changes its memory.
let forget (runtime: ClrRuntime) =
    runtime.DataTarget.DataReader.FlushCachedData()
    runtime.FlushCachedData()

/// The stacks of copied threads.
let private walked
    (runtime: ClrRuntime)
    (methods: MemoryStacks.Methods)
    (snapshots: int Set)
    : MemoryStacks.Stack list =
    forget runtime

    [
        for thread in alive runtime do
            if snapshots.Contains(int thread.OSThreadId) then
                match MemoryStacks.stack methods thread with
                | [] -> ()
                | frames -> int thread.OSThreadId, thread.GCMode = GCMode.Cooperative, frames
    ]

/// The limit of time for reading so many threads, on the busiest machine.
let limitOf (threads: int) : TimeSpan =
    TimeSpan.FromSeconds(60.0 + 0.1 * float threads)

/// Copies of the first threads, one batch, and the threads that remain.
let private taken (stops: ThreadStops) (threads: ClrThread list) : ThreadSnapshot list * ClrThread list =
    let rec go (snapshots: ThreadSnapshot list) (bytes: int) (left: ClrThread list) =
        match left with
        | thread :: rest when snapshots.Length < mostThreads && bytes < mostBytes ->
            match stops.Read(int thread.OSThreadId, thread.Address) with
            | Some one -> go (one :: snapshots) (bytes + one.Size) rest
            | None -> go snapshots bytes rest
        | _ -> snapshots, left

    go [] 0 threads

/// Reads threads in batches, until none remains or a batch takes too long: `take` stops and copies threads, and returns the
/// copies and the remaining threads; `walk` reads their stacks while all run. Returns the stacks, and the number of remaining
/// threads.
let inBatches
    (take: 'Thread list -> ('Snapshot * 'Thread list) option)
    (walk: 'Snapshot -> 'Stack list)
    (threads: 'Thread list)
    : 'Stack list * int =
    let rec from (read: 'Stack list list) (left: 'Thread list) =
        if left.IsEmpty then
            read, 0
        else
            match take left with
            | Some(snapshots, rest) -> from (walk snapshots :: read) rest
            | None -> read, left.Length

    let read, untaken = from [] threads
    List.concat (List.rev read), untaken

/// Stops one thread after the other, and walks their stacks in batches; each walk begins with empty caches.
let stacks (runtime: ClrRuntime) (reader: SnapshotReader) (stops: ThreadStops) : ThreadStacks =
    let methods = MemoryStacks.Methods reader

    let walk (snapshots: ThreadSnapshot list) =
        let numbers = snapshots |> List.map _.Thread |> set
        reader.Show snapshots
        let found = walked runtime methods numbers

        let missing =
            found |> List.fold (fun left (thread, _, _) -> Set.remove thread left) numbers

        // The memory of the process has a list of threads, and some may have ended since their copy.
        let again =
            [
                for thread in snapshots do
                    if missing.Contains thread.Thread then
                        reader.Show [ thread ]
                        yield! walked runtime methods (Set.singleton thread.Thread)
            ]

        reader.Show []
        found @ again

    // Each batch has a thread of its own; its end releases all that it still traces, so no thread is stopped during a walk.
    let unread = ref 0

    let take (left: ClrThread list) =
        let within = limitOf left.Length
        let taken = TimeLimit.one "stops threads" within (fun () -> taken stops left)
        // a lost batch counts no thread twice
        if taken.IsSome then
            unread.Value <- stops.Unread

        taken

    let found, untaken = inBatches take walk (alive runtime)
    { Stacks = found; Unread = unread.Value; Untaken = untaken }
