// Layer: diagnostics. The exceptions for misuse of an awaitable, with their messages, in one place.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// Whether a second await is refused even where it would give the result again. The package sets the switch in builds that are
/// not optimised.
module internal SecondAwait =
    let isRefused =
        match AppContext.TryGetSwitch "Plait.RefuseSecondAwait" with
        | true, isOn -> isOn
        | _ -> false

[<AbstractClass; Sealed>]
type internal Misuse =

    /// The handle belongs to an operation whose result was taken already.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member ConsumedTwice() : unit =
        raise (
            InvalidOperationException(
                "A pooled ValueTask was used after its result had been taken. Its memory may serve another \
                 operation by now; this call left that operation alone. Usual cause: the same ValueTask is awaited, \
                 or its Result read, in two places; ToString reads it, too, and F# Interactive calls ToString. \
                 Await it once and share the value, or call AsTask() once and share the Task, or write the \
                 operation with `task`. See \
                 docs/errors/consumed-twice.md in the Plait package."
            )
        )

    /// The operation has not finished: its result was asked for too early, or by a second waiter at the same time.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NotCompleted() : unit =
        raise (
            InvalidOperationException(
                "The result of a pooled ValueTask was taken before the operation had completed. The operation \
                 itself is unharmed. Usual cause: Result or GetAwaiter().GetResult() on a pending ValueTask, \
                 or two awaits of it at the same time. Await it once; to block, call AsTask() and wait for the \
                 Task. See docs/errors/not-completed.md in the Plait package."
            )
        )

    /// A pending strand was read, or a second waiter came while the first was waiting.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member StrandNotCompleted() : unit =
        raise (
            InvalidOperationException(
                "The result of a Strand was taken before it had completed. The strand itself is unharmed. \
                 Usual cause: GetAwaiter().GetResult() on a pending Strand, or two awaits of it at the same \
                 time: a pending Strand is handed over once. Await it once; to block or to share it, call \
                 AsTask() once and use the Task. See docs/errors/not-completed.md in the Plait package."
            )
        )

    /// The result of a strand was taken by an await before, in a program that refuses this.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member StrandConsumedTwice() : unit =
        raise (
            InvalidOperationException(
                "A Strand was awaited after its result had been taken by another await. Builds that are not \
                 optimised refuse this; optimised ones give the result again. Usual cause: the same Strand is \
                 awaited in two places, which fails in every build if the two awaits overlap. Await it once \
                 and share the value, or call AsTask() once and share the Task. See \
                 docs/errors/consumed-twice.md in the Plait package."
            )
        )

    /// A sequence of `whenEach` was enumerated again, or asked for an item while it waits for one.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member EachEnumeratedTwice() : unit =
        raise (
            InvalidOperationException(
                "The sequence of whenEach was enumerated twice, or was asked for an item while it waited for \
                 one. Its operations are awaited once, so each result is there for one enumeration. Usual \
                 cause: it is passed to two loops, or counted before it is read. Enumerate it once, and keep \
                 the items in a list if they are needed again. See docs/errors/consumed-twice.md in the Plait \
                 package."
            )
        )

    /// A stream was asked for an item, or disposed, while it works on one.
    static member StreamBusy() : exn =
        InvalidOperationException(
            "MoveNextAsync or DisposeAsync of a stream was called before the ValueTask of the MoveNextAsync before it had \
             been awaited. The stream itself is unharmed. Usual cause: two parties share one enumerator, or a \
             ValueTask was dropped after a timeout. Await each ValueTask before the next call, and give each party an \
             enumerator of its own. See docs/errors/stream-busy.md in the Plait package."
        )

    /// A computation whose code F# has compiled for the state machine around it.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member CompiledForAnother() : unit =
        raise (
            InvalidProgramException(
                "F# compiled this computation as if it were a part of the computation around it. It was not started: it would \
                 write its result to the wrong place. Usual cause: the Run of its builder is not inline, and it stands inside \
                 the code of another builder. Make that Run inline, or define the computation by `let` outside of that code. \
                 See docs/errors/compiled-for-another.md in the Plait package."
            )
        )

    /// A Set... method of a source whose operation has its result already, or is over.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member SettledTwice() : unit =
        raise (
            InvalidOperationException(
                "A source was set although its operation already has a result, or although it was disposed or \
                 never created. An existing result is unchanged. Usual cause: two parties complete the same \
                 source, or a handle was kept after its pooled operation had been awaited. If that can happen, \
                 use TrySetResult, TrySetException or TrySetCanceled, which return false. See \
                 docs/errors/settled-twice.md in the Plait package."
            )
        )

    /// The task of a source that was never created, or was disposed.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NoSource() : unit =
        raise (
            InvalidOperationException(
                "The Task of a source was read, but the source has none: it was disposed, or is a default \
                 value that did not come from Create(). Usual cause: the handle was kept after Dispose. Read \
                 Task before Dispose and keep the Task, which stays valid. See \
                 docs/errors/no-source.md in the Plait package."
            )
        )

    /// A method builder was compared: it is mutable, and the compiler's.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member BuilderCompared<'Answer>() : 'Answer =
        raise (NotSupportedException "An async method builder has no equality.")

    /// The value of a box was taken before.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member UnboxedTwice() : unit =
        raise (
            InvalidOperationException(
                "Pool.UnboxAndReturn was called for an object whose value had already been taken. The object \
                 was not returned to the pool again. Usual cause: a callback that takes its state out runs \
                 twice, or two parties share the object. Take the value out once, in one place, and pass the \
                 value on. See docs/errors/unboxed-twice.md in the Plait package."
            )
        )
