// Requests to the diagnostics port with a limit of time: the library waits for ever for a stopped process.
module internal Plait.Doctor.Port

open System
open System.IO
open System.Net.Sockets
open Microsoft.Diagnostics.NETCore.Client

/// The result of `ask`. Raises NoAnswer if the request takes longer than the limit; its thread then stays behind. Raises
/// CannotAttach with the reason if the port refuses.
let within (pid: int) (limit: TimeSpan) (ask: unit -> 'T) : 'T =
    // The process may have been stopped for hours.
    if Processes.isStopped pid then
        raise (Processes.explain pid None)

    try
        match TimeLimit.one "asks a process" limit ask with
        | Some answer -> answer
        | None ->
            let late = TimeoutException $"nothing within {int limit.TotalSeconds} s"

            match Processes.explain pid (Some late) with
            | :? NoAnswer as reason -> raise reason
            // other facts do not matter: it did not answer
            | reason -> raise (NoAnswer(pid, reason.Message))
    with
    | :? DiagnosticsClientException
    | :? IOException
    | :? TimeoutException
    | :? UnauthorizedAccessException
    | :? SocketException
    // a trace without events: the runtime has not started yet
    | :? FormatException as error -> raise (Processes.explain pid (Some error))
