// The operating system's states of the threads of a process: whether each waits or wants a processor. They separate a
// thread that waits from one that works where the stack does not, and it costs the process nothing. On Linux.
module internal Plait.Doctor.ThreadStates

open System
open System.IO
open System.Threading

/// Files that are read at most.
let private most = 3000

/// Times that each thread is looked at, and milliseconds between them.
let private times, private apart = 10, 10

/// Whether a thread waits; None: it has ended, or a signal or a debugger has stopped it, which hides its state.
let private waits (task: string) : bool option =
    ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "stat")))
    |> Option.bind (fun text ->
        // its name may hold anything, and stands in brackets
        match text.LastIndexOf ')' with
        | -1 -> None
        | at when at + 2 < text.Length && not (Seq.contains text[at + 2] "Tt") -> Some(text[at + 2] <> 'R')
        | _ -> None)

/// The number that the process itself has for one of its threads.
let private ownNumber (isElsewhere: bool) (task: string) : int option =
    let outside =
        match Int32.TryParse(Path.GetFileName task) with
        | true, number -> Some number
        | _ -> None

    if isElsewhere then
        ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "status")))
        |> Option.bind (fun text -> List.tryLast (ProcFiles.parseStatus text).Numbers)
    else
        outside

/// The name that the runtime gives to the workers of its pool.
let private worker = ".NET TP Worker"

let private isWorker (task: string) : bool =
    ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "comm")))
    |> Option.exists (fun name -> name.TrimEnd() = worker)

/// The reading of one moment: whether each thread waited, by its folder.
type Moment = { From: DateTime; Until: DateTime; Waits: (string * bool) list }

/// The share of moments at which each thread waited, by its folder. `isStopped`: whether all threads stood still for the garbage
/// collector within a time: a reading at that time does not show the work of a thread. If less than half of the moments remain,
/// no share is known: the few between two collections find most threads still on their way back to work.
let waiting (isStopped: DateTime * DateTime -> bool) (moments: Moment list) : Map<string, float> =
    let clear =
        moments |> List.filter (fun moment -> not (isStopped (moment.From, moment.Until)))

    if 2 * clear.Length < moments.Length then
        Map.empty
    else
        clear
        |> List.collect _.Waits
        |> List.groupBy fst
        |> List.map (fun (task, seen) ->
            task, float (seen |> List.filter snd |> List.length) / float seen.Length)
        |> Map.ofList

/// Threads that were watched.
type Watched private (moments: Moment list, threads: Map<string, int * bool>) =

    /// Whether a thread, by its number within the process, has the name of a worker.
    member _.IsWorker(thread: int) : bool =
        threads.Values |> Seq.contains (thread, true)

    /// Whether a thread was among them, by its number within the process.
    member _.Has(thread: int) : bool =
        threads.Values |> Seq.exists (fun (number, _) -> number = thread)

    /// Each thread, by its number within the process; `isStopped` as for `waiting`.
    member _.States(isStopped: DateTime * DateTime -> bool) : Map<int, OsThread> =
        let waits = waiting isStopped moments

        Map.ofSeq
            [
                for KeyValue(task, (number, isWorker)) in threads do
                    number, { Waiting = Map.tryFind task waits; IsWorker = isWorker }
            ]

    /// Watches each thread of a process over about 0.1 s. None of them: it is not known.
    static member Of(pid: int) : Watched =
        if not (OperatingSystem.IsLinux()) then
            Watched([], Map.empty)
        else
            let tasks =
                ProcFiles.ifReadable (fun () -> Directory.GetDirectories $"/proc/{pid}/task")
                |> Option.defaultValue [||]

            let moments =
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

            Watched(moments, Map.ofList threads)
