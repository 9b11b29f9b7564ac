// Layer: combinators. The builder in which the combinators are written.
namespace Plait.Kernel

/// Computations over sources as they are.
[<Sealed>]
type internal StepsBuilder() =
    inherit MachineBuilder<OnCaptured>()

    member inline _.Source(source: 'S) : 'S = source
