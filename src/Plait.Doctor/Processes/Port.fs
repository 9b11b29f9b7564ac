// Asking a process something through its diagnostics port, for a limited time: the library's calls wait for ever for a process
// that was stopped.
module internal Plait.Doctor.Port

open System
open System.IO
open System.Net.Sockets
open Microsoft.Diagnostics.NETCore.Client

/// The result of `ask`. Raises NoAnswer when it takes longer than the limit, in which case its thread is left behind;
/// and CannotAttach with the reason when the port refuses.
let within (pid: int) (limit: TimeSpan) (ask: unit -> 'T) : 'T =
    // Whoever stopped it may have meant hours.
    if Processes.isStopped pid then
        raise (Processes.explain pid None)

    try
        match TimeLimit.one "asks a process" limit ask with
        | Some answer -> answer
        | None ->
            let late = TimeoutException $"nothing within {int limit.TotalSeconds} s"

            match Processes.explain pid (Some late) with
            | :? NoAnswer as reason -> raise reason
            // whatever else is seen of it, it did not answer
            | reason -> raise (NoAnswer(pid, reason.Message))
    with
    | :? DiagnosticsClientException
    | :? IOException
    | :? TimeoutException
    | :? UnauthorizedAccessException
    | :? SocketException as error -> raise (Processes.explain pid (Some error))
