// Random durations, and histograms of them.
module Plait.Tests.Support.RandomHistograms

open System
open FsCheck
open FsCheck.FSharp

open Plait.Load

/// Durations of every size, with the borders of classes among them.
let durations: Gen<int64> =
    let borders =
        [
            for shift in 0..41 do
                for near in -1L .. 1L do
                    (1L <<< shift) + near
            Histogram.Largest - 1L
            Histogram.Largest
        ]
        |> List.filter (fun value -> value <= Histogram.Largest)

    let anySize =
        gen {
            let! bits = Gen.choose (1, 41)
            let! low = Gen.choose (0, Int32.MaxValue)
            let! high = Gen.choose (0, Int32.MaxValue)
            let value = (int64 high <<< 31) + int64 low
            return min (value &&& ((1L <<< bits) - 1L)) Histogram.Largest
        }

    Gen.frequency [ 4, anySize; 1, Gen.elements borders ]

/// Samples in which some are equal, as in life.
let samples: Gen<int64 list> = Gen.nonEmptyListOf durations

/// A histogram of samples.
let record (values: int64 seq) : Histogram =
    let histogram = Histogram()

    for value in values do
        histogram.Record value

    histogram

/// All that a histogram knows.
let content (histogram: Histogram) =
    histogram.Count,
    histogram.Clipped,
    histogram.Min,
    histogram.Max,
    [ for bucket in histogram.Buckets -> bucket.Lowest, bucket.Highest, bucket.Count ]
