// What the operating system says of the threads of a process: whether each waits or wants a processor. It tells a thread that
// waits from one that works where the stack does not, and it costs the process nothing. On Linux.
module internal Plait.Doctor.ThreadStates

open System
open System.Collections.Generic
open System.IO
open System.Threading

/// Files that are read at most.
let private most = 3000

/// Times that each thread is looked at, and milliseconds between them.
let private times, private apart = 10, 10

let private waits (task: string) : bool option =
    ProcFiles.ifReadable (fun () -> File.ReadAllText(Path.Combine(task, "stat")))
    |> Option.bind (fun text ->
        // its name may hold anything, and stands in brackets
        match text.LastIndexOf ')' with
        | -1 -> None
        | at when at + 2 < text.Length -> Some(text[at + 2] <> 'R')
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

/// Each thread over about 0.1 s, by its number within the process. Empty: not known.
let watch (pid: int) : Map<int, OsThread> =
    if not (OperatingSystem.IsLinux()) then
        Map.empty
    else
        let tasks =
            ProcFiles.ifReadable (fun () -> Directory.GetDirectories $"/proc/{pid}/task")
            |> Option.defaultValue [||]

        let rounds = max 3 (min times (most / max 1 tasks.Length))
        let counts = Dictionary<string, struct (int * int)>()

        for _ in 1..rounds do
            for task in tasks do
                match waits task with
                | Some isWaiting ->
                    let struct (waiting, all) =
                        match counts.TryGetValue task with
                        | true, count -> count
                        | _ -> struct (0, 0)

                    counts[task] <- struct ((if isWaiting then waiting + 1 else waiting), all + 1)
                | None -> ()

            Thread.Sleep apart

        let isElsewhere =
            match ProcFiles.status pid with
            | Some status -> status.Numbers.Length > 1
            | None -> false

        Map.ofSeq
            [
                for KeyValue(task, struct (waiting, all)) in counts do
                    match ownNumber isElsewhere task with
                    | Some number -> number, { Waiting = float waiting / float all; IsWorker = isWorker task }
                    | None -> ()
            ]
