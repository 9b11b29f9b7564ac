// Layer: sources. The position of `for` over an IAsyncEnumerable, in both kernels: the one object that loop costs.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Collections.Generic
open System.ComponentModel
open System.Threading.Tasks

/// An enumerator and whether it has more.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type AsyncItems<'a>(items: IAsyncEnumerator<'a>) =

    /// False once the last item has been taken.
    member val More = true with get, set

    /// The current item.
    member _.Current = items.Current

    /// Moves to the next item.
    member _.MoveNext() : ValueTask<bool> = items.MoveNextAsync()

    /// Disposes the enumerator.
    member _.Dispose() : ValueTask = items.DisposeAsync()
