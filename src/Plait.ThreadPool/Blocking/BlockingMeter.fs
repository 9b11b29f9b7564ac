// Layer: blocking. The instruments of the pools for blocking calls, on the meter `Plait`: one measurement per pool, by its name,
// read when a listener asks. Keeps no pool alive.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Diagnostics
open System.Diagnostics.Metrics

/// The counts of a pool that the instruments read.
type internal IBlockingFigures =
    abstract Name: string
    abstract Threads: int64
    abstract Queued: int64
    abstract Running: int64
    abstract Completed: int64
    abstract Rejected: int64

[<AbstractClass; Sealed>]
type internal BlockingMeter =
    static let pools = List<WeakReference<IBlockingFigures>>()

    static let alive () =
        lock pools (fun () ->
            [|
                for reference in pools do
                    match reference.TryGetTarget() with
                    | true, pool -> pool
                    | _ -> ()
            |])

    static let measure (figure: IBlockingFigures -> int64) () : seq<Measurement<int64>> =
        alive ()
        |> Seq.map (fun pool -> Measurement<int64>(figure pool, KeyValuePair("pool", box pool.Name)))

    static let gauge (name: string) (unit: string) (description: string) (figure: IBlockingFigures -> int64) =
        ThreadPoolMeter.Meter.CreateObservableGauge<int64>(name, measure figure, unit, description)
        |> ignore

    static let counter (name: string) (description: string) (figure: IBlockingFigures -> int64) =
        ThreadPoolMeter.Meter.CreateObservableCounter<int64>(name, measure figure, "{call}", description)
        |> ignore

    static let wait =
        gauge "plait.blocking.threads" "{thread}" "Threads of a blocking pool." _.Threads
        gauge "plait.blocking.queued" "{call}" "Calls that wait for a thread." _.Queued
        gauge "plait.blocking.running" "{call}" "Calls that run." _.Running
        counter "plait.blocking.completed" "Calls that have returned or thrown." _.Completed
        counter "plait.blocking.rejected" "Calls refused because the queue was full." _.Rejected

        ThreadPoolMeter.Meter.CreateHistogram<float>(
            "plait.blocking.wait",
            "s",
            "How long calls waited for a thread."
        )

    /// Lists a pool until it is collected or removed.
    static member Add(pool: IBlockingFigures) =
        lock pools (fun () ->
            pools.RemoveAll(fun reference -> not (fst (reference.TryGetTarget()))) |> ignore
            pools.Add(WeakReference<IBlockingFigures> pool))

    static member Remove(pool: IBlockingFigures) =
        lock pools (fun () ->
            pools.RemoveAll(fun reference ->
                match reference.TryGetTarget() with
                | true, listed -> obj.ReferenceEquals(listed, pool)
                | _ -> true)
            |> ignore)

    /// The time at which a wait begins; 0 where nobody listens.
    static member Now() : int64 =
        if wait.Enabled then Stopwatch.GetTimestamp() else 0L

    /// A call has got its thread.
    static member Waited(pool: string, since: int64) =
        if since <> 0L then
            wait.Record((Stopwatch.GetElapsedTime since).TotalSeconds, KeyValuePair("pool", box pool))
