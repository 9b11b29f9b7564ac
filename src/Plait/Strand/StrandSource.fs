// Layer: strand. A strand as a source of the pooled machines, with the builder's choice of context.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open Plait

/// A Strand<'Result>.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StrandSource<'Result, 'Affinity when 'Affinity :> IAffinity>(strand: Strand<'Result>) =
    interface ISource<'Result> with
        member _.IsCompleted = strand.IsCompleted
        member _.GetResult() = strand.Take()

        member _.Register frame =
            if 'Affinity.Captures then strand.Node.Notify frame else strand.Node.Attach frame

        member _.Reference = strand.Node
        member _.GetResultOf kept = Unsafe.As<Node<'Result>>(kept).Take()
