// Layer: primitives. The door for F#: the members under their names in F#. For C# the names end in Async.
namespace Plait

open System.Threading
open System.Threading.Tasks

/// The members of locks, semaphores and events for F#, without the suffix Async: `let!` and `use!` show that they are asynchronous.
[<AutoOpen>]
module PrimitiveMembers =

    type AsyncLock with

        /// Waits until the lock is free for this operation: `use! _ = gate.Enter token`. See `EnterAsync`.
        member gate.Enter(cancellationToken: CancellationToken) : ValueTask<AsyncReleaser> =
            gate.EnterAsync cancellationToken

        /// As the other `Enter`, without a token.
        member gate.Enter() : ValueTask<AsyncReleaser> = gate.EnterAsync CancellationToken.None

    type AsyncSemaphore with

        /// Waits for a permit, which the releaser gives back: `use! _ = semaphore.Enter token`. See `EnterAsync`.
        member semaphore.Enter(cancellationToken: CancellationToken) : ValueTask<AsyncReleaser> =
            semaphore.EnterAsync cancellationToken

        /// As the other `Enter`, without a token.
        member semaphore.Enter() : ValueTask<AsyncReleaser> =
            semaphore.EnterAsync CancellationToken.None

        /// Waits for a permit, which `Release` gives back: `do! semaphore.Wait token`. See `WaitAsync`.
        member semaphore.Wait(cancellationToken: CancellationToken) : ValueTask =
            semaphore.WaitAsync cancellationToken

        /// As the other `Wait`, without a token.
        member semaphore.Wait() : ValueTask =
            semaphore.WaitAsync CancellationToken.None

    type AsyncManualResetEvent with

        /// Waits until the event is set: `do! event.Wait token`. See `WaitAsync`.
        member event.Wait(cancellationToken: CancellationToken) : ValueTask =
            event.WaitAsync cancellationToken

        /// As the other `Wait`, without a token.
        member event.Wait() : ValueTask = event.WaitAsync CancellationToken.None

    type AsyncAutoResetEvent with

        /// Waits until the event is set for this operation: `do! event.Wait token`. See `WaitAsync`.
        member event.Wait(cancellationToken: CancellationToken) : ValueTask =
            event.WaitAsync cancellationToken

        /// As the other `Wait`, without a token.
        member event.Wait() : ValueTask = event.WaitAsync CancellationToken.None
