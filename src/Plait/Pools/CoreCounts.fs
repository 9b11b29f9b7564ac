// Layer: pools. Counters of a shared pool, one set per core. Owns the rule that counting costs no interlocked operation:
// two threads on one core may lose a count, and no two cores write to one cache line.
namespace Plait.Kernel

/// The kinds of counts.
type internal Count =
    | Rents = 0
    | Hits = 1
    | Returns = 2
    | Dropped = 3

[<Sealed>]
type internal CoreCounts(cores: int) =
    // 16 numbers = 128 bytes apart
    let counts: int64[] = Array.zeroCreate (cores * 16)

    member _.Add(core: int, what: Count, number: int64) =
        let at = core * 16 + int what
        counts[at] <- counts[at] + number

    member _.Of(core: int, what: Count) = counts[core * 16 + int what]

    member _.Total(what: Count) =
        let mutable sum = 0L

        for core in 0 .. cores - 1 do
            sum <- sum + counts[core * 16 + int what]

        sum
