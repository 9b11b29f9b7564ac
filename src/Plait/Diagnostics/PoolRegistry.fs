// Layer: diagnostics. The list of all pools and the counters of each. Owns the rule that the list keeps no pool alive.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices

/// The counts of a pool since the process began, including the caches of the threads. The counts are kept per thread
/// and per core without interlocking: they are exact where no two threads meet on a core, else they may be short by a
/// few.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal PoolStatistics =
    val Rents: int64
    val Hits: int64
    val Returns: int64
    val Dropped: int64
    val RetainedBytes: int64

    new(rents, hits, returns, dropped, retained) =
        {
            Rents = rents
            Hits = hits
            Returns = returns
            Dropped = dropped
            RetainedBytes = retained
        }

    /// Rents that found nothing.
    member figures.Misses = figures.Rents - figures.Hits

/// A type as its reader would write it: `Box<order@12, String>`.
[<AbstractClass; Sealed>]
type internal PoolName =
    static member Of(item: Type) : string =
        if item.IsGenericType then
            let bare = item.Name.Split('`')[0]
            let arguments = item.GetGenericArguments() |> Array.map PoolName.Of
            $"""{bare}<{String.Join(", ", arguments)}>"""
        else
            item.Name

[<AbstractClass; AllowNullLiteral>]
type internal PoolBase() =

    /// The type of its items, for the reader.
    abstract Name: string

    abstract Statistics: PoolStatistics

    /// Lets go of the items that were not used for a while. `now` in milliseconds. Never throws and never blocks.
    abstract Trim: now: int64 -> unit

[<AbstractClass; Sealed>]
type internal PoolRegistry =
    static let all = List<WeakReference<PoolBase>>()

    static member Add(pool: PoolBase) =
        lock all (fun () ->
            all.RemoveAll(fun reference -> not (fst (reference.TryGetTarget()))) |> ignore
            all.Add(WeakReference<PoolBase> pool))

    /// The pools that are alive.
    static member All: PoolBase[] =
        lock all (fun () ->
            [|
                for reference in all do
                    match reference.TryGetTarget() with
                    | true, pool -> pool
                    | _ -> ()
            |])

    /// One figure over all pools.
    static member Sum(figure: PoolStatistics -> int64) : int64 =
        PoolRegistry.All |> Array.sumBy (fun pool -> figure pool.Statistics)
