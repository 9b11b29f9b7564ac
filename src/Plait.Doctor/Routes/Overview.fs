// All .NET processes of this machine at a glance. Nobody named them, so none of them is given a session of events: the runtime may
// crash where one begins or ends while the process starts or ends.
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
        /// Why its port does not answer, and the remedy; None: it answers.
        Trouble: string option
    }

/// All .NET processes of this machine.
[<RequireQualifiedAccess>]
module Overview =

    /// For which processor time is measured.
    let private watched = TimeSpan.FromSeconds 0.5

    let private percent (facts: ProcessFacts) (before: TimeSpan option) (seconds: float) =
        match before, Processes.processorTime facts.Pid with
        | Some before, Some after ->
            let share = 100.0 * (after - before).TotalSeconds / seconds / float facts.Processors
            Some(share |> max 0.0 |> min 100.0)
        | _ -> None

    /// All .NET processes that this user may look at, in the order of their numbers. Their ports are asked at once who they are, and
    /// nothing else is done to them. It takes half a second, and two where a process does not answer.
    let read () : ProcessLine list =
        let pids = Processes.list ()
        let clock = Stopwatch.StartNew()
        let before = Map.ofList [ for pid in pids -> pid, Processes.processorTime pid ]
        let asked = Processes.askedAll pids

        if clock.Elapsed < watched then
            Thread.Sleep(watched - clock.Elapsed)

        let seconds = clock.Elapsed.TotalSeconds

        [
            for facts, answers in asked do
                {
                    Facts = facts
                    Threads = Processes.threads facts.Pid
                    CpuPercent = percent facts before[facts.Pid] seconds
                    Trouble = if answers then None else Some (Processes.explain facts.Pid None).Message
                }
        ]
