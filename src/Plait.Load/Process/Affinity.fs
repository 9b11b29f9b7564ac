// The cores of processes. On Linux each child is bound to one core from its start, by binding the thread that starts it. On other
// systems nothing is bound, and the results have a warning.
module Plait.Load.Affinity

open System
open System.IO

open Plait.Common

/// Which cores server and client have for themselves.
type Placement =
    {
        /// The core of the candidate and of the base; None: not bound.
        Server: int option
        /// The core of the load generator and of the lab itself; None: not bound.
        Client: int option
        /// How it is done, or why it is not, for the results.
        Description: string
        /// The warning for the reader when measuring suffers from it.
        Warning: string option
    }

/// The cores that this process may use, in rising order; empty: the system does not list them.
let allowed () : int list =
    if OperatingSystem.IsLinux() then ThreadCores.read 0 else []

let private firstAllowed = lazy (allowed ())

/// The cores that this process had at its start, before it moved itself.
let allowedAtStart () : int list = firstAllowed.Value

/// The core of each process, from the cores that may be used.
let place (isLinux: bool) (cores: int list) : Placement =
    match cores with
    | server :: client :: _ ->
        {
            Server = Some server
            Client = Some client
            Description = "Linux affinity"
            Warning = None
        }
    | [ only ] ->
        {
            Server = Some only
            Client = Some only
            Description = $"Linux affinity, one core: server and client share core {only}"
            Warning =
                Some
                    "only one core is allowed: server and client share it, so requests/s measures both together (CPU per request still holds)"
        }
    | [] ->
        let why =
            if isLinux then "the allowed cores cannot be read" else "only Linux is supported"

        {
            Server = None
            Client = None
            Description = $"not pinned: {why}"
            Warning =
                Some
                    $"processes are not bound to cores ({why}): expect wider intervals, and trust requests/s least"
        }

/// The placement of this process, the same at each call.
let placement () : Placement =
    place (OperatingSystem.IsLinux()) (allowedAtStart ())

/// Runs `action` with the calling thread bound to `core`, or to all cores that this process had at its start; a process
/// that `action` starts is bound to them from its start. The thread is given back its own cores afterwards. When the system refuses,
/// it just runs.
let withCore (core: int option) (action: unit -> 'T) : 'T =
    let all = allowedAtStart ()

    match allowed (), core |> Option.map List.singleton |> Option.defaultValue all with
    | [], _
    | _, [] -> action ()
    | before, cores ->
        try
            ThreadCores.set 0 cores |> ignore
            action ()
        finally
            ThreadCores.set 0 before |> ignore

/// Moves every thread of this process to `core`, away from the one that is measured. Threads that are started later
/// inherit it from the threads that start them.
let moveSelf (core: int option) : unit =
    match core with
    | None -> ()
    | Some core ->
        allowedAtStart () |> ignore

        for thread in Directory.GetDirectories "/proc/self/task" do
            match Int32.TryParse(Path.GetFileName thread) with
            | true, id -> ThreadCores.set id [ core ] |> ignore
            | _ -> ()
