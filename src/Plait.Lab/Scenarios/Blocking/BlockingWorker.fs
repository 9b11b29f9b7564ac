// The process in which jobs run: the jobs of each mode, the watch over the pool, and the lines of JSON by which it is asked.
namespace Plait.Lab.Blocking

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Text.Json
open System.Threading
open System.Threading.Tasks

/// The pool at one time.
type Moment =
    {
        /// Since the jobs began.
        Seconds: float
        /// Threads of the process, whoever made them.
        Threads: int
        /// Threads of the pool.
        PoolThreads: int
        /// Work items that wait for a thread of the pool.
        Queue: int64
        /// Jobs that have ended.
        Ended: int
    }

/// One work item that did nothing, put into the queue of the pool while the jobs ran.
type Probe =
    {
        /// When it was put there, since the jobs began.
        QueuedSeconds: float
        /// How long it waited for a thread.
        DelaySeconds: float
        /// Whether it ran at all; false: the delay is how long it had waited when the run ended.
        Ran: bool
    }

/// How a run of jobs ended.
type Outcome =
    /// All jobs ended, after so many seconds.
    | Ended of seconds: float
    /// Not all of them in the time they had.
    | TimedOut of seconds: float
    /// It was told to stop.
    | Interrupted
    /// Its process did not do as it should.
    | Failed of sentence: string

/// One run of the jobs of a mode.
type Observation =
    {
        Outcome: Outcome
        /// The most jobs that waited at the same time.
        AtOnce: int
        /// Jobs that ended.
        Done: int
        /// In the order of time.
        Moments: Moment list
        /// In the order of time.
        Probes: Probe list
    }

/// The count of jobs of a run. All members may be used from any thread.
type Tally() =
    let mutable running = 0
    let mutable most = 0
    let mutable ended = 0

    /// A job begins to wait.
    member _.Enter() =
        let now = Interlocked.Increment &running
        let mutable seen = Volatile.Read &most

        while now > seen && Interlocked.CompareExchange(&most, now, seen) <> seen do
            seen <- Volatile.Read &most

    /// A job has waited.
    member _.Leave() =
        Interlocked.Decrement &running |> ignore
        Interlocked.Increment &ended |> ignore

    /// Jobs that wait now.
    member _.Running = Volatile.Read &running
    /// The most that ever waited at the same time.
    member _.Most = Volatile.Read &most
    /// Jobs that have ended.
    member _.Ended = Volatile.Read &ended

module internal Jobs =
    let private block (tally: Tally) (milliseconds: int) =
        tally.Enter()
        Thread.Sleep milliseconds
        tally.Leave()

    let private blocking tally milliseconds = async { block tally milliseconds }

    let private parallelOf count (job: Async<unit>) =
        Async.Parallel(List.replicate count job) |> Async.Ignore |> Async.RunSynchronously

    let private tasksOf count (start: unit -> Task) =
        Task.WhenAll(Array.init count (fun _ -> start ())).Wait()

    let private sleepingAsync (tally: Tally) (milliseconds: int) =
        async {
            tally.Enter()
            do! Async.Sleep milliseconds
            tally.Leave()
        }

    let private delayed (milliseconds: int) : Task<int> =
        task {
            do! Task.Delay milliseconds
            return 0
        }

    let private counted (tally: Tally) (wait: unit -> unit) () : Task =
        Task.Run(fun () ->
            tally.Enter()
            wait ()
            tally.Leave())

    /// Runs the jobs of a mode to their end; blocks the calling thread, which is none of the pool's.
    let run (mode: Mode) (load: Workload) (tally: Tally) : unit =
        let milliseconds = load.SleepMilliseconds
        let count = load.Jobs

        match mode with
        | AsyncSleep -> parallelOf count (sleepingAsync tally milliseconds)
        | Degree100 ->
            Async.Parallel(List.replicate count (blocking tally milliseconds), load.Scaled 100)
            |> Async.Ignore
            |> Async.RunSynchronously
        | TaskRun -> tasksOf count (fun () -> Task.Run(fun () -> block tally milliseconds))
        | LongRunning ->
            tasksOf count (fun () ->
                Task.Factory.StartNew((fun () -> block tally milliseconds), TaskCreationOptions.LongRunning))
        | NewThread ->
            parallelOf
                count
                (async {
                    do! Async.SwitchToNewThread()
                    block tally milliseconds
                })
        | RunSynchronously ->
            tasksOf count (counted tally (fun () -> Async.RunSynchronously(Async.Sleep milliseconds)))
        | TaskResult -> tasksOf count (counted tally (fun () -> (delayed milliseconds).Result |> ignore))
        | ThreadSleep
        | MinThreads _ -> parallelOf count (blocking tally milliseconds)

