// One look at a process: the door to the routes. Through the diagnostics port only the runtime's own sampler stops threads; with
// --ptrace the doctor stops them, and announces that before the look.
module Plait.Doctor.Look

open System
open System.IO

/// The settings of a look.
type LookSettings =
    {
        /// --ptrace: the look stops the threads of the process one at a time, each with this limit. None: through the port, where
        /// only the runtime's own sampler stops threads.
        Ptrace: TimeSpan option
        /// Milliseconds over which the counters are read, in ticks of 200.
        CounterMilliseconds: int
        /// Milliseconds for which stacks are sampled, about one a millisecond and thread.
        StackMilliseconds: int
        /// The limit of time for the process's answer.
        Limit: TimeSpan
        /// Gets a sentence before the look stops threads or does anything else that the user should know.
        Announce: string -> unit
    }

/// Counters over a second, stacks of 100 ms, thirty seconds at most, because a process that computes on a busy machine is slow to
/// answer; nothing is announced.
let usual: LookSettings =
    {
        Ptrace = None
        CounterMilliseconds = 1000
        StackMilliseconds = 100
        Limit = TimeSpan.FromSeconds 30.0
        Announce = ignore
    }

/// Three sentences: the reason, the facts about the process from outside, and the offer of --ptrace; for a port that does not
/// answer.
let private unanswered (facts: ProcessFacts) (trouble: CannotAttach) : CannotAttach =
    let pid = facts.Pid

    let message =
        $"{trouble.Message}. {ExternalView.sentence facts}. 'plait doctor {pid} --ptrace' reads the stacks as a debugger does: {PtraceRoute.stops PtraceRoute.usualLimit}"

    match trouble with
    | :? NoAnswer -> NoAnswer(pid, message)
    | _ -> CannotAttach(pid, message)

let private taken (settings: LookSettings) (facts: ProcessFacts) (byPort: unit -> Evidence) : Evidence =
    let pid = facts.Pid

    let evidence =
        match settings.Ptrace with
        | Some limit ->
            settings.Announce $"looking at process {pid} as a debugger does: {PtraceRoute.promise limit}"

            PtraceRoute.look limit facts
        | None ->
            try
                byPort ()
            // A stopped process stays stopped, and no route leads into a process of another user.
            with :? CannotAttach as trouble when Processes.mayBeTraced pid ->
                raise (unanswered facts trouble)

    let found = Contexts.read pid evidence.Samples

    { evidence with
        MainThread = ProcFiles.numberInside pid
        Contexts =
            found.Threads
            // a process that was just continued
            |> Map.map (fun _ context ->
                if evidence.Stops.IsSome then { context with WaitsForSeconds = None } else context)
        Held = found.Held
        Runners = found.Runners
        Awaited = found.Awaited
        MaxThreads = found.MaxThreads
        Notes = evidence.Notes @ found.Notes @ Processes.started facts (fun () -> Processes.programs pid)
    }

// If the process ends meanwhile, its answer has no meaning, and neither has a missing one.
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
        // its trace is cut off anywhere
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

/// Looks at a process. Raises CannotAttach with the reason if that is impossible, and NoAnswer if the process exists but answers
/// by no route.
let at (settings: LookSettings) (pid: int) : Evidence =
    let facts = Processes.facts pid

    unlessEnded facts (fun () ->
        taken settings facts (fun () ->
            EventPipeRoute.look facts settings.CounterMilliseconds settings.StackMilliseconds settings.Limit))

/// Looks at a process with counters that are read already. Raises the same.
let internal beside (reader: PoolReader) (settings: LookSettings) (facts: ProcessFacts) : Evidence =
    unlessEnded facts (fun () ->
        taken settings facts (fun () ->
            EventPipeRoute.beside reader facts settings.StackMilliseconds settings.Limit))

/// The evidence of a saved trace. Raises BadInput if the file is no trace, or has no stacks.
let saved (file: string) : Evidence =
    let content = TraceReader.read file

    let facts =
        {
            Pid = content.Pid
            Name = string (Path.GetFileNameWithoutExtension file)
            CommandLine = content.CommandLine
            Processors = content.Processors
            Runtime = None
        }

    { Evidence.Of(facts, Route.SavedTrace, content.Began) with
        Milliseconds = content.Milliseconds
        Readings = content.Readings
        Adjustments = content.Adjustments
        Samples = content.Samples
        Notes =
            [
                if content.Readings.IsEmpty then
                    "the trace holds no counters of the pool, so the report has no queue"

                yield! content.Notes
            ]
    }
