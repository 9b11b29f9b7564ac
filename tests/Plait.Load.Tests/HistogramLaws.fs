// Histogram: percentiles against sorted samples, exact sums, the ends of what it takes, and what its text keeps.
module Plait.Load.Tests.HistogramLaws

open System
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.RandomHistograms

let private percents =
    [ 0.0; 0.001; 1.0; 10.0; 25.0; 50.0; 75.0; 90.0; 99.0; 99.9; 99.99; 100.0 ]

[<Fact>]
let ``a percentile is the sample of that rank to 1 in 1,024, and never below it`` () =
    Laws.forEach 300 samples (fun values ->
        let sorted = values |> List.sort |> Array.ofList
        let histogram = record values

        percents.Tail
        |> List.forall (fun percent ->
            let rank =
                Math.Ceiling(percent / 100.0 * float sorted.Length - 1e-9) |> int |> max 1

            let exact = sorted[rank - 1]
            let given = histogram.Percentile percent
            given >= exact && given - exact <= exact / 1024L))

[<Fact>]
let ``the shortest and the longest duration are exact`` () =
    Laws.forEach 300 samples (fun values ->
        let histogram = record values

        histogram.Min = List.min values
        && histogram.Max = List.max values
        && histogram.Percentile 100.0 = List.max values
        && histogram.Percentile 0.0 = List.min values
        && histogram.Count = int64 values.Length)

[<Fact>]
let ``percentiles ascend`` () =
    Laws.forEach 200 samples (fun values ->
        let histogram = record values

        percents
        |> List.map histogram.Percentile
        |> List.pairwise
        |> List.forall (fun (a, b) -> a <= b))

[<Fact>]
let ``the sum of two histograms equals one histogram of all their durations`` () =
    Laws.forEach 200 (Gen.zip (Gen.listOf durations) (Gen.listOf durations)) (fun (one, other) ->
        let sum = Histogram.Sum [ record one; record other ]
        content sum = content (record (one @ other)))

[<Fact>]
let ``classes are adjacent, and each is at most 1 in 1,024 wide`` () =
    let mutable expected = 0L

    for index in 0 .. Histogram.Length - 1 do
        let lowest, highest =
            HistogramLayout.lowestAt index, HistogramLayout.highestAt index

        Assert.Equal(expected, lowest)

        Assert.True(
            (highest - lowest + 1L) * 1024L <= max 1024L lowest,
            $"class {index}: {lowest} to {highest}"
        )

        expected <- highest + 1L

    Assert.True(expected > Histogram.Largest)

[<Fact>]
let ``a duration is counted in its class`` () =
    Laws.forEach 500 durations (fun value ->
        let index = Histogram.IndexOf value
        HistogramLayout.lowestAt index <= value && value <= HistogramLayout.highestAt index)

[<Fact>]
let ``a value above an hour counts as an hour, and is counted as clipped`` () =
    let histogram =
        record [ Histogram.Largest + 1L; Int64.MaxValue; Histogram.Largest; 5L ]

    Assert.Equal((4L, 2L), (histogram.Count, histogram.Clipped))
    Assert.Equal(Histogram.Largest, histogram.Max)

[<Fact>]
let ``a negative duration counts as none`` () =
    let histogram = record [ -1L; Int64.MinValue ]
    Assert.Equal((2L, 0L, 0L), (histogram.Count, histogram.Min, histogram.Max))

[<Fact>]
let ``an empty histogram has no figures`` () =
    let histogram = Histogram()
    Assert.Equal((0L, 0L, 0L), (histogram.Count, histogram.Min, histogram.Max))
    Assert.Equal(0L, histogram.Percentile 99.0)
    Assert.True(Double.IsNaN histogram.Mean)

[<Fact>]
let ``cleared values are gone`` () =
    let histogram = record [ 1L; Histogram.Largest + 1L ]
    histogram.Clear()
    Assert.Equal(content (Histogram()), content histogram)

