// The percentile distribution as text (.hgrm), as HdrHistogram's outputPercentileDistribution prints it with five
// ticks for each half of the distance to 100 %, in milliseconds. HdrHistogram's plotter draws it.
module Plait.Load.Hgrm

open System
open System.Globalization
open System.Text

let private ticksPerHalf = 5.0
/// HdrHistogram prints how many powers of two it has classes for, and how many classes the first has.
let private buckets, subBuckets = 32, 2048

/// As HdrHistogram rounds: the shortest text of the number, and halves away from zero.
let private fixed' (digits: int) (value: float) =
    let text = value.ToString("R", CultureInfo.InvariantCulture)
    let exact = Decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture)

    Math
        .Round(exact, digits, MidpointRounding.AwayFromZero)
        .ToString("F" + string digits, CultureInfo.InvariantCulture)

let private milliseconds (nanoseconds: float) = fixed' 3 (nanoseconds / 1e6)

/// Half-way through a class, as HdrHistogram takes it.
let private middle (bucket: Bucket) =
    float (bucket.Lowest + (bucket.Highest - bucket.Lowest + 1L) / 2L)

let private meanAndDeviation (classes: Bucket[]) (count: int64) =
    if count = 0L then
        0.0, 0.0
    else
        let sum =
            (0.0, classes) ||> Array.fold (fun sum bucket -> sum + middle bucket * float bucket.Count)

        let mean = sum / float count

        let squares =
            (0.0, classes)
            ||> Array.fold (fun sum bucket ->
                let distance = middle bucket - mean
                sum + distance * distance * float bucket.Count)

        mean, Math.Sqrt(squares / float count)

/// The percentage behind one at which a curve has a point: the distance to 100 % is cut in ticks, and they halve whenever the
/// distance has.
let nextLevel (level: float) =
    let halvings = Math.Floor(Math.Log2(100.0 / (100.0 - level))) + 1.0
    level + 100.0 / (ticksPerHalf * Math.Pow(2.0, halvings))

/// The text of a histogram of nanoseconds.
let write (histogram: Histogram) : string =
    let text = StringBuilder()

    let line (content: string) =
        text.Append(content).Append('\n') |> ignore

    line "       Value     Percentile TotalCount 1/(1-Percentile)"
    line ""

    let classes = Array.ofSeq histogram.Buckets
    let mutable level = 0.0
    let mutable seen = 0L

    let row (bucket: Bucket) (percentile: float) (more: string) =
        let value = (milliseconds (float bucket.Highest)).PadLeft 12
        line $"{value} {fixed' 12 (percentile / 100.0)} {string seen, 10}{more}"

    for at in 0 .. classes.Length - 1 do
        let bucket = classes[at]
        seen <- seen + bucket.Count
        let reached = 100.0 * float seen / float histogram.Count
        let mutable go = true

        while go && reached >= level && level < 100.0 do
            row bucket level (" " + (fixed' 2 (1.0 / (1.0 - level / 100.0))).PadLeft 14)
            level <- nextLevel level
            // All is counted: one line for the level that is reached, and the line for all of it.
            go <- at < classes.Length - 1

        if at = classes.Length - 1 then
            row bucket 100.0 ""

    let mean, deviation = meanAndDeviation classes histogram.Count

    let longest = if classes.Length = 0 then 0.0 else float (Array.last classes).Highest

    let shown (nanoseconds: float) = (milliseconds nanoseconds).PadLeft 12
    line $"#[Mean    = {shown mean}, StdDeviation   = {shown deviation}]"
    line $"#[Max     = {shown longest}, Total count    = {histogram.Count, 12}]"
    line $"#[Buckets = {buckets, 12}, SubBuckets     = {subBuckets, 12}]"
    text.ToString()
