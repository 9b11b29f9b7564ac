// Layer: sources. The first number and the limit of a System.Range that a `for` runs over, checked.
namespace Plait.Kernel

open System

/// The numbers of a System.Range. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type Ranges =

    static member private Number(index: Index) : int =
        if index.IsFromEnd then
            raise (
                ArgumentException(
                    $"A loop cannot begin or end at {index.ToString()}, which counts from the end of a \
                      collection. Use two indices from the start, as in Range(Index 0, Index n). See \
                      docs/errors/range-from-the-end.md in the Plait package."
                )
            )

        index.Value

    /// The first number.
    static member First(range: Range) : int = Ranges.Number range.Start

    /// The number after the last one.
    static member Limit(range: Range) : int = Ranges.Number range.End

    /// All numbers, one after another.
    static member Items(range: Range) : seq<int> =
        seq { Ranges.First range .. Ranges.Limit range - 1 }
