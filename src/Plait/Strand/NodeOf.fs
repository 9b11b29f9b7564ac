// Layer: strand. A pending strand with its result, and the strand that had failed before it could suspend.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices

/// A pending strand.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type Node<'T>() =
    inherit Node()

    [<DefaultValue(false)>]
    val mutable internal result: 'T

    /// The result, or the error thrown; a misuse where it is pending.
    member internal node.Get() : 'T =
        let error = node.Failure

        if not (isNull error) then
            ExceptionDispatchInfo.Throw error

        node.result

    member internal node.Complete(value: 'T) =
        node.result <- value
        node.Finish null

    /// Takes the child that has come.
    member internal node.TakeChild<'Child>() : Node<'Child> =
        let child = Unsafe.As<Node<'Child>> node.link
        node.link <- null
        child

/// A strand that had failed before it could suspend.
[<Sealed>]
type internal FaultNode<'T>(error: exn) as this =
    inherit Node<'T>()

    do
        this.flags <- NodeFlags.Inline
        this.Finish error

    override _.Step() = ()
