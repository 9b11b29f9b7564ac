// The facts about a process in Linux's /proc, as values. The functions over text are pure; None: the file does not exist or is
// not ours to read.
[<RequireQualifiedAccess>]
module internal Plait.Doctor.ProcFiles

open System
open System.Collections.Concurrent
open System.Globalization
open System.IO
open System.Numerics

/// /proc/PID/status.
type Status =
    {
        /// R, S, D, T (stopped), t (stopped by its tracer), Z (ended), ...
        State: char
        /// The user that it runs as: the effective one.
        User: int
        /// The process of this thread.
        Leader: int
        /// Its parent process.
        Parent: int
        /// The thread that traces it; 0: none.
        Tracer: int
        Threads: int
        /// Its numbers from our namespace to its own; one number: its namespace is ours.
        Numbers: int list
        /// The number of processors in its affinity; 0: not known.
        Allowed: int
    }

let private number (text: string) =
    match Int32.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture) with
    | true, value -> value
    | _ -> 0

let parseStatus (text: string) : Status =
    let fields =
        text.Split('\n')
        |> Seq.choose (fun line ->
            match line.IndexOf ':' with
            | -1 -> None
            | at -> Some(line[.. at - 1], line[at + 1 ..].Trim()))
        |> Map.ofSeq

    let field name =
        Map.tryFind name fields |> Option.defaultValue ""

    let words (value: string) =
        value.Split([| ' '; '\t' |], StringSplitOptions.RemoveEmptyEntries)

    // "ff" or "ffffffff,ffffffff": hexadecimal digits, so counted one by one
    let bits (mask: string) =
        mask
        |> Seq.sumBy (fun digit ->
            match Int32.TryParse(string digit, NumberStyles.HexNumber, CultureInfo.InvariantCulture) with
            | true, value -> BitOperations.PopCount(uint value)
            | _ -> 0)

    {
        State = (field "State" + "?")[0]
        User = words (field "Uid") |> Array.tryItem 1 |> Option.map number |> Option.defaultValue -1
        Leader = number (field "Tgid")
        Parent = number (field "PPid")
        Tracer = number (field "TracerPid")
        Threads = number (field "Threads")
        Numbers = words (field "NSpid") |> Seq.map number |> List.ofSeq
        Allowed = bits (field "Cpus_allowed")
    }

