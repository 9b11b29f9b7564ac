// The holder of a lock, by the name that the lock has for it, and whether that thread has ended. The threads of a running process
// come and go between two readings, so that a thread that is not among those of an earlier moment may be a new one.
module internal Plait.Doctor.LockHolders

open Microsoft.Diagnostics.Runtime

/// The name of a thread in a lock that it holds.
[<RequireQualifiedAccess>]
type HolderName =
    /// The address of the runtime's thread.
    | Address of uint64
    /// The runtime's number.
    | Managed of int
    /// The operating system's number, in the namespace of the process.
    | System of int

/// A thread that lives.
type LivingThread =
    {
        /// The operating system's number, in the namespace of the process.
        Thread: int
        /// The runtime's number.
        Managed: int
        Address: uint64
    }

/// The threads of a process at one moment.
type Living =
    {
        /// Those in the runtime's list.
        Threads: LivingThread list
        /// The numbers of all threads, those without managed code too, in the namespace of the process; empty: not known.
        Tasks: Set<int>
    }

/// A wait at one moment. At another moment it is the same wait if all of this is equal.
type WaitAt =
    {
        Wait: Deadlock
        /// The locks whose holders were not found, by address, each with its holder.
        Lost: Set<uint64 * HolderName>
    }

/// The wait of a thread before a lock: for any of the held locks on its stack, each with the type of its object and its holder;
/// no holder: it was not found. Which of these it waits for is not known, so it is deadlocked if all their holders are. The same holds
/// for the threads that it may join.
let behindAny (held: (string option * int option) list) : Deadlock option =
    let kind (locks: (string option * int option) list) =
        match locks |> List.map fst |> List.distinct with
        | [ only ] -> only
        | _ -> None

    match held |> List.filter (snd >> Option.isSome), held with
    | [], [] -> None
    | [], abandoned -> Some { WaitsFor = WaitObject.AbandonedLock(kind abandoned); BlockedBy = [] }
    | live, _ ->
        Some
            {
                WaitsFor = WaitObject.Lock(kind live)
                BlockedBy = live |> List.choose snd |> List.distinct
            }

/// The living threads in the runtime's list, each also as it is there.
let living (runtime: ClrRuntime) : (LivingThread * ClrThread) list =
    [
        for thread in runtime.Threads do
            if thread.IsAlive then
                {
                    Thread = int thread.OSThreadId
                    Managed = thread.ManagedThreadId
                    Address = thread.Address
                },
                thread
    ]

/// The operating system's number of the thread with this name; None: it is not among these.
let find (threads: LivingThread list) (name: HolderName) : int option =
    let isIt (thread: LivingThread) =
        match name with
        | HolderName.Address address -> thread.Address = address
        | HolderName.Managed number -> thread.Managed = number
        | HolderName.System number -> thread.Thread = number

    threads |> List.tryFind isIt |> Option.map _.Thread

/// Whether the thread with this name is known to have ended: no thread has its number, of either kind, and the runtime's list is
/// whole. `managed`: the threads that ran managed code before; those that live are in a whole list.
let hasEnded (managed: Set<int>) (living: Living) (name: HolderName) : bool =
    let listed = living.Threads |> List.map _.Thread |> set
    let isWhole = Set.isSubset (Set.intersect managed living.Tasks) listed

    let hasNumber (number: int) =
        listed.Contains number
        || living.Threads |> List.exists (fun thread -> thread.Managed = number)

    not living.Tasks.IsEmpty
    && isWhole
    && match name with
       | HolderName.Address _ -> (find living.Threads name).IsNone
       | HolderName.Managed number -> not (hasNumber number)
       | HolderName.System number -> not (hasNumber number || living.Tasks.Contains number)

/// These waits without those for a lock whose holder may live. `later`: the threads at a moment after the holders were read.
let confirmed (managed: Set<int>) (later: unit -> Living) (waits: Map<int, WaitAt>) : Map<int, WaitAt> =
    if waits |> Map.forall (fun _ wait -> wait.Lost.IsEmpty) then
        waits
    else
        let living = later ()

        waits
        |> Map.filter (fun _ wait -> wait.Lost |> Set.forall (snd >> hasEnded managed living))
