// The part of a load that one of several generators has, and one of its threads.
namespace Plait.Load

/// Part number `Index` of `Of`, from 0. Each part takes every `Of`-th request of the same schedule, so that all of them are
/// together the whole, and none is sent twice.
type Share =
    {
        Index: int
        Of: int
    }

    /// All of it.
    static member Whole = { Index = 0; Of = 1 }

    /// So many of `count`; all shares make it up.
    member this.Part(count: int64) : int64 =
        count / int64 this.Of + (if int64 this.Index < count % int64 this.Of then 1L else 0L)

    /// The share of one of several threads of it.
    member this.OfThread(index: int, threads: int) : Share =
        { Index = this.Index * threads + index; Of = this.Of * threads }
