// How long threads of a process have not run. On Linux, by the clocks of its scheduler. Each processor has one, which leaves out the
// time that a virtual machine's host and interrupts took: after some hours they are seconds apart.
module internal Plait.Doctor.StandingTimes

open System
open System.Globalization
open System.IO
open System.Threading

open Plait.Common

/// When a thread last ran, in seconds of the clock of its processor. `file`: its figures of the scheduler.
let private lastRun (file: string) : float option =
    file.Split '\n'
    |> Array.tryFind _.StartsWith("se.exec_start")
    |> Option.bind (fun line ->
        let value = line.Substring(line.IndexOf ':' + 1)

        match Double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture) with
        | true, milliseconds -> Some(milliseconds / 1000.0)
        | _ -> None)

/// What the clocks of these processors show, in seconds. One that the system does not let this process use is missing.
let private clocks (processors: int list) : Map<int, float> =
    let mutable shown = []

    let read () =
        shown <-
            [
                for processor in processors do
                    if ThreadCores.set 0 [ processor ] then
                        // of the thread that reads it, which runs
                        match
                            ProcFiles.ifReadable (fun () -> File.ReadAllText "/proc/thread-self/sched")
                            |> Option.bind lastRun
                        with
                        | Some now -> processor, now
                        | None -> ()
            ]

    // one of its own, which ends, so that no other is moved
    let reader = Thread(read, IsBackground = true)
    reader.Start()
    reader.Join()
    Map.ofList shown

/// The seconds since each of these threads last ran; one is missing if that is not known. `threads`: their numbers in the namespace
/// of the process.
let ofThreads (pid: int) (threads: int seq) : Map<int, float> =
    let runs =
        [
            for thread in threads do
                match
                    ProcFiles.processor pid thread, ProcFiles.schedule pid thread |> Option.bind lastRun
                with
                | Some processor, Some last -> thread, processor, last
                | _ -> ()
        ]

    let now =
        runs |> List.map (fun (_, processor, _) -> processor) |> List.distinct |> clocks

    Map.ofList
        [
            for thread, processor, last in runs do
                match Map.tryFind processor now with
                | Some now -> thread, max 0.0 (now - last)
                | None -> ()
        ]
