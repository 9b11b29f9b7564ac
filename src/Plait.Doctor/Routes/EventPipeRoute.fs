// The route through the diagnostics port: counters over some ticks, and meanwhile one short session of the sampler, whose end
// brings the names of all methods. The process runs on.
module internal Plait.Doctor.EventPipeRoute

open System
open System.Diagnostics.Tracing
open System.IO
open System.Threading
open Microsoft.Diagnostics.NETCore.Client

let private sampler =
    [ EventPipeProvider("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational) ]

/// The stacks of `milliseconds`, on the clock that began at `began`, and notes about them. The trace file is deleted afterwards.
let private sample
    (client: DiagnosticsClient)
    (milliseconds: int)
    (began: DateTime)
    : Sample list * string list =
    use folder = new TemporaryFolder()
    let file = folder.File "stacks.nettrace"

    do
        use session = client.StartEventPipeSession(sampler, true, 256)
        use written = File.Create file

        let copying =
            Thread(
                (fun () ->
                    try
                        session.EventStream.CopyTo written
                    with
                    // the process has ended in between: the events so far are read
                    | :? IOException
                    | :? ObjectDisposedException -> ()),
                IsBackground = true,
                Name = "reads stacks"
            )

        copying.Start()
        Thread.Sleep milliseconds
        session.Stop()
        copying.Join()

    TraceReader.readSamples file began

/// The stacks of `milliseconds`, with the readings of `counters` so far. `runtime` reads the runtime's events.
let private evidence
    (facts: ProcessFacts)
    (client: DiagnosticsClient)
    (milliseconds: int)
    (began: DateTime)
    (runtime: PoolReader)
    (counters: unit -> PoolReader)
    : Evidence =
    // not during the sampling, which stops threads itself
    let before = ThreadStates.ThreadWatch.Of facts.Pid
    let first, notes = sample client milliseconds began

    // On a busy machine a short session may have no stack at all.
    let hasWorkers =
        first
        |> List.exists (fun sample -> WorkerStack.isWorker sample.Frames || before.IsWorker sample.Thread)

    let samples, notes =
        if hasWorkers then
            first, notes
        else
            let second, more = sample client (4 * milliseconds) began
            first @ second, List.distinct (notes @ more)

    // for threads that are new
    let after =
        if samples |> List.forall (fun sample -> before.Has sample.Thread) then
            None
        else
            Some(ThreadStates.ThreadWatch.Of facts.Pid)

    let reader = counters ()

    let states (watched: ThreadStates.ThreadWatch) =
        watched.States(fun (from, until) -> runtime.HasStopped(from, until))

    { Evidence.Of(facts, Route.EventPipe, began) with
        Milliseconds = (DateTime.UtcNow - began).TotalMilliseconds
        Readings = reader.Readings
        Adjustments = runtime.Adjustments
        Samples = samples
        Threads =
            match after with
            | None -> states before
            | Some after ->
                Map.fold (fun all thread state -> Map.add thread state all) (states after) (states before)
        Notes =
            [
                if reader.Readings.IsEmpty then
                    "the counters of the pool did not come in time, so the report has no queue"

                yield! notes
            ]
    }

/// Milliseconds between two readings of a look.
let private tick = 200

/// Counters over `counters` milliseconds and stacks of `stacks`, in at most `limit`. Raises CannotAttach, and NoAnswer.
let look (facts: ProcessFacts) (counters: int) (stacks: int) (limit: TimeSpan) : Evidence =
    Port.within facts.Pid limit (fun () ->
        let began = DateTime.UtcNow
        let client = Processes.client facts.Pid

        use reader =
            PoolReader.Start(client, PoolEvents.Counters tick @ PoolEvents.Runtime, began)

        evidence facts client stacks began reader (fun () ->
            reader.WaitForReadings(max 2 (counters / tick), limit / 2.0) |> ignore
            reader))

/// Stacks of `stacks` milliseconds, with counters that are read already: the runtime gives all readers the shortest interval
/// among them, and keeps it. Raises the same.
let beside (reader: PoolReader) (facts: ProcessFacts) (stacks: int) (limit: TimeSpan) : Evidence =
    Port.within facts.Pid limit (fun () ->
        let began = DateTime.UtcNow
        let client = Processes.client facts.Pid
        use runtime = PoolReader.Start(client, PoolEvents.Runtime, began)
        evidence facts client stacks began runtime (fun () -> reader))
