// Layer: sources. The position of a `for` over an IAsyncEnumerable, in both kernels: the one object that such a loop
// allocates beside the enumerator.
namespace Plait.Kernel

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// A position in an asynchronous sequence.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AsyncSequenceCursor<'a>() =

    /// False after the last item.
    member val More = true with get, set

    /// The current item.
    abstract Current: 'a

/// A position whose steps are awaited as the builder awaits.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type PlainAsyncSequenceCursor<'a>(items: IAsyncEnumerator<'a>) =
    inherit AsyncSequenceCursor<'a>()

    override _.Current = items.Current

    /// Moves to the next item.
    member _.MoveNext() : ValueTask<bool> = items.MoveNextAsync()

    /// Disposes the enumerator.
    member _.Dispose() : ValueTask = items.DisposeAsync()

/// A position whose steps are awaited as ConfigureAwait says.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ConfiguredAsyncSequenceCursor<'a>(items: ConfiguredCancelableAsyncEnumerable<'a>.Enumerator) =
    inherit AsyncSequenceCursor<'a>()

    override _.Current = items.Current

    /// Moves to the next item.
    member _.MoveNext() : ConfiguredValueTaskAwaitable<bool> = items.MoveNextAsync()

    /// Disposes the enumerator.
    member _.Dispose() : ConfiguredValueTaskAwaitable = items.DisposeAsync()
