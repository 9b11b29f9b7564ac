// One look at a process: the door to the ways into it. Through the diagnostics port where it answers, else as a debugger does,
// which is said before it is done.
module Plait.Doctor.Look

open System
open System.IO

/// How a look is taken.
type LookSettings =
    {
        /// The debugger's way at once.
        Ptrace: bool
        /// Whether to put a work item into the queue of the process, which stays loaded with the code that does so.
        Inject: bool
        /// Milliseconds over which the counters are read, in ticks of 200.
        CounterMilliseconds: int
        /// Milliseconds for which stacks are sampled, about one a millisecond and thread.
        StackMilliseconds: int
        /// After which a process is said not to answer.
        Limit: TimeSpan
        /// Gets a sentence before something that the user should know of, such as that the process is stopped.
        Announce: string -> unit
    }

/// Counters over a second, stacks of 100 ms, ten seconds at most; nothing injected, nothing announced.
let usual: LookSettings =
    {
        Ptrace = false
        Inject = false
        CounterMilliseconds = 1000
        StackMilliseconds = 100
        Limit = TimeSpan.FromSeconds 10.0
        Announce = ignore
    }

let private stopped = "which stops all of its threads for some tenths of a second"

/// `byPort`, and the debugger's way where that is closed.
let private orPtrace (settings: LookSettings) (facts: ProcessFacts) (byPort: unit -> Evidence) : Evidence =
    try
        byPort ()
    // Who stopped the process wants it to stand, and nobody else can be looked at in any way.
    with :? CannotAttach as trouble when Processes.mayBeTraced facts.Pid ->
        settings.Announce $"{trouble.Message}; looking as a debugger does instead, {stopped}"

        try
            let evidence = PtraceRoute.look facts
            { evidence with Notes = evidence.Notes @ [ trouble.Message ] }
        with :? CannotAttach as second ->
            // What to do stands in the first; that the second way is closed too belongs to it.
            let message = $"{trouble.Message}; nor as a debugger does: {second.Message}"

            match trouble with
            | :? NoAnswer -> raise (NoAnswer(facts.Pid, message))
            | _ -> raise (CannotAttach(facts.Pid, message))

let private taken (settings: LookSettings) (facts: ProcessFacts) (byPort: unit -> Evidence) : Evidence =
    let pid = facts.Pid

    let evidence =
        if settings.Ptrace then
            settings.Announce $"looking at process {pid} as a debugger does, {stopped}"
            PtraceRoute.look facts
        else
            orPtrace settings facts byPort

    if settings.Inject then
        try
            { evidence with Canary = Some(Canary.wait pid (TimeSpan.FromSeconds 1.0)) }
        with
        // what was seen is not lost with it
        | :? CannotAttach
        | :? IOException
        | :? UnauthorizedAccessException as trouble ->
            { evidence with
                Notes = evidence.Notes @ [ $"no work item was put into the queue: {trouble.Message}" ]
            }
    else
        evidence

// What a process says, or does not say, that ends meanwhile is no answer to anything.
let private unlessEnded (facts: ProcessFacts) (look: unit -> Evidence) : Evidence =
    let ended = "ended while it was looked at"

    let refusal () =
        CannotAttach(
            facts.Pid,
            $"process {facts.Pid} ({facts.Name}) {ended}: start it again, or start it with 'plait doctor run -- COMMAND', which watches it from its first second on"
        )

    let evidence =
        try
            look ()
        with
        | :? CannotAttach
        | :? IOException
        // its trace breaks off anywhere
        | :? FormatException
        | :? ArgumentException
        | :? InvalidOperationException
        | :? IndexOutOfRangeException when Processes.hasEnded facts.Pid -> raise (refusal ())

    if not (Processes.hasEnded facts.Pid) then
        evidence
    elif evidence.Samples |> List.exists (fun sample -> WorkerStack.isWorker sample.Frames) then
        { evidence with Notes = evidence.Notes @ [ $"the process {ended}" ] }
    else
        raise (refusal ())

/// Looks at a process. Raises CannotAttach with the reason when it cannot be looked at, and NoAnswer when it is there but
/// does not answer in either way.
let at (settings: LookSettings) (pid: int) : Evidence =
    let facts = Processes.facts pid

    unlessEnded facts (fun () ->
        taken settings facts (fun () ->
            EventPipeRoute.look facts settings.CounterMilliseconds settings.StackMilliseconds settings.Limit))

/// Looks at a process whose counters are read already. Raises the same.
let internal beside (reader: PoolReader) (settings: LookSettings) (facts: ProcessFacts) : Evidence =
    unlessEnded facts (fun () ->
        taken settings facts (fun () ->
            EventPipeRoute.beside reader facts settings.StackMilliseconds settings.Limit))

/// What a saved trace holds. Raises BadInput when it is none, or holds no stacks.
let saved (file: string) : Evidence =
    let content = TraceReader.read file

    {
        Process =
            {
                Pid = content.Pid
                Name = string (Path.GetFileNameWithoutExtension file)
                CommandLine = content.CommandLine
                Processors = content.Processors
                Runtime = None
            }
        Route = Route.SavedTrace
        At = content.Began
        Milliseconds = content.Milliseconds
        Readings = content.Readings
        Adjustments = content.Adjustments
        Samples = content.Samples
        Threads = Map.empty
        Canary = None
        Notes =
            [
                if content.Readings.IsEmpty then
                    "the trace holds no counters of the pool, so that the queue is not known"

                yield! content.Notes
            ]
    }
