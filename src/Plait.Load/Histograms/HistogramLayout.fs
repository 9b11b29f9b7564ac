// Where the classes of a histogram lie: as in HdrHistogram with a lowest discernible value of 1, a highest trackable value of
// 3.6e12 and three digits.
namespace Plait.Load


open System.Numerics

/// A class of a histogram: the values that are counted as one.
[<Struct>]
type Bucket =
    {
        /// The smallest value of the class, in nanoseconds.
        Lowest: int64
        /// The largest value of the class, in nanoseconds.
        Highest: int64
        /// How many values fell into it.
        Count: int64
    }

/// The classes: 2,048 of width 1, then 1,024 of twice the width for every doubling.
module internal HistogramLayout =
    [<Literal>]
    let private SubBuckets = 2048

    /// Classes of half a bucket.
    [<Literal>]
    let Half = 1024

    [<Literal>]
    let HalfMagnitude = 10

    /// An hour, in nanoseconds.
    [<Literal>]
    let Largest = 3_600_000_000_000L

    /// How many classes there are: those of width 1 hold 2,048 ns, and an hour needs 31 doublings more.
    [<Literal>]
    let Length = 33792

    let private bucketOf (value: int64) =
        64
        - HalfMagnitude
        - 1
        - BitOperations.LeadingZeroCount(uint64 (value ||| int64 (SubBuckets - 1)))

    /// The index of the class that a duration from 0 to an hour falls into.
    let indexOf (value: int64) : int =
        let bucket = bucketOf value
        (bucket <<< HalfMagnitude) + int (value >>> bucket)

    /// The smallest duration of a class.
    let lowestAt (index: int) : int64 =
        let bucket = (index >>> HalfMagnitude) - 1

        if bucket < 0 then int64 index else int64 ((index &&& (Half - 1)) + Half) <<< bucket

    /// The largest duration of a class.
    let highestAt (index: int) : int64 =
        let bucket = max 0 ((index >>> HalfMagnitude) - 1)
        lowestAt index + (1L <<< bucket) - 1L
