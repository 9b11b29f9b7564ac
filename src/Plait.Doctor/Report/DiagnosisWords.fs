// Verdicts, kinds, places and numbers in words, for the screen, the page and the JSON. Pure.
module internal Plait.Doctor.DiagnosisWords

open System
open System.Globalization
open System.IO

open Plait.Common
// Its verdicts and frames are those of a process.
open Plait.Doctor

let private invariant = CultureInfo.InvariantCulture

/// The depth of folded stacks in files. Deeper frames are recursion, and some readers of JSON reject them.
let deepest = 200

/// The verdict as the first word of a report.
let verdict (verdict: Verdict) : string =
    match verdict with
    | Verdict.Healthy -> "HEALTHY"
    | Verdict.Starved -> "STARVED"
    | Verdict.CpuBound -> "CPU-BOUND"
    | Verdict.Late -> "LATE"
    | Verdict.LockConvoy -> "LOCK CONVOY"
    | Verdict.Hung -> "HUNG"
    | Verdict.Failed -> "FAILED"
    | Verdict.NoAnswer -> "NO ANSWER"

/// The blocking call, in words.
let kind (kind: BlockKind) : string =
    match kind with
    | BlockKind.Sleep -> "Thread.Sleep"
    | BlockKind.Spin -> "spinning (SpinWait)"
    | BlockKind.TaskWait -> "wait for a task (.Result, .Wait, WaitAny)"
    | BlockKind.ParallelLoop -> "parallel loop that waits for threads"
    | BlockKind.RunSynchronously -> "Async.RunSynchronously"
    | BlockKind.Lock -> "wait for a lock"
    | BlockKind.SpinLock -> "wait for a SpinLock"
    | BlockKind.Mutex -> "wait for a Mutex"
    | BlockKind.Initializer -> "wait for a static constructor"
    | BlockKind.Finalizers -> "GC.WaitForPendingFinalizers"
    | BlockKind.MonitorWait -> "Monitor.Wait"
    | BlockKind.Semaphore -> "wait for a semaphore"
    | BlockKind.WaitHandle -> "wait for an event or a wait handle"
    | BlockKind.Mailbox -> "wait for a mailbox's reply"
    | BlockKind.Collection -> "wait for a BlockingCollection"
    | BlockKind.Join -> "Thread.Join"
    | BlockKind.File -> "synchronous file access"
    | BlockKind.Pipe -> "synchronous pipe"
    | BlockKind.Socket -> "synchronous socket"
    | BlockKind.Http -> "synchronous HttpClient"
    | BlockKind.HttpBody -> "synchronous HTTP body of a server"
    | BlockKind.Dns -> "synchronous name look-up"
    | BlockKind.Process -> "wait for a process to end"
    | BlockKind.Console -> "console input"
    | BlockKind.ConsoleOutput -> "console output without a reader"
    | BlockKind.Other -> "blocking call"

/// The blocking call of a line, with the package that makes it.
let held (blockingLine: BlockingLine) : string =
    match blockingLine.Package with
    | None -> kind blockingLine.Kind
    | Some { Assembly = package; Called = None } -> $"{kind blockingLine.Kind} in {package}"
    | Some { Assembly = package; Called = Some called } ->
        $"{kind blockingLine.Kind} inside {called} of {package}"

/// The name and the holder of the mutex that workers wait for in a line, the thread outside of the pool in that line, or the async
/// method of the task that they wait for: a clause after the line. None: none of these.
let beside (blockingLine: BlockingLine) : string option =
    let named =
        blockingLine.Held
        |> Option.bind _.Name
        |> Option.map (fun name -> $"'{Printable.line name}', ")
        |> Option.defaultValue ""

    match blockingLine.Outside, blockingLine.Held with
    | None, None ->
        blockingLine.Awaited
        |> Option.map (fun method -> $"for the task of {Printable.line method}")
    | Some thread, _ -> Some $"on {WaitWords.outside thread}"
    | None, Some { Holder = Holder.Process(pid, name) } ->
        Some $"{named}held by process {pid} ({Printable.line name})"
    | None, Some { Holder = Holder.Workers } -> None
    | None, Some { Holder = Holder.Thread thread } -> Some $"{named}held by thread {thread}"
    | None, Some { Holder = Holder.Unknown; Name = Some _ } ->
        Some $"{named}held by a thread that the doctor cannot see"
    | None, Some { Holder = Holder.Unknown } ->
        Some "its holder is not known: the runtime keeps it where the doctor does not read"