/// /proc/PID/environ and /proc/PID/cmdline: strings that end in a zero each.
let parseStrings (text: string) : string list =
    text.Split('\000', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray

let parseEnvironment (text: string) : Map<string, string> =
    parseStrings text
    |> Seq.choose (fun setting ->
        match setting.IndexOf '=' with
        | -1 -> None
        | at -> Some(setting[.. at - 1], setting[at + 1 ..]))
    |> Map.ofSeq

/// The files that /proc/PID/maps names, each once.
let parseMaps (text: string) : string list =
    text.Split('\n')
    |> Seq.choose (fun line ->
        // the sixth column; names may have spaces
        match line.IndexOf '/' with
        | -1 -> None
        | at -> Some line[at..])
    |> Seq.distinct
    |> List.ofSeq

/// Processors by a quota, "max 100000" or "150000 100000": rounded up, as the runtime counts them. None: no limit.
let parseQuota (text: string) : int option =
    match text.Split([| ' '; '\n' |], StringSplitOptions.RemoveEmptyEntries) with
    | [| quota; period |] when number quota > 0 && number period > 0 ->
        Some(max 1 (int (ceil (float (number quota) / float (number period)))))
    | _ -> None

/// A field of the file stat of a process or a thread, by its number, which is above 2: the second, the name, may hold anything.
let private statField (field: int) (text: string) : string option =
    text[text.LastIndexOf ')' + 1 ..].Split(' ', StringSplitOptions.RemoveEmptyEntries)
    |> Array.tryItem (field - 3)

/// The state of a thread, as 'R' or 'S'. `text`: its file stat.
let parseState (text: string) : char option =
    statField 3 text |> Option.map (fun field -> field[0])

/// When the process began, in ticks since the boot. `text`: its file stat.
let parseStarted (text: string) : string option = statField 22 text

/// The result of a read; None: the file does not exist or is not ours to read.
let ifReadable (read: unit -> 'T) : 'T option =
    try
        Some(read ())
    with
    | :? IOException
    | :? UnauthorizedAccessException -> None

let private text (path: string) =
    ifReadable (fun () -> File.ReadAllText path)

let private ofProcess (pid: int) name = text $"/proc/{pid}/{name}"

/// None: there is no such process.
let status (pid: int) : Status option =
    ofProcess pid "status" |> Option.map parseStatus

let commandLine (pid: int) : string list =
    ofProcess pid "cmdline" |> Option.map parseStrings |> Option.defaultValue []

/// The environment at its start; None: not ours to read.
let environment (pid: int) : Map<string, string> option =
    ofProcess pid "environ" |> Option.map parseEnvironment

/// Its memory map, as the kernel writes it; None: not ours to read.
let memoryMap (pid: int) : string option = ofProcess pid "maps"

/// None: not ours to read.
let maps (pid: int) : string list option = memoryMap pid |> Option.map parseMaps

let started (pid: int) : string option =
    ofProcess pid "stat" |> Option.bind parseStarted

/// The kernel's name for it: 15 characters at most.
let shortName (pid: int) : string =
    ofProcess pid "comm" |> Option.map _.Trim() |> Option.defaultValue ""

/// Its program's file; None: not ours to read.
let executable (pid: int) : string option =
    ifReadable (fun () -> FileInfo($"/proc/{pid}/exe").LinkTarget) |> Option.bind Option.ofObj

/// Its namespace of a kind ("pid", "mnt"), in the kernel's form; None: not ours to read.
let space (kind: string) (pid: int) : string option =
    ifReadable (fun () -> FileInfo($"/proc/{pid}/ns/{kind}").LinkTarget)
    |> Option.bind Option.ofObj

/// Whether its files are others than ours: a container, or a service with a /tmp of its own.
let hasOwnFiles (pid: int) : bool =
    match space "mnt" pid, space "mnt" Environment.ProcessId with
    | Some its, Some ours -> its <> ours
    | _ -> false

/// A path of the process, as the doctor reaches it.
let reach (pid: int) (path: string) : string =
    if hasOwnFiles pid then $"/proc/{pid}/root{path}" else path

// A group's limit is the least of its own and its ancestors'. Version 1 of control groups has the quota in two files.
let private quota (pid: int) =
    let rec upwards (root: string) (group: string) (limit: string -> int option) =
        let here = limit (root + group) |> Option.toList

        match group.TrimEnd('/').LastIndexOf '/' with
        | -1 -> here
        | at -> here @ upwards root group[.. at - 1] limit

    let version1 folder =
        match text $"{folder}/cpu.cfs_quota_us", text $"{folder}/cpu.cfs_period_us" with
        | Some quota, Some period -> parseQuota $"{quota} {period}"
        | _ -> None

    let version2 folder =
        text $"{folder}/cpu.max" |> Option.bind parseQuota

    [
        for line in (ofProcess pid "cgroup" |> Option.defaultValue "").Split('\n') do
            match line.Split(':', 3) with
            | [| "0"; ""; group |] -> yield! upwards "/sys/fs/cgroup" group version2
            | [| _; controllers; group |] when Array.contains "cpu" (controllers.Split(',')) ->
                yield! upwards $"/sys/fs/cgroup/{controllers}" group version1
            | _ -> ()
    ]

/// The number of processors for the process, by the runtime's rules: those of its affinity, within the quota of its control
/// group; or the value of DOTNET_PROCESSOR_COUNT.
let processors (pid: int) : int option =
    let said =
        environment pid
        |> Option.bind (Map.tryFind "DOTNET_PROCESSOR_COUNT")
        |> Option.map number
        |> Option.filter (fun count -> count > 0)

    match said, status pid with
    | Some count, _ -> Some count
    | None, Some status when status.Allowed > 0 -> Some(List.min (status.Allowed :: quota pid))
    | _ -> None

/// Every visible process of this machine.
let everyone () : int list =
    Directory.EnumerateDirectories "/proc"
    |> Seq.choose (fun folder ->
        match Int32.TryParse(Path.GetFileName folder) with
        | true, pid -> Some pid
        | _ -> None)
    |> List.ofSeq

/// The threads of a process.
let tasks (pid: int) : int list =
    ifReadable (fun () -> Directory.GetDirectories $"/proc/{pid}/task")
    |> Option.defaultValue [||]
    |> Seq.map (fun task -> number (task.Substring(task.LastIndexOf '/' + 1)))
    |> List.ofSeq

/// The number of a process or a thread in its own namespace, that of its container; None: it has ended.
let ownNumber (task: int) : int option =
    status task |> Option.bind (_.Numbers >> List.tryLast)

/// The same, or its number here if that is not known.
let numberInside (task: int) : int =
    ownNumber task |> Option.defaultValue task

/// The numbers of the threads of a process in its own namespace.
let ownNumbers (pid: int) : Set<int> =
    tasks pid |> List.map numberInside |> set

/// Found threads of processes in other namespaces, by process and own number.
let private found = ConcurrentDictionary<struct (int * int), int>()

/// A file of a thread, which is given by its number in the namespace of the process. None: not ours to read.
let private ofThread (pid: int) (thread: int) (name: string) : string option =
    let isIt (task: int) = ownNumber task = Some thread

    let known () =
        match found.TryGetValue(struct (pid, thread)) with
        | true, task when isIt task -> Some task
        | _ -> None

    let searched () =
        for task in tasks pid do
            match ownNumber task with
            | Some own -> found[struct (pid, own)] <- task
            | None -> ()

        known ()

    let task =
        match status pid with
        | Some { Numbers = _ :: _ :: _ } -> known () |> Option.orElseWith searched
        | _ -> Some thread

    task |> Option.bind (fun task -> text $"/proc/{pid}/task/{task}/{name}")

/// The system call of a thread: its number and arguments, or -1 alone, then stack pointer and program counter; or "running".
/// None: not ours to read. `thread`: its number in the namespace of the process.
let call (pid: int) (thread: int) : string option =
    ofThread pid thread "syscall" |> Option.map _.Trim()

/// The figures of the scheduler about a thread; None: not ours to read, or the kernel has none. `thread`: as above.
let schedule (pid: int) (thread: int) : string option = ofThread pid thread "sched"

/// The number of the processor on which a thread last ran; None: not ours to read. `thread`: as above.
let processor (pid: int) (thread: int) : int option =
    ofThread pid thread "stat" |> Option.bind (statField 39) |> Option.map number

/// The processes that a process started: those of each of its threads.
let children (pid: int) : int list =
    tasks pid
    |> Seq.collect (fun task ->
        (text $"/proc/{pid}/task/{task}/children" |> Option.defaultValue "")
            .Split(' ', StringSplitOptions.RemoveEmptyEntries))
    |> Seq.map number
    |> List.ofSeq

/// The name of a user; "number 1000": /etc/passwd has none.
let userName (user: int) : string =
    text "/etc/passwd"
    |> Option.defaultValue ""
    |> _.Split('\n')
    |> Seq.tryPick (fun line ->
        match line.Split ':' |> List.ofArray with
        | name :: _ :: id :: _ when id = string user -> Some $"'{name}'"
        | _ -> None)
    |> Option.defaultValue $"number {user}"
