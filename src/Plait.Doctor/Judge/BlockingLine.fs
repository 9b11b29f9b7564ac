// The lines that block threads: the state of each worker by its stacks, and the blocked workers of each line.
namespace Plait.Doctor

/// A call of a package that blocks its caller.
type PackageCall =
    {
        /// The assembly of the package, as "Microsoft.Data.Sqlite".
        Assembly: string
        /// Its function that the program called; None: the stack has no code of the program.
        Called: string option
    }

/// A thread outside of the pool for which workers wait.
type OutsideThread = { Thread: int; IsFinalizer: bool }

/// A line of the source that blocks workers.
type BlockingLine =
    {
        Kind: BlockKind
        /// The function's name in the source: "Orders.work".
        Function: string
        /// The source file and the line; None: the program came without symbols.
        Place: (string * int) option
        /// The package whose code blocks there; None: the function itself calls the blocking method.
        Package: PackageCall option
        /// The number of its workers; 0: only a thread outside of the pool is there, and workers wait for it.
        Workers: int
        /// That thread; None: workers are there.
        Outside: OutsideThread option
        /// The holder of the mutex that workers wait for there; None: they wait for none.
        Held: HeldLock option
        /// The async method for whose task the workers wait there; None: not known, or there are several.
        Awaited: string option
        /// The user's frames of one such stack, innermost first: function and place.
        Stack: (string * (string * int) option) list
        /// Whether the runtime adds threads for this kind of wait.
        Compensated: bool
        /// The remedy.
        Remedy: string
        /// The rule of `plait check` that finds it in source; None: none does.
        Rule: string option
    }

/// The state of one worker over all of its samples.
type internal WorkerLook =
    {
        Thread: int
        /// Its state in most of its samples.
        State: WorkerState
        /// The share of its samples in this state; if it is not idle, of the samples in which it had work.
        Share: float
        /// A stack of that state.
        Frames: Frame list
    }

