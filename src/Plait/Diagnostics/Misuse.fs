// Layer: diagnostics. The exceptions for misuse of an awaitable, with their messages, in one place.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

[<AbstractClass; Sealed>]
type internal Misuse =

    /// The handle belongs to an operation whose result was taken already.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ConsumedTwice() : unit =
        raise (
            InvalidOperationException(
                "A pooled ValueTask was used after its result had been taken. Its memory may serve another operation by \
                 now, which this call did not touch. Usual cause: the same ValueTask is awaited, or its Result read, in \
                 two places. Await it once and share the value, or call AsTask() once and share the Task, or write the \
                 operation with `task`. See docs/errors/consumed-twice.md."
            )
        )

    /// The operation has not finished: its result was asked for too early, or by a second waiter at the same time.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NotCompleted() : unit =
        raise (
            InvalidOperationException(
                "The result of a pooled ValueTask was taken before the operation had completed. The operation goes on \
                 unharmed. Usual cause: Result or GetAwaiter().GetResult() on a pending ValueTask, or two awaits of it \
                 at the same time. Await it, once; to block, call AsTask() and wait for the Task. See \
                 docs/errors/not-completed.md."
            )
        )

    /// A pending strand was read, or a second waiter came while the first was waiting.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member StrandNotCompleted() : unit =
        raise (
            InvalidOperationException(
                "The result of a Strand was taken before it had completed. The strand goes on unharmed. Usual cause: \
                 GetAwaiter().GetResult() on a pending Strand, or two awaits of it at the same time: a pending Strand \
                 is handed over once. Await it, once; to block or to share it, call AsTask() once and use the Task. See \
                 docs/errors/not-completed.md."
            )
        )

    /// A Set... method of a source whose operation has its result already, or is over.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member SettledTwice() : unit =
        raise (
            InvalidOperationException(
                "A source was set although its operation had its result already, or has none: it was disposed or never \
                 created. A result that is there stands. Usual cause: two parties complete the same source, or a handle \
                 was kept after its pooled operation had been awaited. \
                 Where that may happen, use TrySetResult, TrySetException or TrySetCanceled, which answer false. See \
                 docs/errors/settled-twice.md."
            )
        )

    /// The task of a source that was never created, or was disposed.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NoSource() : unit =
        raise (
            InvalidOperationException(
                "The Task of a source was read that has none: the source was disposed, or is a default value that never \
                 came from Create(). Usual cause: the handle was kept after Dispose. Read Task first and keep the Task, \
                 which stays valid. See docs/errors/no-source.md."
            )
        )

    /// The value of a box was taken before.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member UnboxedTwice() : unit =
        raise (
            InvalidOperationException(
                "Pool.UnboxAndReturn was called for an object whose value had been taken already. The object is in the pool \
                 once. Usual cause: a callback that takes its state out runs twice, or two parties share the object. Take \
                 the value out once, in one place, and hand the value on. See docs/errors/unboxed-twice.md."
            )
        )