/// Looks at the pool in short intervals, and puts probes into its queue, until it is disposed.
type internal Watch(tally: Tally, sampleMilliseconds: int, probeMilliseconds: int option) =
    let started = Stopwatch.GetTimestamp()

    let now () =
        Stopwatch.GetElapsedTime(started).TotalSeconds

    let moments = ConcurrentQueue<Moment>()
    let ran = ConcurrentQueue<Probe>()
    let waiting = ConcurrentDictionary<int, float>()
    let mutable isOver = false

    let threads () =
        if OperatingSystem.IsLinux() then
            Directory.GetDirectories("/proc/self/task").Length
        else
            use self = Process.GetCurrentProcess()
            self.Threads.Count

    let look () =
        moments.Enqueue
            {
                Seconds = now ()
                Threads = threads ()
                PoolThreads = ThreadPool.ThreadCount
                Queue = ThreadPool.PendingWorkItemCount
                Ended = tally.Ended
            }

    let probe number =
        let queued = now ()
        waiting[number] <- queued

        let run (_: obj | null) =
            if fst (waiting.TryRemove number) then
                ran.Enqueue { QueuedSeconds = queued; DelaySeconds = now () - queued; Ran = true }

        ThreadPool.UnsafeQueueUserWorkItem(WaitCallback run, null) |> ignore

    // From the start of the run, not from the last time: a late one does not move those behind it.
    let every (milliseconds: int) (action: int -> unit) =
        let mutable number = 0

        while not (Volatile.Read &isOver) do
            action number
            number <- number + 1
            let next = float (number * milliseconds) - 1000.0 * now ()

            if next > 0.0 then
                Thread.Sleep(int (Math.Ceiling next))

    let start name milliseconds action =
        Thread((fun () -> every milliseconds action), IsBackground = true, Name = name).Start()

    do
        start "looks at the pool" sampleMilliseconds (fun _ -> look ())

        match probeMilliseconds with
        | Some milliseconds -> start "queues probes" milliseconds probe
        | None -> ()

    let drain (queue: ConcurrentQueue<'T>) : 'T list =
        let items = List<'T>()
        let mutable item = Unchecked.defaultof<'T>

        while queue.TryDequeue &item do
            items.Add item

        List.ofSeq items

    /// Seconds since the start.
    member _.Seconds = now ()

    /// The moments since the last time this was asked.
    member _.Moments() : Moment list = drain moments

    /// The probes that ran since the last time this was asked.
    member _.Probes() : Probe list = drain ran

    /// The probes that still wait, each with the time it has waited so far.
    member _.Waiting() : Probe list =
        let time = now ()

        [
            for entry in waiting ->
                { QueuedSeconds = entry.Value; DelaySeconds = time - entry.Value; Ran = false }
        ]

    /// Queues and looks no more.
    member _.Stop() =
        look ()
        Volatile.Write(&isOver, true)

/// The process in which jobs run: lines of JSON in, one line out for each. The jobs have a thread of their own to
/// start from, and this thread answers, so that a starved pool is watched and not waited for.
module BlockingWorker =
    /// The jobs that run, or ran last.
    type private Running = { Watch: Watch; Tally: Tally; mutable Wall: float; mutable Trouble: string }

    let private start (request: JsonElement) : Running =
        let text (name: string) =
            nonNull (request.GetProperty(name).GetString())

        let load =
            {
                Scale = request.GetProperty("scale").GetDouble()
                SleepMilliseconds = request.GetProperty("sleep").GetInt32()
            }

        let mode =
            Mode.find (text "mode")
            |> Option.defaultWith (fun () -> raise (FormatException $"""there is no mode '{text "mode"}'"""))

        match mode.LeastThreads load with
        | Some number -> ThreadPool.SetMinThreads(number, number) |> ignore
        | None -> ()

        let tally = Tally()
        let every = request.GetProperty("probe").GetInt32()

        let watch =
            new Watch(
                tally,
                request.GetProperty("sample").GetInt32(),
                (if every = 0 then None else Some every)
            )

        let running = { Watch = watch; Tally = tally; Wall = nan; Trouble = "" }

        let work () =
            let began = Stopwatch.GetTimestamp()

            try
                Jobs.run mode load tally
                Volatile.Write(&running.Wall, Stopwatch.GetElapsedTime(began).TotalSeconds)
            with trouble ->
                running.Trouble <- trouble.GetBaseException().Message

            watch.Stop()

        Thread(work, IsBackground = true, Name = "jobs").Start()
        running

    let private writeMoments (writer: Utf8JsonWriter) (moments: Moment list) =
        writer.WriteStartArray "moments"

        for moment in moments do
            writer.WriteStartArray()
            writer.WriteNumberValue(Math.Round(moment.Seconds, 4))
            writer.WriteNumberValue moment.Threads
            writer.WriteNumberValue moment.PoolThreads
            writer.WriteNumberValue moment.Queue
            writer.WriteNumberValue moment.Ended
            writer.WriteEndArray()

        writer.WriteEndArray()

    let private writeProbes (writer: Utf8JsonWriter) (probes: Probe list) =
        writer.WriteStartArray "probes"

        for probe in probes do
            writer.WriteStartArray()
            writer.WriteNumberValue(Math.Round(probe.QueuedSeconds, 6))
            writer.WriteNumberValue(Math.Round(probe.DelaySeconds, 6))
            writer.WriteNumberValue(if probe.Ran then 1 else 0)
            writer.WriteEndArray()

        writer.WriteEndArray()

    /// What was seen since the last time; `probes`: which of them.
    let private look (writer: Utf8JsonWriter) (running: Running) (probes: Probe list) =
        if running.Trouble <> "" then
            raise (InvalidOperationException running.Trouble)

        let wall = Volatile.Read &running.Wall
        writer.WriteBoolean("ended", not (Double.IsNaN wall))
        writer.WriteNumber("wallSeconds", (if Double.IsNaN wall then running.Watch.Seconds else wall))
        writer.WriteNumber("done", running.Tally.Ended)
        writer.WriteNumber("atOnce", running.Tally.Most)
        writeMoments writer (running.Watch.Moments())
        writeProbes writer probes

    let private reply (write: Utf8JsonWriter -> unit) : string =
        use buffer = new MemoryStream()
        use writer = new Utf8JsonWriter(buffer)
        writer.WriteStartObject()
        write writer
        writer.WriteEndObject()
        writer.Flush()
        Text.Encoding.UTF8.GetString(buffer.ToArray())

    /// Answers requests until the input ends: "start", "look", and "rest", which is the last look and ends the watching.
    let serve (input: TextReader) (output: TextWriter) : unit =
        let mutable running: Running option = None

        let said () =
            running
            |> Option.defaultWith (fun () -> raise (InvalidOperationException "nothing was started yet"))

        let answer (line: string) : string =
            use request = JsonDocument.Parse line

            match request.RootElement.GetProperty("do").GetString() with
            | "start" ->
                running <- Some(start request.RootElement)
                reply (fun writer -> writer.WriteBoolean("ok", true))
            | "look" ->
                let running = said ()
                reply (fun writer -> look writer running (running.Watch.Probes()))
            | "rest" ->
                let running = said ()
                running.Watch.Stop()
                reply (fun writer -> look writer running (running.Watch.Probes() @ running.Watch.Waiting()))
            | other -> raise (FormatException $"'{other}' is unknown; known are start, look and rest")

        output.WriteLine(
            reply (fun writer ->
                writer.WriteBoolean("ready", true)
                writer.WriteNumber("cores", Environment.ProcessorCount))
        )

        output.Flush()
        let mutable line = input.ReadLine()

        while not (isNull line) do
            let text =
                try
                    answer (nonNull line)
                with trouble ->
                    reply (fun writer -> writer.WriteString("error", trouble.Message))

            output.WriteLine text
            output.Flush()
            line <- input.ReadLine()