[<Fact>]
let ``a rank that is a whole number is not rounded up, for any count`` () =
    // 99.9 % of 1e9 is 999,000,000 exactly, and a little more in floating point.
    for power in 3..15 do
        let total = pown 10L power
        let histogram = Histogram()
        histogram.Record(1000L, total / 1000L * 999L)
        histogram.Record(2000L, total / 1000L)
        Assert.Equal(1000L, histogram.Percentile 99.9)

/// The text, read again, with the ends that the text does not hold.
let private again (histogram: Histogram) =
    match CompressedHistogram.decode 1L (CompressedHistogram.encode histogram) with
    | Ok decoded ->
        Assert.Equal(None, decoded.Coarser)

        decoded.Histogram
        |> CompressedHistogram.withEnds histogram.Min histogram.Max histogram.Clipped
    | Error reason -> failwith reason

[<Fact>]
let ``the text of a histogram keeps every count, and with the ends beside it all`` () =
    Laws.forEach 200 (Gen.listOf durations) (fun values ->
        let histogram = record values
        content (again histogram) = content histogram)

[<Fact>]
let ``the text keeps clipped values and counts of any size`` () =
    let histogram = Histogram()
    histogram.Record(0L, 1L)
    histogram.Record(7L, 1L <<< 60)
    histogram.Record(Histogram.Largest + 5L, 3L)
    histogram.Record(Histogram.Largest, 2L)
    Assert.Equal(content histogram, content (again histogram))

[<Fact>]
let ``a packed copy has all values of the histogram, and neither changes the other`` () =
    Laws.forEach 200 (Gen.zip samples samples) (fun (values, more) ->
        let histogram = record values
        let packed = histogram.Packed()
        let again = packed.Packed()
        let before = content packed = content histogram && content again = content histogram

        let asked (histogram: Histogram) =
            percents |> List.map histogram.Percentile,
            values |> List.map (Histogram.IndexOf >> histogram.get_Item)

        let same = asked packed = asked histogram
        let sum = Histogram.Sum [ packed; record more ]

        for value in more do
            packed.Record value

        let whole = content (record (values @ more))

        before
        && same
        && content packed = whole
        && content sum = whole
        && content again = content (record values))

[<Fact>]
let ``the bytes of a packed copy follow its values`` () =
    let histogram = record [ for value in 1L .. 500L -> value * 100_000L ]
    let before = GC.GetAllocatedBytesForCurrentThread()
    let packed = histogram.Packed()
    let taken = GC.GetAllocatedBytesForCurrentThread() - before
    Assert.Equal(500L, packed.Count)
    Assert.InRange(taken, 1L, 500L * 12L + 1000L)

[<Fact>]
let ``the text alone gives ends to the width of their class`` () =
    Laws.forEach 100 samples (fun values ->
        let histogram = record values

        match CompressedHistogram.decode 1L (CompressedHistogram.encode histogram) with
        | Error _ -> false
        | Ok decoded ->
            let read = decoded.Histogram

            Histogram.IndexOf read.Min = Histogram.IndexOf histogram.Min
            && Histogram.IndexOf read.Max = Histogram.IndexOf histogram.Max
            && percents.Tail
               |> List.forall (fun percent ->
                   min (read.Percentile percent) histogram.Max = histogram.Percentile percent))

[<Fact>]
let ``ends outside of a histogram's classes are ignored`` () =
    let histogram = record [ 5_000_000L ]
    let wrong = CompressedHistogram.withEnds 1L 9L 0L histogram
    Assert.Equal(content histogram, content wrong)

[<Fact>]
let ``a damaged text is refused or reads as a histogram, without another exception`` () =
    let text =
        CompressedHistogram.encode (record [ for value in 1L .. 300L -> value * value * 1000L ])

    let bytes = Convert.FromBase64String text

    for at in 0 .. bytes.Length - 1 do
        let damaged = Array.copy bytes
        damaged[at] <- damaged[at] ^^^ 0x5auy
        CompressedHistogram.decode 1L (Convert.ToBase64String damaged) |> ignore

    for length in 0 .. text.Length - 1 do
        match CompressedHistogram.decode 1L (text.Substring(0, length)) with
        | Ok _ -> Assert.Fail $"{length} characters of {text.Length} read as a histogram"
        | Error reason -> Assert.NotEqual<string>("", reason)
