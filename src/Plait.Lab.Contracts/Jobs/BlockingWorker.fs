// The process in which jobs run: the watch over the pool, and its requests and replies, as lines of JSON.
namespace Plait.Lab

open System
open System.Collections.Concurrent
open System.Diagnostics
open System.IO
open System.Text.Json
open System.Threading

open Plait.Common

/// The pool at one time.
type Moment =
    {
        /// Since the jobs began.
        Seconds: float
        /// All threads of the process, in the pool or not.
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

/// The requests to the process.
type JobRequest =
    /// Begin. Probe: milliseconds between two probes; None: no probes.
    | Start of mode: Mode * load: Workload * sample: int * probe: int option
    /// Reply with the readings since the last time.
    | Look
    /// The same for the last time: the watching ends, and probes that still wait are included.
    | Rest

/// The reply to Look and Rest.
type JobReading =
    {
        HaveEnded: bool
        /// Until the jobs ended, or now.
        WallSeconds: float
        Done: int
        AtOnce: int
        Moments: Moment list
        Probes: Probe list
    }

/// Requests and replies as lines of JSON.
module JobJson =
    let private options = UnionJson.options [] false false

    /// One line of JSON.
    let write (value: 'T) : string =
        JsonSerializer.Serialize(value, options)

    /// Raises JsonException when the JSON is none.
    let read<'T when 'T: not struct and 'T: not null> (value: JsonElement) : 'T =
        nonNull (value.Deserialize<'T> options)

/// Looks at the pool in short intervals, and puts probes into its queue, until it is stopped.
type internal Watch(counter: JobCounter, sampleMilliseconds: int, probeMilliseconds: int option) =
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
                Seconds = Math.Round(now (), 4)
                Threads = threads ()
                PoolThreads = ThreadPool.ThreadCount
                Queue = ThreadPool.PendingWorkItemCount
                Ended = counter.Ended
            }

    let probed (queued: float) (ran: bool) : Probe =
        {
            QueuedSeconds = Math.Round(queued, 6)
            DelaySeconds = Math.Round(now () - queued, 6)
            Ran = ran
        }

    let probe number =
        let queued = now ()
        waiting[number] <- queued

        let run (_: obj | null) =
            if fst (waiting.TryRemove number) then
                ran.Enqueue(probed queued true)

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
        let next () =
            match queue.TryDequeue() with
            | true, item -> Some(item, ())
            | _ -> None

        Seq.unfold next () |> List.ofSeq

    /// Seconds since the start.
    member _.Seconds = now ()

    /// The moments since the last time this was asked.
    member _.Moments() : Moment list = drain moments

    /// The probes that ran since the last time this was asked.
    member _.Probes() : Probe list = drain ran

    /// The probes that still wait, each with the time it has waited so far.
    member _.Waiting() : Probe list =
        [ for entry in waiting -> probed entry.Value false ]

    /// Queues and looks no more.
    member _.Stop() =
        look ()
        Volatile.Write(&isOver, true)

/// Answering requests. The jobs have a thread of their own to start from, and the one that reads answers, so that a starved pool
/// is watched and not waited for.
module BlockingWorker =
    /// The jobs that run, or ran last.
    type private Running =
        { Watch: Watch; JobCounter: JobCounter; mutable Wall: float; mutable Trouble: string }

    let private start
        (onOwnThreads: OwnThreads)
        (mode: Mode)
        (load: Workload)
        (sample: int)
        (probe: int option)
        : Running =
        match mode.LeastThreads load with
        | Some number -> ThreadPool.SetMinThreads(number, number) |> ignore
        | None -> ()

        let counter = JobCounter()

        let running =
            { Watch = Watch(counter, sample, probe); JobCounter = counter; Wall = nan; Trouble = "" }

        let work () =
            let began = Stopwatch.GetTimestamp()

            try
                Jobs.run onOwnThreads mode load counter
                Volatile.Write(&running.Wall, Stopwatch.GetElapsedTime(began).TotalSeconds)
            with trouble ->
                running.Trouble <- trouble.GetBaseException().Message

            running.Watch.Stop()

        Thread(work, IsBackground = true, Name = "jobs").Start()
        running

    let private look (running: Running) : JobReading =
        if running.Trouble <> "" then
            raise (InvalidOperationException running.Trouble)

        let wall = Volatile.Read &running.Wall

        {
            HaveEnded = not (Double.IsNaN wall)
            WallSeconds = if Double.IsNaN wall then running.Watch.Seconds else wall
            Done = running.JobCounter.Ended
            AtOnce = running.JobCounter.MaxRunning
            Moments = running.Watch.Moments()
            Probes = running.Watch.Probes()
        }

    /// Answers requests until the input ends; Rest is the last look and ends the watching.
    let serve (onOwnThreads: OwnThreads) (input: TextReader) (output: TextWriter) : unit =
        let mutable running: Running option = None

        let said () =
            running
            |> Option.defaultWith (fun () -> raise (InvalidOperationException "nothing was started yet"))

        let answer (line: string) : string =
            use document = JsonDocument.Parse line

            match JobJson.read<JobRequest> document.RootElement with
            | Start(mode, load, sample, probe) ->
                running <- Some(start onOwnThreads mode load sample probe)
                JobJson.write {| ok = true |}
            | Look -> said () |> look |> JobJson.write
            | Rest ->
                let running = said ()
                running.Watch.Stop()
                let seen = look running
                JobJson.write { seen with Probes = seen.Probes @ running.Watch.Waiting() }

        // The runtime compiles the code that writes an answer before there are jobs, which it would delay.
        JobJson.write
            { HaveEnded = false; WallSeconds = 0.0; Done = 0; AtOnce = 0; Moments = []; Probes = [] }
        |> ignore

        let ready =
            JobJson.write {| ready = true; cores = Environment.ProcessorCount; pid = Environment.ProcessId |}

        LineServer.Serve(input, output, ready, answer)
