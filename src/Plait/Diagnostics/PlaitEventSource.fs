// Layer: diagnostics. The counters of the pools as event counters of the event source `Plait`, summed over all pools.
// They exist from the first listener on.
namespace Plait.Kernel

open System.Diagnostics.Tracing

[<Sealed>]
type internal PlaitEventSource() =
    inherit EventSource("Plait")

    static let source = new PlaitEventSource()
    let mutable counters: DiagnosticCounter list = []

    /// The one event source of the process.
    static member Shared = source

    override this.OnEventCommand(command: EventCommandEventArgs) =
        if command.Command = EventCommand.Enable && counters.IsEmpty then
            let counter name (figure: PoolStatistics -> int64) =
                new PollingCounter(name, this, (fun () -> float (PoolRegistry.Sum figure)))
                :> DiagnosticCounter

            counters <-
                [
                    counter "pool-rents" _.Rents
                    counter "pool-hits" _.Hits
                    counter "pool-misses" _.Misses
                    counter "pool-returns" _.Returns
                    counter "pool-dropped" _.Dropped
                    counter "pool-retained-bytes" _.RetainedBytes
                ]
