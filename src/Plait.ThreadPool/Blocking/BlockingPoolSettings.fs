// Layer: blocking. The settings of a pool for blocking calls.
namespace Plait

open System

/// <summary>The settings of a <see cref="T:Plait.BlockingPool" />, which copies them when it is made.</summary>
[<Sealed>]
type BlockingPoolSettings() =

    /// The most threads that the pool has, and so the most calls that run at the same time. 256 unless set; at least
    /// 1. Take the number of calls that the other side can serve at once, such as the connections of a database.
    member val MaxThreads = 256 with get, set

    /// How long a thread without work is kept. 10 seconds unless set.
    member val KeepAlive = TimeSpan.FromSeconds 10. with get, set

    /// The most calls that wait for a thread; one more fails with a BlockingPoolFullException. 10,000 unless set. 0: no call
    /// waits.
    member val QueueLimit = 10_000 with get, set