/// From stacks to lines.
module internal BlockingLines =
    /// A line blocks a worker if at least this share of the worker's samples is in it.
    let held = 0.8

    let private place (frame: Frame) =
        Option.map2 (fun file line -> file, line) frame.File frame.Line

    let private shown (frame: Frame) =
        SourceName.ofMethod (defaultArg frame.WrittenIn frame.Method), place frame

    let private functions (frames: Frame list) : (string * (string * int) option) list =
        frames
        |> List.map shown
        |> List.fold
            (fun kept (name, place) ->
                match kept with
                | (last, _) :: _ when last = name -> kept
                | _ -> (name, place) :: kept)
            []
        |> List.rev

    /// The frames that are not the framework's.
    let private notFramework (frames: Frame list) =
        frames |> List.filter (fun frame -> not frame.IsFramework && frame.Method <> "")

    /// The functions of the program and its packages, innermost first, each once in a row.
    let allFunctions (frames: Frame list) : (string * (string * int) option) list =
        notFramework frames |> functions

    /// Whether a generator wrote the source of a frame, as that of LibraryImport writes "LibraryImports.g.cs".
    let private isGenerated (frame: Frame) =
        frame.File
        |> Option.exists (fun file ->
            [ ".g.cs"; ".generated.cs"; ".designer.cs" ]
            |> List.exists (fun ending -> file.EndsWith(ending, System.StringComparison.OrdinalIgnoreCase)))

    /// The program's functions, innermost first, each once in a row: those that a person wrote, where it has any there; those of its
    /// packages, where it has none.
    let userFrames (frames: Frame list) : (string * (string * int) option) list =
        let all = notFramework frames

        let own = all |> List.filter (fun frame -> not frame.IsPackage)

        match own |> List.filter (isGenerated >> not), own with
        | [], [] -> functions all
        | [], own
        | own, _ -> functions own

    /// The package's call that blocks, on a stack whose innermost code is a package's.
    let private packageCall (frames: Frame list) : PackageCall option =
        let all = notFramework frames

        match all |> List.takeWhile _.IsPackage with
        | [] -> None
        | inner when inner.Length = all.Length -> Some { Assembly = inner.Head.Module; Called = None }
        | inner ->
            let called = List.last inner
            Some { Assembly = called.Module; Called = Some(fst (shown called)) }

    /// The frames of code that was called: no native frames, no stubs, and no call by which the runtime lets its garbage
    /// collector in.
    let calledFrames (frames: Frame list) =
        frames
        |> List.filter (fun frame ->
            frame.Method <> ""
            // "Thread.PollGC", and the local function "Thread.<PollGC>g__PollGCWorker"
            && not (
                frame.Method.StartsWith("System.Threading.Thread.", System.StringComparison.Ordinal)
                && frame.Method.Contains "PollGC"
            )
            && not (FrameworkModules.isStub frame.Method))

    /// The dispatcher of a thread's stack, if the next frame inwards is a call that waits or polls, or there is none: the JIT
    /// inlined the program's code, or that code made a tail call. None: there is a frame of the user, or of other code of the
    /// framework.
    let calledWithoutFrame (frames: Frame list) : Frame option =
        let named = calledFrames frames
        let dispatchers = named |> List.rev |> List.takeWhile WorkerStack.isDispatcher

        let waits (frame: Frame) =
            BlockingCalls.ofCall frame.Method
            |> Option.orElse (BlockingCalls.ofLeaf frame.Method)
            |> Option.exists (fun kind -> kind = BlockKind.Sleep || BlockKinds.isForOthers kind)
            || BlockingCalls.isPoll frame.Method

        match List.tryLast dispatchers, List.tryItem (named.Length - dispatchers.Length - 1) named with
        | Some dispatcher, Some item when waits item -> Some dispatcher
        | Some dispatcher, None -> Some dispatcher
        | _ -> None

    /// The function and place for a thread without a frame of the user on its stack: code that a dispatcher called; else the
    /// caller of code that was made at run time, which may be the user's; else the outermost call of the framework.
    let frameworkFrame (frames: Frame list) : string * (string * int) option =
        let item =
            calledFrames frames |> List.rev |> List.skipWhile WorkerStack.isDispatcher |> List.rev

        let isMade (frame: Frame) =
            FrameworkModules.isMadeAtRunTime frame.Method

        match calledWithoutFrame frames with
        | Some dispatcher -> $"code called by {SourceName.ofMethod dispatcher.Method}", None
        | None ->
            item
            |> List.skipWhile (isMade >> not)
            |> List.tryFind (isMade >> not)
            |> Option.orElse (List.tryLast item)
            |> Option.map shown
            |> Option.defaultValue ("code without a name", None)

    /// Notes for stacks of busy workers without a frame of the program's code. `isComputing`: the report lists the functions of
    /// running workers.
    let frameNotes (isComputing: bool) (workers: WorkerLook list) : string list =
        let note (name: WorkerLook -> string option) (text: string -> string) =
            workers
            |> List.filter (fun worker -> worker.State <> WorkerState.Idle && userFrames worker.Frames = [])
            |> List.choose name
            |> List.distinct
            |> function
                | [] -> None
                | names -> Some(text (String.concat " and " names))

        let dispatcher (worker: WorkerLook) =
            calledWithoutFrame worker.Frames
            |> Option.map (fun dispatcher -> SourceName.ofMethod dispatcher.Method)

        let otherCaller (worker: WorkerLook) =
            match worker.State, calledWithoutFrame worker.Frames with
            | WorkerState.Blocked _, None when worker.Share >= held ->
                Some(fst (frameworkFrame worker.Frames))
            | WorkerState.Running, None when isComputing && worker.Share >= held ->
                Some(fst (frameworkFrame worker.Frames))
            | _ -> None

        let why =
            "the JIT has inlined it, or it ended with a jump to the call that is seen; a Debug build, or DOTNET_JITMinOpts=1 in the environment, keeps its frame"

        List.choose
            id
            [
                note dispatcher (fun names ->
                    $"code of the program that {names} has called is not on the stack: {why}")
                note otherCaller (fun names ->
                    $"no code of the program is on the stacks of {names}: if the program makes the call that is seen, {why}")
            ]

    /// The share of moments at which the thread of a sample waited, by the operating system.
    let waiting (evidence: Evidence) (sample: Sample) : float option =
        Map.tryFind sample.Thread evidence.Threads |> Option.bind _.Waiting

    /// Whether a sample is of a worker of the pool.
    let isWorker (evidence: Evidence) (sample: Sample) : bool =
        WorkerStack.isWorker sample.Frames
        // threads that a worker starts inherit its name
        || (WorkerStack.isCut sample.Frames
            && Map.tryFind sample.Thread evidence.Threads |> Option.exists _.IsWorker)

    /// The samples of workers, each with its state.
    let states (evidence: Evidence) : (Sample * WorkerState) list =
        [
            for sample in evidence.Samples do
                if isWorker evidence sample then
                    sample, WorkerStates.state (waiting evidence sample) sample
        ]

    /// The state of each worker, idle ones among them, by its samples.
    let workers (states: (Sample * WorkerState) list) : WorkerLook list =
        states
        |> List.groupBy (fun (sample, _) -> sample.Thread)
        |> List.map (fun (thread, members) ->
            let states = members |> List.map (fun (sample, state) -> state, sample.Frames)

            let isBlocked state =
                match state with
                | WorkerState.Blocked _ -> true
                | _ -> false

            let idle, busy =
                states |> List.partition (fun (state, _) -> state = WorkerState.Idle)

            let blocked = busy |> List.filter (fst >> isBlocked)

            // Between two items a worker is idle for moments; if it is blocked in several places in turn, it is blocked.
            let meant =
                if 2 * idle.Length > states.Length then idle
                elif float blocked.Length >= held * float busy.Length then blocked
                else busy

            let state, members = meant |> List.groupBy fst |> List.maxBy (snd >> List.length)

            // the most frequent of these stacks
            let frames = members |> List.map snd |> List.countBy id |> List.maxBy snd |> fst

            let share =
                match state with
                | WorkerState.Blocked _ -> float blocked.Length / float busy.Length
                | WorkerState.Idle -> float idle.Length / float states.Length
                | WorkerState.Running -> float members.Length / float busy.Length

            { Thread = thread; State = state; Share = share; Frames = frames })

    // The runtime compensates for waits for one task or for the first of several, but neither for waits for all of several nor
    // for the events of a parallel query's or an asynchronous stream's results.
    let isUnseen (frames: Frame list) =
        let starts (start: string) (name: string) =
            name.StartsWith(start, System.StringComparison.Ordinal)

        let has (start: string) =
            frames |> List.exists (fun frame -> starts start frame.Method)

        has "System.Threading.Tasks.Task.WaitAll"
        || has "System.Threading.Tasks.TaskAsyncEnumerableExtensions+<ToBlockingEnumerable>"
        || frames
           |> List.exists (fun frame ->
               frame.Calls |> List.exists (starts "System.Threading.Tasks.Task.WaitAll"))
        || has "System.Linq.Parallel."
           && not (has "System.Threading.Tasks.Task.SpinThenBlockingWait")

    /// Whether the worker is blocked; a worker with short waits between its work is not.
    let isHeld (worker: WorkerLook) =
        match worker.State with
        | WorkerState.Blocked _ -> worker.Share >= held
        | _ -> false

    /// The user's innermost function for a thread with these frames, and its place.
    let userFunction (frames: Frame list) : string * (string * int) option =
        userFrames frames |> List.tryHead |> Option.defaultWith (fun () -> frameworkFrame frames)

    /// The call that blocks a thread with these frames, the package that makes it, and its place.
    let callSite (kind: BlockKind) (frames: Frame list) =
        kind, packageCall frames, userFunction frames

    /// The remedy of the call below the program's code, if all stacks have the same one; None: that of the kind.
    let private callRemedy (kind: BlockKind) (stacks: Frame list list) : CallRemedy option =
        stacks
        |> List.map (
            List.takeWhile _.IsFramework
            >> List.tryPick (fun frame -> BlockingCalls.remedyOf kind frame.Method)
        )
        |> List.distinct
        |> function
            | [ only ] -> only
            | _ -> None

    /// A line with so many workers, by their stacks.
    let lineOf
        (kind: BlockKind, package: PackageCall option, (name, place))
        workers
        (stacks: Frame list list)
        =

        {
            Kind = kind
            Function = name
            Place = place
            Package = package
            Workers = workers
            Outside = None
            Held = None
            Awaited = None
            Stack = stacks |> List.map userFrames |> List.countBy id |> List.maxBy snd |> fst
            Compensated = Remedy.isCompensated kind && not (List.exists isUnseen stacks)
            Remedy =
                match package with
                | Some call -> Remedy.ofPackage call.Assembly call.Called
                | None ->
                    callRemedy kind stacks
                    |> Option.map Remedy.ofCall
                    |> Option.defaultWith (fun () -> Remedy.ofKind kind)
            // one line may have several callers
            Rule = List.tryPick (CheckRule.ofStack kind) stacks
        }

    /// The lines that block workers, those with most workers first.
    let find (workers: WorkerLook list) : BlockingLine list =
        [
            for worker in workers do
                match worker.State with
                | WorkerState.Blocked kind when isHeld worker -> callSite kind worker.Frames, worker.Frames
                | _ -> ()
        ]
        |> List.groupBy fst
        |> List.map (fun (at, members) -> lineOf at members.Length (List.map snd members))
        |> List.sortByDescending _.Workers

    /// The samples of threads outside of the pool, by thread.
    let others (evidence: Evidence) : (int * Sample list) list =
        evidence.Samples |> List.filter (isWorker evidence >> not) |> List.groupBy _.Thread
