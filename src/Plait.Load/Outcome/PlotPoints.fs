// Pure: fewer points for a plot with the same outline. Time is cut in equal parts, and the highest and the lowest point of each part
// are kept.
module Plait.Load.PlotPoints

open System

open Plait.Report

/// How many points a series of dots may have.
let dots = 4000

/// The indices of the points that are kept, ascending by x: all of them when there are at most `limit`, otherwise the
/// highest and the lowest of each of limit / 2 parts of equal width. Points need no order.
let indices (limit: int) (xs: float[]) (ys: float[]) : int[] =
    let count = min xs.Length ys.Length

    let kept =
        if count <= limit then
            Array.init count id
        else
            let parts = max 1 (limit / 2)
            let mutable first = Double.PositiveInfinity
            let mutable last = Double.NegativeInfinity

            for at in 0 .. count - 1 do
                first <- min first xs[at]
                last <- max last xs[at]

            let scale = if last > first then float parts / (last - first) else 0.0
            let highest = Array.create parts -1
            let lowest = Array.create parts -1

            for at in 0 .. count - 1 do
                let part = min (parts - 1) (int ((xs[at] - first) * scale))

                if highest[part] < 0 || ys[at] > ys[highest[part]] then
                    highest[part] <- at

                if lowest[part] < 0 || ys[at] < ys[lowest[part]] then
                    lowest[part] <- at

            Array.append highest lowest |> Array.filter (fun at -> at >= 0) |> Array.distinct

    Array.sortInPlaceBy (fun at -> xs[at]) kept
    kept

/// A series of dots of at most `limit` points, which says how many there were.
let series (label: string) (family: Family) (style: Style) (limit: int) (xs: float[]) (ys: float[]) : Series =
    let points = indices limit xs ys |> Array.map (fun at -> [| xs[at]; ys[at] |])

    { Panel.series style label family points with Of = min xs.Length ys.Length }

/// At most about twice `limit` samples: of the right ones and of the others each, the slowest and the fastest of each
/// part of time. As long as there are no more than `limit` errors, every one of them is kept; the slowest sample always
/// is. In the order of their intended starts.
let samples (limit: int) (samples: Sample[]) : Sample[] =
    let thinned (samples: Sample[]) =
        let xs = samples |> Array.map (fun sample -> float sample.Intended)
        let ys = samples |> Array.map (fun sample -> float (sample.Done - sample.Intended))
        indices limit xs ys |> Array.map (fun at -> samples[at])

    let right, others =
        samples |> Array.partition (fun sample -> sample.Result = RequestResult.Right)

    Array.append (thinned right) (thinned others)
    |> Array.sortBy (fun sample -> sample.Intended)
