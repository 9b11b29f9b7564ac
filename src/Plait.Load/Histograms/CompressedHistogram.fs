// A histogram as text: base64 of HdrHistogram's compressed V2 encoding, which every port of HdrHistogram reads. Files and
// processes hand histograms on in this form, because it keeps every count.
module Plait.Load.CompressedHistogram

open System
open System.Buffers.Binary
open System.IO
open System.IO.Compression

open Plait.Load.EncodedHistogram

let private wordSize = 0x10

/// Writes a number so that small ones take few bytes: ZigZag, then seven bits a byte, all eight in the ninth.
let private writeNumber (target: Stream) (value: int64) =
    let rec go (rest: uint64) (written: int) =
        if written = 8 || rest < 0x80UL then
            target.WriteByte(byte rest)
        else
            target.WriteByte(byte (rest &&& 0x7fUL) ||| 0x80uy)
            go (rest >>> 7) (written + 1)

    go (uint64 ((value <<< 1) ^^^ (value >>> 63))) 0

/// The counts up to the last that is not zero; a run of zeros is its length as a negative number.
let private counts (histogram: Histogram) =
    let target = new MemoryStream()
    let last = Histogram.IndexOf histogram.Max

    let rec go index zeros =
        if index > last then
            if zeros > 0 then
                writeNumber target (if zeros = 1 then 0L else int64 -zeros)
        elif histogram[index] = 0L then
            go (index + 1) (zeros + 1)
        else
            if zeros > 0 then
                writeNumber target (if zeros = 1 then 0L else int64 -zeros)

            writeNumber target histogram[index]
            go (index + 1) 0

    go 0 0
    target.ToArray()

/// The text of a histogram.
let encode (histogram: Histogram) : string =
    let counts = counts histogram
    let plain = Array.zeroCreate<byte>(headerLength + counts.Length)
    let span = plain.AsSpan()
    BinaryPrimitives.WriteInt32BigEndian(span, encodingCookie ||| wordSize)
    BinaryPrimitives.WriteInt32BigEndian(span.Slice 4, counts.Length)
    // no offset, three digits, values from 1 to an hour, each as it is
    BinaryPrimitives.WriteInt32BigEndian(span.Slice 8, 0)
    BinaryPrimitives.WriteInt32BigEndian(span.Slice 12, 3)
    BinaryPrimitives.WriteInt64BigEndian(span.Slice 16, 1L)
    BinaryPrimitives.WriteInt64BigEndian(span.Slice 24, Histogram.Largest)
    BinaryPrimitives.WriteDoubleBigEndian(span.Slice 32, 1.0)
    counts.CopyTo(plain, headerLength)

    let target = new MemoryStream()
    target.Write(ReadOnlySpan(Array.zeroCreate 8))

    using (new ZLibStream(target, CompressionLevel.Optimal, true)) (fun deflate ->
        deflate.Write(ReadOnlySpan plain))

    let bytes = target.ToArray()
    BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(), compressedCookie ||| wordSize)
    BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan 4, bytes.Length - 8)
    Convert.ToBase64String bytes

/// The histogram of a text.
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
        // The class of the longest duration reaches beyond an hour; the durations in it need not.
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

/// Reads a histogram from its text. `unit`: the nanoseconds of one unit of its values. If its classes are wider than
/// ours, the largest value of a class stands for all of its values, so that percentiles stay as they were; otherwise
/// every count is in the class into which we would have recorded it. An error is the end of a sentence that begins
/// with the name of the text.
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

/// The same counts with the exact shortest and longest duration, which the text does not have. If one of the two lies outside
/// of the first or last class of the histogram, the histogram stays as it is.
let withEnds (shortest: int64) (longest: int64) (clipped: int64) (histogram: Histogram) : Histogram =
    let fits =
        histogram.Count > 0L
        && shortest >= 0L
        && longest <= Histogram.Largest
        && shortest <= longest
        && Histogram.IndexOf shortest = Histogram.IndexOf histogram.Min
        && Histogram.IndexOf longest = Histogram.IndexOf histogram.Max

    if fits then histogram.WithEnds(shortest, longest, max 0L clipped) else histogram
