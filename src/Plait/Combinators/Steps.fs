// Layer: combinators. The builder in which the combinators are written.
namespace Plait.Kernel

/// Computations over sources as they are.
[<Sealed>]
type internal StepsBuilder() =
    inherit MachineBuilder<OnCaptured>()

    member inline _.Source(source: 'S) : 'S = source

/// The one builder: a new one at each call would be an object, until its method is optimised.
[<AutoOpen>]
module internal Steps =
    let steps = StepsBuilder()
