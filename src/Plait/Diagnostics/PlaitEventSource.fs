// Layer: diagnostics. The event source `Plait`: the counters of the pools, summed over all pools, which exist from the first
// listener on; and an event: each failure that no code took.
namespace Plait.Kernel

open System.Diagnostics.Tracing

[<Sealed>]
type internal PlaitEventSource() =
    inherit EventSource("Plait")

    static let source = new PlaitEventSource()
    let mutable counters: DiagnosticCounter list = []

    /// The one event source of the process.
    static member Shared = source

    /// A failure that no code took.
    [<Event(1, Level = EventLevel.Warning)>]
    member this.Unobserved(error: string, message: string) = this.WriteEvent(1, error, message)

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
