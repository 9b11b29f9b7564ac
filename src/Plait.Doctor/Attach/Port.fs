// Asking a process something through its diagnostics port, for a limited time: the library's calls wait for ever for a process
// that was stopped.
module internal Plait.Doctor.Port

open System
open System.IO
open System.Net.Sockets
open System.Runtime.ExceptionServices
open System.Threading
open Microsoft.Diagnostics.NETCore.Client

/// What `ask` returns. Raises NoAnswer when it takes longer than the limit, in which case its thread is left behind; and
/// CannotAttach with the reason when the port refuses.
let within (pid: int) (limit: TimeSpan) (ask: unit -> 'T) : 'T =
    // Whoever stopped it may have meant hours.
    if Processes.isStopped pid then
        raise (Processes.explain pid None)

    let mutable answer = Unchecked.defaultof<'T>
    let mutable trouble: exn option = None

    let asking =
        Thread(
            (fun () ->
                try
                    answer <- ask ()
                with error ->
                    trouble <- Some error),
            IsBackground = true,
            Name = "asks a process"
        )

    asking.Start()

    if not (asking.Join limit) then
        let late = TimeoutException $"nothing within {int limit.TotalSeconds} s"

        match Processes.explain pid (Some late) with
        | :? NoAnswer as reason -> raise reason
        // whatever else is seen of it, it did not answer
        | reason -> raise (NoAnswer(pid, reason.Message))

    match trouble with
    | None -> answer
    | Some error ->
        match error with
        | :? DiagnosticsClientException
        | :? IOException
        | :? TimeoutException
        | :? UnauthorizedAccessException
        | :? SocketException -> raise (Processes.explain pid (Some error))
        | error ->
            ExceptionDispatchInfo.Throw error
            answer
