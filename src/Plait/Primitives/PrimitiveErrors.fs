// Layer: primitives. The errors of wrong use of locks, semaphores, events and lazy values, with their messages.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

[<AbstractClass; Sealed>]
type internal PrimitiveErrors =

    /// A releaser, or a copy of it, was disposed before.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ReleasedTwice() : unit =
        raise (
            InvalidOperationException(
                "An AsyncReleaser was disposed for the second time, or after a copy of it. The second call released \
                 nothing: by now another operation may hold the lock or permit. Usual cause: code in the \
                 scope of `use!` or `using` calls Dispose too. Let the scope alone release it. See \
                 docs/errors/released-twice.md in the Plait package."
            )
        )

    /// A default releaser was disposed.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NothingEntered() : unit =
        raise (
            InvalidOperationException(
                "A default AsyncReleaser was disposed: nothing was entered with it, and nothing was released. Usual \
                 cause: TryEnter returned false, or a field was disposed before it was set. Dispose the releaser \
                 that Enter or TryEnter has given. See \
                 docs/errors/released-twice.md in the Plait package."
            )
        )

    /// A semaphore would have more permits than it may have.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ReleasedTooOften(most: int) : unit =
        raise (
            SemaphoreFullException(
                $"AsyncSemaphore.Release would make more free permits than MaxCount, which is {most.ToString()}. \
                  Nothing was released. Usual cause: Release without a Wait before it, or Release in the scope of a \
                  releaser of Enter, which gives its permit back by itself. Call Release once for each Wait. See \
                  docs/errors/released-twice.md in the Plait package."
            )
        )

    /// Disposed, although a permit has not come back or an operation waits.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member DisposedInUse(name: string) : unit =
        raise (
            InvalidOperationException(
                $"An {name} was disposed while an operation holds it or waits for it. It was not disposed, and \
                  works as before. Usual cause: its owner ends before the operations that it has started. Await \
                  them first. See docs/errors/disposed-in-use.md in the Plait package."
            )
        )

    /// Used after its disposal.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Disposed(name: string) : exn =
        ObjectDisposedException(
            name,
            $"An {name} was used after it had been disposed. Nothing was entered, set or released. Usual cause: an \
              operation that outlives its owner. Await all operations, and dispose it then. See \
              docs/errors/disposed-in-use.md in the Plait package."
        )

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ThrowDisposed(name: string) : unit = raise (PrimitiveErrors.Disposed name)

    /// Counts of a semaphore that are none.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Counts(initial: int, most: int) : exn =
        let counts = $"{most.ToString()} and {initial.ToString()}"

        ArgumentOutOfRangeException(
            "initialCount",
            $"An AsyncSemaphore needs a MaxCount of at least 1 and an initial count from 0 to MaxCount: they are {counts}."
        )

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ReleaseCount(count: int) : unit =
        raise (
            ArgumentOutOfRangeException(
                "count",
                $"AsyncSemaphore.Release needs a count of at least 1, and has {count.ToString()}. Nothing was released."
            )
        )

    /// The function of a lazy value has returned null.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NoTask() : exn =
        InvalidOperationException(
            "The function of an AsyncLazy has returned null instead of a Task. Return the Task of the operation, or \
             Task.FromResult of a value that is there already."
        )
