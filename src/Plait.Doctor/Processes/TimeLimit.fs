// Waiting for a limited time for calls that may take for ever: calls of a process that was stopped have no end of
// their own.
module internal Plait.Doctor.TimeLimit

open System
open System.Diagnostics
open System.Runtime.ExceptionServices
open System.Threading

/// Runs functions on threads of their own, all at once. Returns the result or the exception of each by the end of the
/// limit. None: it took longer, and its thread is left behind, which ends with this program.
let all (name: string) (limit: TimeSpan) (works: (unit -> 'T) list) : Result<'T, exn> option list =
    let clock = Stopwatch.StartNew()

    let started =
        [
            for work in works do
                let result: Result<'T, exn> option ref = ref None

                let run () =
                    result.Value <-
                        try
                            Some(Ok(work ()))
                        with error ->
                            Some(Error error)

                let thread = Thread(run, IsBackground = true, Name = name)
                thread.Start()
                thread, result
        ]

    [
        for thread, result in started do
            let left = limit - clock.Elapsed

            if thread.Join(if left > TimeSpan.Zero then left else TimeSpan.Zero) then
                result.Value
            else
                None
    ]

/// The result or the exception of `work`, on a thread of its own. None: it took longer than the limit.
let one (name: string) (limit: TimeSpan) (work: unit -> 'T) : 'T option =
    match all name limit [ work ] with
    | [ Some(Ok result) ] -> Some result
    | [ Some(Error error) ] ->
        ExceptionDispatchInfo.Throw error
        None
    | _ -> None
