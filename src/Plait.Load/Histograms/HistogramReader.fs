// Reading the text of a histogram that this or another program wrote: see CompressedHistogram.
module Plait.Load.HistogramReader


open System

open Plait.Load.EncodedHistogram

/// What came out of a text.
type Decoded =
    {
        Histogram: Histogram
        /// How its classes differed from ours, where they did not fit into ours one by one.
        Coarser: string option
    }

let private times (value: int64) (unit: int64) =
    if value > Histogram.Largest / unit then Histogram.Largest + 1L else value * unit

let private unpack (unit: int64) (bytes: byte[]) =
    checkCompressed bytes
    let plain = inflate bytes
    let layout = checkPlain plain
    let filled = ResizeArray<struct (int * int64)>()
    readCounts plain layout (fun index count -> filled.Add(struct (index, count)))
    let histogram = Histogram()
    let mutable coarser = false

    for at in 0 .. filled.Count - 1 do
        let struct (index, count) = filled[at]
        let struct (lowest, highest) = ends layout index
        let lowest, highest = times lowest unit, times highest unit
        // The class of the longest duration reaches beyond an hour; what is in it need not.
        let highest =
            if
                lowest <= Histogram.Largest
                && Histogram.IndexOf lowest = Histogram.IndexOf Histogram.Largest
            then
                min highest Histogram.Largest
            else
                highest

        if highest <= Histogram.Largest && Histogram.IndexOf lowest <> Histogram.IndexOf highest then
            coarser <- true
            histogram.Record(highest, count)
        elif at = 0 && filled.Count > 1 then
            histogram.Record(lowest, count)
        elif at = 0 && count > 1L then
            histogram.Record(lowest, 1L)
            histogram.Record(highest, count - 1L)
        else
            histogram.Record(highest, count)

    {
        Histogram = histogram
        Coarser =
            if coarser then
                Some
                    $"{layout.Digits} significant digits and a lowest value of {(1L <<< layout.UnitMagnitude) * unit} ns"
            else
                None
    }

/// Reads a histogram from its text. `unit`: how many nanoseconds its values count. Where its classes are wider than ours,
/// what is in one counts as its largest value, so that percentiles stay what they were; where they are as wide or
/// narrower, every count is in the class that it would have been recorded in. An error is the end of a sentence that
/// begins with the name of the text.
let decode (unit: int64) (text: string) : Result<Decoded, string> =
    try
        let bytes =
            try
                Convert.FromBase64String text
            with :? FormatException ->
                raise (Damaged "is not base64: it is cut off or damaged")

        Ok(unpack unit bytes)
    with Damaged reason ->
        Error reason
