// A histogram of durations in the layout of HdrHistogram: log-linear, three significant digits, exact to merge. As there with a
// lowest discernible value of 1 and a highest trackable value of 3.6e12.
namespace Plait.Load

open System
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

    /// The number of classes: the classes of width 1 cover 2,048 ns, and an hour needs 31 doublings more.
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

    /// Does this with each class that is not empty, and with its count, in ascending order.
    let inline forEach (rows: (int64[] | null)[]) ([<InlineIfLambda>] action: int -> int64 -> unit) : unit =
        for at in 0 .. rows.Length - 1 do
            match rows[at] with
            | null -> ()
            | row ->
                for inside in 0 .. Half - 1 do
                    if row[inside] > 0L then
                        action ((at <<< HalfMagnitude) + inside) row[inside]

/// Durations from 0 to an hour in nanoseconds, each kept to three significant digits (1 in 2,048 at worst). Recording
/// allocates 8 kB when a duration of a new size comes, for each doubling once, and nothing else; counts of two histograms
/// add up exactly. Not for use from two threads at once. The layout is that of HdrHistogram with a lowest discernible value
/// of 1, a highest trackable value of 3.6e12 and three digits.
[<Sealed>]
type Histogram() =
    // A row holds half a bucket's classes, and is there when one of them is not empty: the durations of one second of one
    // server fill few.
    let rows =
        Array.zeroCreate<int64[] | null>(HistogramLayout.Length / HistogramLayout.Half)

    // A packed histogram has no rows. It has the classes that are not empty, ascending, and their counts.
    let mutable classes: int[] = [||]
    let mutable times: int64[] = [||]
    let mutable count = 0L
    let mutable smallest = Int64.MaxValue
    let mutable greatest = 0L
    let mutable clipped = 0L

    /// The largest duration that is kept as it is, in nanoseconds: an hour. Longer ones are counted as this.
    static member Largest = HistogramLayout.Largest

    /// The number of classes.
    static member Length = HistogramLayout.Length

    /// The index of the class that a duration from 0 to an hour falls into.
    static member IndexOf(nanoseconds: int64) : int = HistogramLayout.indexOf nanoseconds

    /// How many durations were recorded.
    member _.Count = count

    /// The number of recorded durations above an hour.
    member _.Clipped = clipped

    /// The shortest duration, exactly; 0 if there is none.
    member _.Min = if count = 0L then 0L else smallest

    /// The longest duration, exactly (an hour at most); 0 if there is none.
    member _.Max = greatest

    /// The count of a class by its index in HdrHistogram's array of counts.
    member _.Item
        with get (index: int) =
            match rows[index >>> HistogramLayout.HalfMagnitude] with
            | null ->
                match Array.BinarySearch(classes, index) with
                | at when at >= 0 -> times[at]
                | _ -> 0L
            | row -> row[index &&& (HistogramLayout.Half - 1)]

    /// The row of a class, made when there is none.
    member private this.Row(index: int) : int64[] =
        match rows[index >>> HistogramLayout.HalfMagnitude] with
        | null when classes.Length > 0 ->
            this.Unpack()
            this.Row index
        | null ->
            let row = Array.zeroCreate<int64> HistogramLayout.Half
            rows[index >>> HistogramLayout.HalfMagnitude] <- row
            row
        | row -> row

    member private this.Unpack() : unit =
        let counts = Array.zip classes times
        classes <- [||]
        times <- [||]

        for index, number in counts do
            (this.Row index)[index &&& (HistogramLayout.Half - 1)] <- number

    member private _.RowOrNull(at: int) : int64[] | null = rows[at]
    member private _.Classes = classes
    member private _.Times = times

    /// Counts a duration of so many nanoseconds, `times` times. Negative ones count as 0.
    member this.Record(nanoseconds: int64, times: int64) : unit =
        let value = min (max nanoseconds 0L) HistogramLayout.Largest

        if nanoseconds > HistogramLayout.Largest then
            clipped <- clipped + times

        let index = HistogramLayout.indexOf value
        let row = this.Row index
        row[index &&& (HistogramLayout.Half - 1)] <- row[index &&& (HistogramLayout.Half - 1)] + times
        count <- count + times
        smallest <- min smallest value
        greatest <- max greatest value

    /// Counts a duration of so many nanoseconds.
    member this.Record(nanoseconds: int64) : unit = this.Record(nanoseconds, 1L)

    /// Adds all that another histogram has counted.
    member this.Add(other: Histogram) : unit =
        for at in 0 .. rows.Length - 1 do
            match other.RowOrNull at with
            | null -> ()
            | added ->
                let row = this.Row(at <<< HistogramLayout.HalfMagnitude)

                for index in 0 .. HistogramLayout.Half - 1 do
                    row[index] <- row[index] + added[index]

        for at in 0 .. other.Classes.Length - 1 do
            let index = other.Classes[at]
            let row = this.Row index

            row[index &&& (HistogramLayout.Half - 1)] <-
                row[index &&& (HistogramLayout.Half - 1)] + other.Times[at]

        count <- count + other.Count
        clipped <- clipped + other.Clipped

        if other.Count > 0L then
            smallest <- min smallest other.Min
            greatest <- max greatest other.Max

    /// Forgets everything.
    member _.Clear() : unit =
        for row in rows do
            match row with
            | null -> ()
            | row -> Array.Clear row

        classes <- [||]
        times <- [||]
        count <- 0L
        clipped <- 0L
        smallest <- Int64.MaxValue
        greatest <- 0L

    /// The classes that are not empty, in ascending order.
    member this.Buckets: Bucket seq =
        let packed = this.Packed()

        Seq.zip packed.Classes packed.Times
        |> Seq.map (fun (index, number) ->
            {
                Lowest = HistogramLayout.lowestAt index
                Highest = HistogramLayout.highestAt index
                Count = number
            })

    /// The nanoseconds that `percent` (0 to 100) of the durations do not exceed: the upper end of their class, as in
    /// HdrHistogram, and at most the longest duration; 0 if there is no duration. Percentile 0 is the shortest duration.
    member _.Percentile(percent: float) : int64 =
        let share = Math.Clamp(percent, 0.0, 100.0) / 100.0
        // A product that is an integer may come out one step above it.
        let product = share * float count

        let wanted =
            max 1L (int64 (Math.Ceiling(product - (Math.BitIncrement product - product))))

        let mutable seen = 0L
        let mutable index = -1

        while seen < wanted && index < HistogramLayout.Length - 1 do
            index <- index + 1

            match rows[index >>> HistogramLayout.HalfMagnitude] with
            // Nothing in this row: on to its end.
            | null -> index <- index ||| (HistogramLayout.Half - 1)
            | row -> seen <- seen + row[index &&& (HistogramLayout.Half - 1)]

        let mutable at = 0

        while seen < wanted && at < classes.Length do
            index <- classes[at]
            seen <- seen + times[at]
            at <- at + 1

        if count = 0L then 0L
        elif share = 0.0 then smallest
        else min (HistogramLayout.highestAt index) greatest

    /// The mean in nanoseconds, from the middle of each class; NaN where there is none.
    member this.Mean: float =
        let mutable sum = 0.0

        for bucket in this.Buckets do
            sum <- sum + float bucket.Count * float (bucket.Lowest + bucket.Highest) / 2.0

        sum / float count

    /// The standard deviation in nanoseconds, from the middle of each class; NaN where there is none.
    member this.Deviation: float =
        let mean = this.Mean
        let mutable sum = 0.0

        for bucket in this.Buckets do
            let distance = float (bucket.Lowest + bucket.Highest) / 2.0 - mean
            sum <- sum + float bucket.Count * distance * distance

        Math.Sqrt(sum / float count)

    member private _.Fill(filled: int[], counts: int64[], least: int64, most: int64, aboveAll: int64) : unit =
        classes <- filled
        times <- counts
        count <- Array.sum counts
        clipped <- aboveAll

        if count > 0L then
            smallest <- least
            greatest <- most

    /// A packed copy with another Min, Max and Clipped, which lie in the classes of the shortest and the longest duration.
    member this.WithEnds(min: int64, max: int64, clipped: int64) : Histogram =
        let mutable number = 0
        HistogramLayout.forEach rows (fun _ _ -> number <- number + 1)
        let copy = Histogram()

        if number = 0 then
            copy.Fill(classes, times, min, max, clipped)
        else
            let filled = Array.zeroCreate<int> number
            let counts = Array.zeroCreate<int64> number
            let mutable next = 0

            HistogramLayout.forEach rows (fun index times ->
                filled[next] <- index
                counts[next] <- times
                next <- next + 1)

            copy.Fill(filled, counts, min, max, clipped)

        copy

    /// A copy that takes 12 bytes for each class that is not empty. A recording into it takes rows again.
    member this.Packed() : Histogram =
        this.WithEnds(smallest, greatest, clipped)

    /// The sum of several histograms.
    static member Sum(histograms: Histogram seq) : Histogram =
        let sum = Histogram()

        for histogram in histograms do
            sum.Add histogram

        sum

    /// One that has recorded nothing.
    static member Zero = Histogram()

    /// The sum of both.
    static member (+)(one: Histogram, other: Histogram) : Histogram = Histogram.Sum [ one; other ]
