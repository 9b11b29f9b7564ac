// Layer: diagnostics. The meter of this package. It has the name of the library's own meter, so that a listener to `Plait` gets the
// figures of both.
namespace Plait.Kernel

open System.Diagnostics.Metrics

[<AbstractClass; Sealed>]
type internal ThreadPoolMeter =
    static let meter = new Meter("Plait")

    /// The meter, for the instruments of the monitor and of the pools for blocking calls.
    static member Meter = meter
