// Layer: pools. Calls a pool after gen-2 collections. Owns the rule that this keeps no pool alive: when the pool is
// collected, so is its trimmer.
namespace Plait.Kernel

open System
open System.Runtime.InteropServices

/// Unreachable from the start: each collection that reaches its generation runs the finalizer, which registers it again.
/// After two collections it is in generation 2, and so is called after gen-2 collections only. The handle is a bare one: a
/// WeakReference would be unreachable too, and finalized in the same pass.
[<Sealed>]
type internal PoolTrimmer private (pool: GCHandle) =

    /// Has the pool trimmed from now on, for as long as it lives.
    static member Watch(pool: PoolBase) =
        PoolTrimmer(GCHandle.Alloc(pool, GCHandleType.Weak)) |> ignore

    override trimmer.Finalize() =
        match pool.Target with
        | :? PoolBase as alive ->
            alive.Trim Environment.TickCount64
            GC.ReRegisterForFinalize trimmer
        | _ -> pool.Free()
