// Layer: sources. The position of `for` over an IAsyncEnumerable, in both kernels: the one object that loop costs.
namespace Plait.Kernel

open System.Collections.Generic
open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// A position and whether there is more.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never)>]
type AsyncSequenceCursor<'a>() =

    /// False once the last item has been taken.
    member val More = true with get, set

    /// The current item.
    abstract Current: 'a

/// A position that is awaited as the builder awaits.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type PlainAsyncSequenceCursor<'a>(items: IAsyncEnumerator<'a>) =
    inherit AsyncSequenceCursor<'a>()

    override _.Current = items.Current

    /// Moves to the next item.
    member _.MoveNext() : ValueTask<bool> = items.MoveNextAsync()

    /// Disposes the enumerator.
    member _.Dispose() : ValueTask = items.DisposeAsync()

/// A position that is awaited as its caller said, by ConfigureAwait.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type ConfiguredAsyncSequenceCursor<'a>(items: ConfiguredCancelableAsyncEnumerable<'a>.Enumerator) =
    inherit AsyncSequenceCursor<'a>()

    override _.Current = items.Current

    /// Moves to the next item.
    member _.MoveNext() : ConfiguredValueTaskAwaitable<bool> = items.MoveNextAsync()

    /// Disposes the enumerator.
    member _.Dispose() : ConfiguredValueTaskAwaitable = items.DisposeAsync()
