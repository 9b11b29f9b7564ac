// Layer: combinators. The computation expression builder in which the combinators are written.
namespace Plait.Kernel

/// Computations over sources as they are.
[<Sealed>]
type internal CombinatorBuilder() =
    inherit MachineBuilder<OnCaptured>()

    member inline _.Source(source: 'S) : 'S = source

/// The one instance: a new one at each call would be an object, until its method is optimised.
[<AutoOpen>]
module internal CombinatorBuilders =
    let combinator = CombinatorBuilder()
