// Layer: combinators. What the driver of a `whenAllThrottled` waits for, as a source.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// The place, or the end, that a window's driver waits for. 'Unit is unit: see BclSources.fs.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Room<'Unit, 'Operation, 'Read, 'S, 'a
    when 'S :> ISource<'a> and 'Read :> IOperand<'Operation, 'S>>(window: Window<'Operation, 'Read, 'S, 'a>) =
    interface ISource<'Unit> with
        member _.IsCompleted = window.IsFree

        member _.GetResult() =
            window.TakePlace()
            Unchecked.defaultof<'Unit>

        member _.Register frame = window.Wake frame
        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
