// Ctrl-C and the signals that end a process: the first one stops the run after its slice, the second one ends the process at once.
namespace Plait.Tool

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks

/// A token that is cancelled by SIGINT, SIGTERM, SIGHUP and SIGQUIT while the result lives.
type internal StopSignal() =
    let source = new CancellationTokenSource()

    let handle (context: PosixSignalContext) =
        if not source.IsCancellationRequested then
            // Not the default, which would end this process before it has ended its children.
            context.Cancel <- true
            source.Cancel()

    let registrations =
        [ PosixSignal.SIGINT; PosixSignal.SIGTERM; PosixSignal.SIGHUP; PosixSignal.SIGQUIT ]
        |> List.map (fun signal -> PosixSignalRegistration.Create(signal, handle))

    /// Cancelled by the first signal.
    member _.Token = source.Token

    interface IDisposable with
        member _.Dispose() =
            for registration in registrations do
                registration.Dispose()

            source.Dispose()

module internal StopSignal =
    /// The result of `work`, on a thread of its own. When the token is cancelled it raises OperationCanceledException: after the end of
    /// `work`, if that comes within the time for `tidying`; else the thread is left behind, which ends with this program.
    let until (token: CancellationToken) (tidying: TimeSpan) (work: unit -> 'T) : 'T =
        let working =
            Task.Factory.StartNew((fun () -> work ()), TaskCreationOptions.LongRunning)

        try
            working.Wait token
        with
        | :? OperationCanceledException ->
            Task.WaitAny([| working :> Task |], tidying) |> ignore
            reraise ()
        // It is raised below, as it was.
        | :? AggregateException -> ()

        working.GetAwaiter().GetResult()
