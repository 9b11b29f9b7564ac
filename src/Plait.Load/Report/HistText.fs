// Latencies in buckets of the user's choice, as vegeta's hist report.
module Plait.Load.HistText

open System
open System.Globalization

open Plait.Common

/// The buckets of a text such as "[0,1ms,2ms]", ascending, with 0 before them. `name` is for the sentence of BadInput.
let buckets (name: string) (text: string) : int64 list =
    let inner = text.Trim()

    if not (inner.StartsWith '[' && inner.EndsWith ']') || inner.Length < 3 then
        raise (BadInput $"{name}: '{text}' is not a list of buckets; write it as [0,1ms,5ms,100ms]")

    let ends =
        inner.Substring(1, inner.Length - 2).Split ','
        |> List.ofArray
        |> List.map (Duration.parse name)

    if ends |> List.pairwise |> List.exists (fun (a, b) -> a >= b) then
        raise (BadInput $"{name}: the buckets of '{text}' do not ascend; write the smallest first")

    if ends.Head > 0L then 0L :: ends else ends

/// The number of durations in each bucket, in the form of vegeta's hist report. If a border cuts a class of the histogram, the
/// bucket of the middle of the class has its count.
let write (buckets: int64 list) (histogram: Histogram) : string =
    let borders = Array.ofList buckets
    let counts = Array.zeroCreate<int64> borders.Length

    for bucket in histogram.Buckets do
        let middle = bucket.Lowest + (bucket.Highest - bucket.Lowest) / 2L

        let at =
            borders |> Array.findIndexBack (fun border -> border <= middle || border = 0L)

        counts[at] <- counts[at] + bucket.Count

    let bare (nanoseconds: int64) = Duration.show nanoseconds

    TextTable.columns
        [
            [ "Bucket"; ""; "#"; "%"; "Histogram" ]
            for at in 0 .. borders.Length - 1 do
                let share =
                    if histogram.Count = 0L then 0.0 else float counts[at] / float histogram.Count

                let until = if at + 1 < borders.Length then bare borders[at + 1] else "+Inf"

                [
                    $"[{bare borders[at]},"
                    $"{until}]"
                    string counts[at]
                    (100.0 * share).ToString("F2", CultureInfo.InvariantCulture) + "%"
                    String('#', int (share * 75.0))
                ]
        ]
    |> String.concat "\n"
    |> fun text -> text + "\n"
