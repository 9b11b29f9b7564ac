// The operating system's states of the threads of a process: whether each waits or wants a processor. They separate a waiting
// thread from a working one if the stack does not. Reading them costs the process nothing. On Linux.
module internal Plait.Doctor.ThreadStates

open System
open System.IO
open System.Threading

/// The largest number of files to read.
let private most = 3000

/// The number of readings of each thread, and the milliseconds between them.
let private times, private apart = 10, 10

/// Whether a thread waits; None: it has ended, or a signal or a debugger has stopped it, which hides its state.
let private waits (task: string) : bool option =
    ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "stat")))
    |> Option.bind ProcFiles.parseState
    |> Option.filter (fun state -> not (Seq.contains state "Tt"))
    |> Option.map (fun state -> state <> 'R')

/// The number of a thread in the process's own namespace.
let private ownNumber (isElsewhere: bool) (task: string) : int option =
    match Int32.TryParse(Path.GetFileName task) with
    | true, number when isElsewhere -> ProcFiles.ownNumber number
    | true, number -> Some number
    | _ -> None

/// The threads that a runtime has before it runs managed code, besides the first one.
let private early = [ ".NET SynchManag"; ".NET EventPipe" ]

/// Whether the runtime of a process has begun to run managed code: it has another thread then, the one of finalizers.
let hasBegun (pid: int) : bool =
    let isLater (task: string) =
        Path.GetFileName task <> string pid
        && ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "comm")))
           |> Option.forall (fun name -> not (List.contains (name.TrimEnd()) early))

    ProcFiles.ifReadable (fun () -> Directory.GetDirectories $"/proc/{pid}/task")
    |> Option.forall (Array.exists isLater)

/// The name that the runtime gives to the workers of its pool.
let private worker = ".NET TP Worker"

let private isWorker (task: string) : bool =
    ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "comm")))
    |> Option.exists (fun name -> name.TrimEnd() = worker)

/// A reading: whether each thread waited, by its folder.
type StateReading = { From: DateTime; Until: DateTime; Waits: (string * bool) list }

/// The share of readings in which each thread waited, by its folder. `isStopped`: whether a garbage collection suspended all
/// threads within a time: a reading at that time does not show a thread's work. If less than half of the readings remain, no
/// share is known: between two collections most threads are still on their way back to work.
let waiting (isStopped: DateTime * DateTime -> bool) (readings: StateReading list) : Map<string, float> =
    let clear =
        readings |> List.filter (fun reading -> not (isStopped (reading.From, reading.Until)))

    if 2 * clear.Length < readings.Length then
        Map.empty
    else
        clear
        |> List.collect _.Waits
        |> List.groupBy fst
        |> List.map (fun (task, seen) ->
            task, float (seen |> List.filter snd |> List.length) / float seen.Length)
        |> Map.ofList

/// The readings of a process's threads.
type ThreadWatch private (readings: StateReading list, threads: Map<string, int * bool>) =

    /// Whether a thread, by its number within the process, has the name of a worker.
    member _.IsWorker(thread: int) : bool =
        threads.Values |> Seq.contains (thread, true)

    /// Whether a thread was among them, by its number within the process.
    member _.Has(thread: int) : bool =
        threads.Values |> Seq.exists (fun (number, _) -> number = thread)

    /// Each thread, by its number within the process; `isStopped` as for `waiting`.
    member _.States(isStopped: DateTime * DateTime -> bool) : Map<int, OsThread> =
        let waits = waiting isStopped readings

        Map.ofSeq
            [
                for KeyValue(task, (number, isWorker)) in threads do
                    number, { Waiting = Map.tryFind task waits; IsWorker = isWorker }
            ]

    /// Reads the states of a process's threads for about 0.1 s. Empty: not known.
    static member Of(pid: int) : ThreadWatch =
        if not (OperatingSystem.IsLinux()) then
            ThreadWatch([], Map.empty)
        else
            let tasks =
                ProcFiles.ifReadable (fun () -> Directory.GetDirectories $"/proc/{pid}/task")
                |> Option.defaultValue [||]

            let readings =
                [
                    for _ in 1 .. max 3 (min times (most / max 1 tasks.Length)) do
                        let from = DateTime.UtcNow

                        {
                            From = from
                            Waits =
                                [
                                    for task in tasks do
                                        match waits task with
                                        | Some isWaiting -> task, isWaiting
                                        | None -> ()
                                ]
                            Until = DateTime.UtcNow
                        }

                        Thread.Sleep apart
                ]

            let isElsewhere =
                match ProcFiles.status pid with
                | Some status -> status.Numbers.Length > 1
                | None -> false

            let threads =
                [
                    for task in tasks do
                        match ownNumber isElsewhere task with
                        | Some number -> task, (number, isWorker task)
                        | None -> ()
                ]

            ThreadWatch(readings, Map.ofList threads)
