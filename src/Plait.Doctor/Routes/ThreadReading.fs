// Reading the stacks of all managed threads of a process: each is stopped for a moment and copied, many are held at a time, and their
// stacks are walked while the process runs. Only the debugger's route uses it.
module internal Plait.Doctor.ThreadReading

open System
open Microsoft.Diagnostics.Runtime

/// The threads of a process, read one after the other.
type Read =
    {
        Stacks: MemoryStacks.Stack list
        /// Threads that did not stand in time, or had ended.
        Unread: int
        /// Threads for which there was no time.
        Untaken: int
    }

/// The most copies of threads in a batch, and the most bytes of a batch: its stacks are walked when either is reached.
let private mostThreads, private mostBytes = 500, 64 <<< 20

/// Threads of a runtime, by the system's numbers.
let alive (runtime: ClrRuntime) : ClrThread list =
    [
        for thread in runtime.Threads do
            if thread.IsAlive then
                thread
    ]

/// Empties the caches of the reader: the process runs and changes its memory.
let forget (runtime: ClrRuntime) =
    runtime.DataTarget.DataReader.FlushCachedData()
    runtime.FlushCachedData()

/// The stacks of threads as they stood.
let private walked
    (runtime: ClrRuntime)
    (methods: MemoryStacks.Methods)
    (stood: int Set)
    : MemoryStacks.Stack list =
    forget runtime

    [
        for thread in alive runtime do
            if stood.Contains(int thread.OSThreadId) then
                match MemoryStacks.stack methods thread with
                | [] -> ()
                | frames -> int thread.OSThreadId, thread.GCMode = GCMode.Cooperative, frames
    ]

/// The limit for reading so many threads, on the busiest machine.
let limitOf (threads: int) : TimeSpan =
    TimeSpan.FromSeconds(60.0 + 0.1 * float threads)

/// Copies of the first threads, one batch, and the threads that are left.
let private taken (stops: ThreadStops) (threads: ClrThread list) : StoodThread list * ClrThread list =
    let rec go (stood: StoodThread list) (bytes: int) (left: ClrThread list) =
        match left with
        | thread :: rest when stood.Length < mostThreads && bytes < mostBytes ->
            match stops.Read(int thread.OSThreadId, thread.Address) with
            | Some one -> go (one :: stood) (bytes + one.Size) rest
            | None -> go stood bytes rest
        | _ -> stood, left

    go [] 0 threads

/// Reads threads in batches, until none is left or a batch is not taken in time: `take` stops threads, and `walk` reads their stacks while
/// all run. `take` returns its copies and the threads that are left. Returns the stacks, and the number of threads that were not taken.
let inBatches
    (take: 'Thread list -> ('Stood * 'Thread list) option)
    (walk: 'Stood -> 'Stack list)
    (threads: 'Thread list)
    : 'Stack list * int =
    let rec from (read: 'Stack list list) (left: 'Thread list) =
        if left.IsEmpty then
            read, 0
        else
            match take left with
            | Some(stood, rest) -> from (walk stood :: read) rest
            | None -> read, left.Length

    let read, untaken = from [] threads
    List.concat (List.rev read), untaken

/// Stops one thread after the other, and walks their stacks in batches: the caches of the reader are emptied before each walk.
let stacks (runtime: ClrRuntime) (reader: StoodReader) (stops: ThreadStops) : Read =
    let methods = MemoryStacks.Methods reader

    let walk (stood: StoodThread list) =
        let numbers = stood |> List.map _.Thread |> set
        reader.Show stood
        let found = walked runtime methods numbers

        let missing =
            found |> List.fold (fun left (thread, _, _) -> Set.remove thread left) numbers

        // Threads are a list in the memory of the process, and others of it may have ended since they stood.
        let again =
            [
                for thread in stood do
                    if missing.Contains thread.Thread then
                        reader.Show [ thread ]
                        yield! walked runtime methods (Set.singleton thread.Thread)
            ]

        reader.Show []
        found @ again

    // On a thread of its own each time, whose end lets go of what it still holds: nothing stands while stacks are walked.
    let unread = ref 0

    let take (left: ClrThread list) =
        let within = limitOf left.Length
        let taken = TimeLimit.one "stops threads" within (fun () -> taken stops left)
        // of a batch that is lost none is counted twice
        if taken.IsSome then
            unread.Value <- stops.Unread

        taken

    let found, untaken = inBatches take walk (alive runtime)
    { Stacks = found; Unread = unread.Value; Untaken = untaken }
