// All .NET processes of this machine at a glance. The user named none of them, so the list begins no session of events in any:
// the runtime may crash if a session begins or ends while the process starts or ends.
namespace Plait.Doctor

open System
open System.Diagnostics
open System.Threading

/// A .NET process, and its use of processors.
type ProcessLine =
    {
        Facts: ProcessFacts
        /// Threads of the operating system.
        Threads: int option
        /// The process's share of its processors, 0 to 100.
        CpuPercent: float option
        /// The reason why its port does not answer, and the remedy; None: it answers.
        Trouble: string option
    }

/// All .NET processes of this machine.
[<RequireQualifiedAccess>]
module Overview =

    /// The time over which processor time is measured.
    let private watched = TimeSpan.FromSeconds 0.5

    let private percent (facts: ProcessFacts) (before: TimeSpan option) (seconds: float) =
        match before, Processes.processorTime facts.Pid with
        | Some before, Some after ->
            let share = 100.0 * (after - before).TotalSeconds / seconds / float facts.Processors
            Some(share |> max 0.0 |> min 100.0)
        | _ -> None

    /// All .NET processes that this user may look at, in the order of their numbers. The list asks all ports at once for the
    /// process's facts, and does nothing else to the processes. It takes half a second, and two if a process does not answer.
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
