// Layer: frames. Where an awaiter waits while its machine is suspended: beside the machine, typed, never boxed.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

[<AbstractClass; AllowNullLiteral>]
type internal Cell() =
    [<DefaultValue(false)>]
    val mutable next: Cell

/// A place for one awaiter of one type; a box keeps its cells when it is used again.
[<Sealed; AllowNullLiteral>]
type internal Cell<'Awaiter>() =
    inherit Cell()

    [<DefaultValue(false)>]
    val mutable value: 'Awaiter
