// Ctrl-C, and being told to end: the first time asks the run to stop after its slice, the second time ends at once.
namespace Plait.Tool

open System
open System.Runtime.InteropServices
open System.Threading

/// A token that is cancelled by SIGINT, SIGTERM, SIGHUP and SIGQUIT while the result lives.
type internal StopSignal() =
    let source = new CancellationTokenSource()

    let handle (context: PosixSignalContext) =
        if not source.IsCancellationRequested then
            // Not the default, which would end this process before it has put its children away.
            context.Cancel <- true
            source.Cancel()

    let registrations =
        [ PosixSignal.SIGINT; PosixSignal.SIGTERM; PosixSignal.SIGHUP; PosixSignal.SIGQUIT ]
        |> List.map (fun signal -> PosixSignalRegistration.Create(signal, handle))

    /// Cancelled when the user wants to stop.
    member _.Token = source.Token

    interface IDisposable with
        member _.Dispose() =
            for registration in registrations do
                registration.Dispose()

            source.Dispose()
