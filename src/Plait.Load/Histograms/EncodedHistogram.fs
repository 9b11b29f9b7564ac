// The bytes of HdrHistogram's compressed V2 encoding, checked and unpacked: how the classes lie, and the counts of
// them. CompressedHistogram gives them their meaning for a histogram of ours.
module internal Plait.Load.EncodedHistogram

open System
open System.Buffers.Binary
open System.IO
open System.IO.Compression
open System.Numerics

/// The beginning of an encoding, without the size of a word.
let encodingCookie = 0x1c849303
/// The same for one that is packed.
let compressedCookie = 0x1c849304
/// The low bits of a cookie are the size of a word, which this encoding does not use.
let private wordSizeBits = 0xf0
/// Bytes before the counts.
let headerLength = 40

/// The error in a text, as the end of a sentence.
exception Damaged of string

/// How the classes of a histogram lie.
[<Struct>]
type Layout = { HalfMagnitude: int; UnitMagnitude: int; Digits: int }

let private layoutOf (digits: int) (lowest: int64) =
    let single = 2.0 * Math.Pow(10.0, float digits)
    let magnitude = int (Math.Ceiling(Math.Log2 single))

    {
        HalfMagnitude = max magnitude 1 - 1
        UnitMagnitude = BitOperations.Log2(uint64 lowest)
        Digits = digits
    }

/// The smallest and the largest value of a class, saturated.
let ends (layout: Layout) (index: int) =
    let half = 1 <<< layout.HalfMagnitude
    let bucket = (index >>> layout.HalfMagnitude) - 1

    let sub, bucket =
        if bucket < 0 then index, 0 else (index &&& (half - 1)) + half, bucket

    let shift = bucket + layout.UnitMagnitude

    if shift + BitOperations.Log2(uint64 (max sub 1)) >= 62 then
        struct (Int64.MaxValue, Int64.MaxValue)
    else
        let lowest = int64 sub <<< shift
        struct (lowest, lowest + (1L <<< shift) - 1L)

/// Unpacks the bytes behind the first header.
let inflate (bytes: byte[]) =
    // Five digits over all of int64 need less; more is not a histogram.
    let limit = 64 * 1024 * 1024

    try
        use source =
            new ZLibStream(new MemoryStream(bytes, 8, bytes.Length - 8), CompressionMode.Decompress)

        let target = new MemoryStream()
        let buffer = Array.zeroCreate<byte> 16384
        let mutable count = source.Read(buffer, 0, buffer.Length)

        while count > 0 && target.Length <= limit do
            target.Write(buffer, 0, count)
            count <- source.Read(buffer, 0, buffer.Length)

        if target.Length > limit then
            raise (Damaged "unpacks to more than 64 MB, which no histogram does")

        target.ToArray()
    with :? InvalidDataException ->
        raise (Damaged "cannot be unpacked: it is cut off or damaged")

let private readNumber (bytes: byte[]) (at: byref<int>) : int64 =
    let mutable value = 0UL
    let mutable shift = 0
    let mutable more = true

    while more do
        if at >= bytes.Length then
            raise (Damaged "ends in the middle of a count")

        let next = uint64 bytes[at]
        at <- at + 1

        if shift = 56 then
            value <- value ||| (next <<< 56)
            more <- false
        else
            value <- value ||| ((next &&& 0x7fUL) <<< shift)
            shift <- shift + 7
            more <- (next &&& 0x80UL) <> 0UL

    int64 (value >>> 1) ^^^ -(int64 (value &&& 1UL))

/// The cookie of packed or unpacked bytes, without the size of a word.
let private cookieOf (bytes: byte[]) =
    BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan bytes) &&& ~~~wordSizeBits

/// Raises Damaged unless the bytes begin as a packed histogram and are all there.
let checkCompressed (bytes: byte[]) =
    if bytes.Length < 8 then
        raise (Damaged "is too short for a histogram: it is cut off or damaged")

    match cookieOf bytes with
    | cookie when cookie = compressedCookie -> ()
    | 0x1c849302
    | 0x1c849309 ->
        raise (
            Damaged
                "is in the encoding V0 or V1 of HdrHistogram, and only V2 is read; write it again with HdrHistogram 2.1.5 or later"
        )
    | 0x0c72124e
    | 0x0c72124f -> raise (Damaged "is a DoubleHistogram, and only histograms of whole numbers are read")
    | _ -> raise (Damaged "is not a compressed histogram: it does not begin like one")

    let stated = BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan(bytes, 4, 4))

    if stated <> bytes.Length - 8 then
        raise (
            Damaged
                $"has {bytes.Length - 8} bytes instead of the {stated} in its header: it is cut off or damaged"
        )

/// How many bytes the counts take, by their header. HdrHistogram.NET packs its whole buffer: zeros follow the counts.
let private countBytes (plain: byte[]) =
    BinaryPrimitives.ReadInt32BigEndian(ReadOnlySpan(plain, 4, 4))

/// How the classes lie. Raises Damaged unless the unpacked bytes are a histogram.
let checkPlain (plain: byte[]) =
    if plain.Length < headerLength || cookieOf plain <> encodingCookie then
        raise (Damaged "does not hold a histogram of the encoding V2")

    let span = ReadOnlySpan plain
    let digits = BinaryPrimitives.ReadInt32BigEndian(span.Slice 12)
    let lowest = BinaryPrimitives.ReadInt64BigEndian(span.Slice 16)
    let ratio = BinaryPrimitives.ReadDoubleBigEndian(span.Slice 32)

    if digits < 0 || digits > 5 then
        raise (Damaged $"has {digits} significant digits in its header; HdrHistogram has 0 to 5")

    if lowest < 1L || lowest > (1L <<< 40) then
        raise (Damaged $"has the impossible lowest discernible value {lowest} in its header")

    // Some ports write the integer 1 where the others write the float 1.0; none uses it for whole numbers.
    if ratio <> 1.0 && ratio <> 0.0 && BitConverter.DoubleToInt64Bits ratio <> 1L then
        raise (Damaged $"has a factor of {ratio:R} for its values; only whole values are read")

    let stated = countBytes plain
    let isWhole = stated >= 0 && stated <= plain.Length - headerLength

    if not isWhole || span.Slice(headerLength + stated).ContainsAnyExcept 0uy then
        raise (
            Damaged
                $"has {plain.Length - headerLength} bytes of counts instead of the {stated} in its header: it is damaged"
        )

    layoutOf digits lowest

/// Calls `each` with the index and count of every class that is not empty. Raises Damaged.
let readCounts (plain: byte[]) (layout: Layout) (each: int -> int64 -> unit) =
    let classes = (66 <<< layout.HalfMagnitude)
    let stop = headerLength + countBytes plain
    let mutable at = headerLength
    let mutable index = 0
    let mutable total = 0L

    while at < stop do
        let count = readNumber plain &at

        if count < 0L then
            if count < int64 -classes then
                raise (Damaged "has a run of zeros that is longer than a histogram")

            index <- index + int -count
        else
            if index >= classes then
                raise (Damaged "has more counts than a histogram of its digits can have")

            if count > 0L then
                if total > Int64.MaxValue - count then
                    raise (Damaged "has counts whose sum is too large for 64 bits")

                total <- total + count
                each index count

            index <- index + 1
