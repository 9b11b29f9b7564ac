// All .NET processes of this machine at a glance, asked at once. Every line has the figures that its process gave in
// time.
namespace Plait.Doctor

open System
open System.Diagnostics
open System.Threading

/// A process of .NET, and how busy it is.
type ProcessLine =
    {
        Facts: ProcessFacts
        /// Threads of the operating system.
        Threads: int option
        /// The share that it takes of the processors it may use, 0 to 100.
        CpuPercent: float option
        /// Work items that wait for a thread of the pool; None: it does not answer.
        Queue: int64 option
        /// Why its port does not answer, and the remedy; None: it answers.
        Trouble: string option
    }

/// All .NET processes of this machine.
[<RequireQualifiedAccess>]
module Overview =

    /// For which processor time is measured.
    let private watched = TimeSpan.FromSeconds 0.5

    /// For the counters of a process: a healthy one gives them in a quarter of a second.
    let private countersLimit = TimeSpan.FromSeconds 1.7

    /// Milliseconds between two readings of the counters.
    let private tick = 200

    let private queue (pid: int) =
        try
            use reader = PoolReader.Start(pid, tick)

            if reader.WaitForReadings(1, countersLimit) then
                Ok((List.last reader.Readings).Queue)
            else
                Error((Processes.explain pid None).Message)
        with :? CannotAttach as refusal ->
            Error refusal.Message

    let private percent (facts: ProcessFacts) (before: TimeSpan option) (seconds: float) =
        match before, Processes.processorTime facts.Pid with
        | Some before, Some after ->
            let share = 100.0 * (after - before).TotalSeconds / seconds / float facts.Processors
            Some(share |> max 0.0 |> min 100.0)
        | _ -> None

    // On threads of their own: each spends its time waiting.
    let private start (ask: unit -> unit) =
        let thread = Thread(ask, IsBackground = true, Name = "asks a process")
        thread.Start()
        thread

    // Those that a process gives while its line is put together; each field is written once.
    type private Line(pid: int) =
        let mutable facts: ProcessFacts option = None
        let mutable queue: Result<int64, string> option = None
        let clock = Stopwatch.StartNew()
        let before = Processes.processorTime pid

        // of a process that has ended since it was listed there are none
        let ifThere (ask: int -> ProcessFacts) =
            try
                Some(ask pid)
            with :? CannotAttach ->
                None

        member _.AskFacts() = facts <- ifThere Processes.facts

        member _.AskQueue(read: int -> Result<int64, string>) = queue <- Some(read pid)

        member _.Made: ProcessLine option =
            facts
            |> Option.orElseWith (fun () -> ifThere Processes.factsFromOutside)
            |> Option.map (fun facts ->
                let seconds = clock.Elapsed.TotalSeconds

                {
                    Facts = facts
                    Threads = Processes.threads pid
                    CpuPercent = percent facts before seconds
                    Queue =
                        match queue with
                        | Some(Ok count) -> Some count
                        | _ -> None
                    Trouble =
                        match queue with
                        | Some(Ok _) -> None
                        | Some(Error sentence) -> Some sentence
                        | None -> Some (Processes.explain pid None).Message
                })

    /// All .NET processes that this user may look at, in the order of their numbers, asked all at once: it takes less than two
    /// seconds. Raises OperationCanceledException.
    let read (token: CancellationToken) : ProcessLine list =
        let clock = Stopwatch.StartNew()
        let lines = Processes.list () |> List.map (fun pid -> pid, Line pid)

        let asking =
            [
                for _, line in lines do
                    start line.AskFacts
                    start (fun () -> line.AskQueue queue)
            ]

        let limit = TimeSpan.FromSeconds 1.8

        for thread in asking do
            while thread.IsAlive && clock.Elapsed < limit do
                token.ThrowIfCancellationRequested()
                thread.Join 20 |> ignore

        // a machine where everything answers at once still has its processors watched for a while
        while clock.Elapsed < watched do
            token.ThrowIfCancellationRequested()
            Thread.Sleep 20

        lines |> List.choose (fun (_, line) -> line.Made)
