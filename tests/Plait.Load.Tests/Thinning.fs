// Thinning: what is left keeps the outline and every peak, says how many there were, and is fast.
module Plait.Load.Tests.Thinning

open System
open System.Diagnostics
open FsCheck.FSharp
open Xunit

open Plait.Load
open Plait.Report
open Plait.Tests.Support

let private points =
    Gen.listOf (Gen.zip (Gen.choose (0, 1000)) (Gen.choose (-50, 50)))
    |> Gen.map (fun points ->
        points |> List.map (fst >> float) |> Array.ofList, points |> List.map (snd >> float) |> Array.ofList)

let private limits = Gen.choose (2, 40)

[<Fact>]
let ``thinning leaves at most the limit of points, ascending, each once`` () =
    Laws.forEach 300 (Gen.zip limits points) (fun (limit, (xs, ys)) ->
        let kept = PlotPoints.indices limit xs ys

        kept.Length <= max limit 2
        && (Array.distinct kept).Length = kept.Length
        && kept
           |> Array.map (fun at -> xs[at])
           |> Array.pairwise
           |> Array.forall (fun (a, b) -> a <= b))

[<Fact>]
let ``thinning leaves few points unchanged`` () =
    Laws.forEach 200 points (fun (xs, ys) -> (PlotPoints.indices xs.Length xs ys).Length = xs.Length)

[<Fact>]
let ``thinning keeps the highest and the lowest point of every part of time`` () =
    Laws.forEach 300 (Gen.zip limits points) (fun (limit, (xs, ys)) ->
        if xs.Length <= limit then
            true
        else
            let parts = limit / 2
            let first, last = Array.min xs, Array.max xs

            let part at =
                if last = first then
                    0
                else
                    min (parts - 1) (int ((xs[at] - first) * (float parts / (last - first))))

            let ends (indices: int seq) =
                indices
                |> Seq.groupBy part
                |> Seq.map (fun (part, inside) ->
                    let values = inside |> Seq.map (fun at -> ys[at]) |> List.ofSeq
                    part, List.max values, List.min values)
                |> Set.ofSeq

            ends (seq { 0 .. xs.Length - 1 }) = ends (PlotPoints.indices limit xs ys))

[<Fact>]
let ``a series has the number of points before thinning`` () =
    Laws.forEach 100 (Gen.zip limits points) (fun (limit, (xs, ys)) ->
        let series = PlotPoints.series "a" Family.Plait Style.Dots limit xs ys
        series.Of = xs.Length && series.Points.Length <= max limit 2)

let private million =
    let random = Random 7

    Array.init 1_000_000 (fun at ->
        let sent = int64 at * 10_000L
        RandomOutcomes.rightSample sent sent (sent + int64 (random.Next 1_000_000)))

[<Fact>]
let ``of a million samples the slowest and every failed one are left`` () =
    let samples = Array.copy million
    let slowest = 777_777
    samples[slowest] <- { samples[slowest] with Done = samples[slowest].Intended + 9_000_000_000L }
    let failed = [ for at in 0..99 -> at * 10_007 ]

    for at in failed do
        samples[at] <- { samples[at] with Result = RequestResult.Reset; Status = 0 }

    let watch = Stopwatch.StartNew()
    let kept = PlotPoints.samples PlotPoints.dots samples
    // Well under a second on a quiet machine; the bound only rules out work that grows faster than the number.
    Assert.True(watch.Elapsed < Within.limit, $"{watch.Elapsed}")
    Assert.True(kept.Length <= 2 * PlotPoints.dots, $"{kept.Length} are left")
    Assert.Contains(samples[slowest], kept)

    for at in failed do
        Assert.Contains(samples[at], kept)

[<Fact>]
let ``if too many requests failed to draw, each moment keeps its slowest`` () =
    let samples =
        million |> Array.map (fun sample -> { sample with Result = RequestResult.TimedOut })

    let kept = PlotPoints.samples PlotPoints.dots samples
    Assert.True(kept.Length <= PlotPoints.dots)
    let slowest = samples |> Array.maxBy (fun sample -> sample.Done - sample.Intended)
    let longest (sample: Sample) = sample.Done - sample.Intended
    Assert.Equal(longest slowest, kept |> Array.map longest |> Array.max)