/// The route into the process.
let route (route: Route) : string =
    match route with
    | Route.EventPipe -> "EventPipe"
    | Route.Ptrace -> "ptrace"
    | Route.SavedTrace -> "a saved trace"

/// A deterministic build has "/_/" in place of the source folder: that is the current directory, if the file is there.
let private ofRepository (file: string) : string =
    if file.StartsWith("/_", StringComparison.Ordinal) && file.IndexOf('/', 2) > 0 then
        let rest = file.Substring(file.IndexOf('/', 2) + 1)
        if File.Exists rest then Path.GetFullPath rest else file
    else
        file

/// A path relative to the current directory if the file is below it, with slashes; otherwise the name of the file alone.
let path (file: string) : string =
    let file = ofRepository file

    let relative =
        Path.GetRelativePath(Environment.CurrentDirectory, file).Replace('\\', '/')

    // Symbols from another system have that system's paths.
    let isForeign =
        file.Length > 1 && file[1] = ':' && Path.DirectorySeparatorChar = '/'

    if isForeign || Path.IsPathRooted relative || relative = ".." || relative.StartsWith "../" then
        file.Substring(file.LastIndexOfAny [| '/'; '\\' |] + 1)
    else
        relative

/// "src/Orders.fs:10".
let place (file: string, line: int) : string = Printable.line $"{path file}:{line}"

/// "Orders.work (src/Orders.fs:10)".
let code (name: string) (at: (string * int) option) : string =
    match at with
    | Some at -> $"{Printable.line name} ({place at})"
    | None -> Printable.line name

/// "1 worker", "17 workers".
let counted (count: int) (one: string) : string =
    let number = count.ToString("N0", invariant)
    if count = 1 then $"{number} {one}" else $"{number} {one}s"

/// A whole number.
let whole (value: int64) : string = value.ToString("N0", invariant)

/// Seconds in the usual units: 500 ms, 29.0 s, 5 min 1 s.
let seconds (value: float) : string =
    if value < 99.5 then
        Duration.rough (int64 (max 0.0 value * 1e9))
    elif value > 86_400.0 then
        "more than a day"
    else
        let whole = int64 (Math.Round value)

        if whole >= 3600L then
            $"{whole / 3600L} h {whole / 60L % 60L} min"
        else
            $"{whole / 60L} min {whole % 60L} s"

/// Whether the runtime adds threads for blocked ones, in a few words; None: no thread is blocked.
let compensation (numbers: Numbers) (blockingLines: BlockingLine list) : string option =
    let blocked = blockingLines |> List.sumBy _.Workers
    let at = blockingLines |> List.filter _.Compensated |> List.sumBy _.Workers

    if blocked = 0 then
        None
    elif numbers.MaxThreads.IsSome then
        Some $"at the maximum of its pool ({numbers.MaxThreads.Value}): the runtime adds none"
    elif at = 0 then
        Some "not compensated: the runtime adds threads slowly for these waits"
    elif at = blocked then
        Some "compensated: the runtime adds threads for these waits, the first ones at once"
    else
        Some $"compensated for {at} of {blocked} blocked workers"

/// The heading above the listed threads.
let heading (waiters: WaitingThread list) : string =
    if waiters |> List.exists _.IsWorker then
        "Threads that can never go on, and others outside of the pool that wait"
    else
        "Threads outside of the pool that wait"

/// The wait of a deadlocked thread, and its remedy.
let heldUp (deadlock: Deadlock) : string =
    let threads = WaitWords.threads deadlock

    match deadlock.WaitsFor with
    | WaitObject.Scheduler scheduler ->
        $"its task waits in {scheduler} for {threads} to be done: await the task instead of waiting for it"
    | WaitObject.Task -> $"its task is run by {threads}: await it instead of waiting for it"
    | WaitObject.Lock object -> $"the {WaitWords.lock object} is held by {threads}: {Remedy.lockOrder}"
    | WaitObject.AbandonedLock object ->
        $"the thread that took the {WaitWords.lock object} has ended without releasing it: {Remedy.release}"
    | WaitObject.Initializer ->
        $"the static constructor is run by {threads}: let no static constructor wait for another thread, or for a class whose own needs it"
    | WaitObject.Thread ->
        $"it joins {threads}: join no thread that needs a lock or the work of this one, or release the lock first"

/// Frames with the number of their repetitions in a row: recursion in one line.
let rec folded (frames: 'Frame list) : ('Frame * int) list =
    match frames with
    | [] -> []
    | frame :: _ ->
        let same = frames |> List.takeWhile ((=) frame) |> List.length
        (frame, same) :: folded (List.skip same frames)
