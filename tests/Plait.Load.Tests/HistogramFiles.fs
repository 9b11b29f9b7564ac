// .hgrm and .hlog, judged by another implementation: what we write it reads with the same figures, and what it writes we do.
module Plait.Load.Tests.HistogramFiles

open System
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Load
open Plait.Load.Hlog
open Plait.Tests.Support

let private percents = [ 1.0; 25.0; 50.0; 90.0; 99.0; 99.9; 99.99; 100.0 ]
let private started = DateTime(2026, 11, 21, 12, 0, 0, DateTimeKind.Utc)

let private some (size: int) (count: int) (gen: Gen<'T>) =
    Gen.sampleWithSeed (Rnd(Laws.seed, 7UL)) size count gen |> List.ofArray

let private question kind (fields: (string * (JsonNode | null)) list) =
    let json = JsonObject()
    json["kind"] <- JsonValue.Create(kind: string)

    for name, value in fields do
        json[name] <- value

    json

let private floats (values: float seq) =
    JsonArray([| for value in values -> JsonValue.Create value :> JsonNode | null |])

let private whole (value: JsonElement) = int64 (value.GetDouble())

/// A log of two tags with random histograms, one of them empty and one of a single value.
let private log: Interval list =
    let histograms =
        some 40 8 (Gen.listOf RandomHistograms.durations) @ [ []; [ Histogram.Largest ] ]
        |> List.map RandomHistograms.record

    [
        for at, histogram in List.indexed histograms do
            {
                Tag = Some(if at % 2 = 0 then "intended" else "actual")
                Start = float (at / 2)
                Length = 1.0
                Histogram = histogram
            }
    ]

[<Fact>]
let ``classes of values are the ones of HdrHistogram`` () =
    let values = some 50 400 RandomHistograms.durations
    let asked = floats (values |> List.map float)
    let answer = Judge.ask (question "index" [ "values", asked ])

    for value, other in Seq.zip values (answer.EnumerateArray()) do
        let index = Histogram.IndexOf value
        Assert.Equal(other.GetProperty("index").GetInt32(), index)
        Assert.Equal(whole (other.GetProperty "lowest"), HistogramLayout.lowestAt index)
        Assert.Equal(whole (other.GetProperty "highest"), HistogramLayout.highestAt index)

[<Fact>]
let ``HdrHistogram reads the written log with the same figures`` () =
    let text = Hlog.write started log

    let answer =
        Judge.ask (question "log" [ "log", JsonValue.Create text; "percents", floats percents ])

    let tags =
        [ for tag in answer.GetProperty("tags").EnumerateArray() -> tag.GetString() ]

    Assert.Equal<string list>([ "intended"; "actual" ], tags |> List.map string)
    let others = List.ofSeq (answer.GetProperty("intervals").EnumerateArray())
    Assert.Equal(log.Length, others.Length)

    for ours, other in List.zip log others do
        let number (name: string) = whole (other.GetProperty name)
        Assert.Equal(ours.Tag, Option.ofObj (other.GetProperty("tag").GetString()))
        Assert.Equal(ours.Histogram.Count, number "count")

        let milliseconds =
            int64 (started - DateTime.UnixEpoch).TotalMilliseconds + int64 (1000.0 * ours.Start)

        Assert.Equal((milliseconds, milliseconds + 1000L), (number "start", number "end"))
        // The text holds no exact maximum: it is known to the width of its class.
        Assert.Equal(HistogramLayout.highestAt (Histogram.IndexOf ours.Histogram.Max), number "max")

        for percent, value in Seq.zip percents (other.GetProperty("percentiles").EnumerateArray()) do
            let same =
                if ours.Histogram.Count = 0L then 0L else min (whole value) ours.Histogram.Max

            Assert.Equal(ours.Histogram.Percentile percent, same)

[<Fact; Trait("run", "more")>]
let ``the distribution equals that of HdrHistogram, character by character`` () =
    let histograms =
        [ []; [ 0L ]; [ 1L; 2L; 3L ]; [ Histogram.Largest ] ]
        @ some 60 12 RandomHistograms.samples
        @ [ [ for value in 1L .. 20_000L -> value * value ] ]

    for values in histograms do
        let histogram = RandomHistograms.record values
        let payload = CompressedHistogram.encode histogram

        let answer =
            Judge.ask (question "distribution" [ "payload", JsonValue.Create payload ])

        Assert.Equal(answer.GetString(), Hgrm.write histogram)

/// Has the other implementation write a log of these values, and reads it with our reader.
let private foreign (digits: int) (values: int64 list list) =
    let intervals =
        JsonArray(
            [|
                for at, values in List.indexed values do
                    let pairs =
                        JsonArray([| for value in values -> floats [ float value; 1.0 ] :> JsonNode |])

                    let interval = JsonObject()
                    interval["tag"] <- if at = 0 then null else JsonValue.Create $"t{at}"
                    interval["values"] <- pairs
                    interval :> JsonNode
            |]
        )

    let answer =
        Judge.ask (question "write" [ "digits", JsonValue.Create digits; "intervals", intervals ])

    string (answer.GetProperty("log").GetString()), List.ofSeq (answer.GetProperty("told").EnumerateArray())

let private cases = some 40 6 RandomHistograms.samples

[<Theory; InlineData 3; InlineData 4; InlineData 5>]
let ``a log of HdrHistogram reads with every count in its class`` (digits: int) =
    let text, _ = foreign digits cases
    let readLog = Hlog.read "x.hlog" 1L text
    let read = readLog.Intervals
    Assert.Empty readLog.Notes
    Assert.Equal(Some(DateTime(2023, 11, 14, 22, 13, 20, DateTimeKind.Utc)), readLog.StartedUtc)

    Assert.Equal<string option list>(
        [ None; Some "t1"; Some "t2" ],
        read |> List.map _.Tag |> List.truncate 3
    )

    for values, interval in List.zip cases read do
        let classes (histogram: Histogram) =
            [ for bucket in histogram.Buckets -> bucket.Lowest, bucket.Count ]

        Assert.Equal<(int64 * int64) list>(
            classes (RandomHistograms.record values),
            classes interval.Histogram
        )

[<Theory; InlineData 0; InlineData 1; InlineData 2>]
let ``a log of fewer digits keeps its percentiles, and has a warning`` (digits: int) =
    let text, told = foreign digits cases
    let readLog = Hlog.read "x.hlog" 1L text
    let read = readLog.Intervals
    let note = Assert.Single readLog.Notes
    Assert.Contains($"{digits} significant digits", note)

    for other, interval in List.zip told read do
        Assert.Equal(whole (other.GetProperty "count"), interval.Histogram.Count)

        for percent, value in
            Seq.zip [ 1.0; 50.0; 90.0; 99.0; 99.9; 100.0 ] (other.GetProperty("percentiles").EnumerateArray()) do
            let expected = min (whole value) Histogram.Largest
            let given = interval.Histogram.Percentile percent
            // one class of ours
            Assert.Equal(Histogram.IndexOf expected, Histogram.IndexOf given)

[<Fact>]
let ``values in microseconds are converted with the option for it`` () =
    let text, _ = foreign 3 [ [ 1_500L; 250_000L ] ]
    let read = (Hlog.read "x.hlog" 1_000L text).Intervals
    let histogram = read.Head.Histogram
    Assert.Equal(2L, histogram.Count)
    Assert.InRange(histogram.Percentile 50.0, 1_500_000L, 1_502_000L)
    Assert.InRange(histogram.Max, 250_000_000L, 250_250_000L)

[<Fact>]
let ``a written log reads back equal`` () =
    let readLog = Hlog.read "x.hlog" 1L (Hlog.write started log)
    let read = readLog.Intervals
    Assert.Equal((Some started, []), (readLog.StartedUtc, readLog.Notes))

    for ours, other in List.zip log read do
        Assert.Equal((ours.Tag, ours.Start, ours.Length), (other.Tag, other.Start, other.Length))
        Assert.Equal(ours.Histogram.Count, other.Histogram.Count)

[<Fact>]
let ``line ends, comments and absolute times are as other programs write them`` () =
    let payload = CompressedHistogram.encode (RandomHistograms.record [ 5L ])

    let start =
        "#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]"

    let first (text: string) =
        (Hlog.read "x" 1L text).Intervals.Head.Start

    Assert.Equal(
        0.127,
        first $"#c\r\n{start}\r\n\r\n\"StartTimestamp\",\"x\"\r\n0.127,1.0,2.7,{payload}\r\n",
        6
    )

    Assert.Equal(1.0, first $"{start}\n1441812280.474,1.0,2.7,{payload}", 6)

    Assert.Equal(
        3.0,
        first $"{start}\n#[BaseTime: 1441812279.474 (seconds since epoch)]\n3.0,1.0,2.7,{payload}",
        6
    )

    Assert.Equal(0.0, first $"7.5,1.0,2.7,{payload}", 6)

[<Fact>]
let ``a histogram of the .NET implementation, which packs its buffer with zeros behind the counts, is read``
    ()
    =
    // HdrHistogram 2.5.0: LongHistogram(1, 3600000000000, 3), EncodeIntoCompressedByteBuffer
    let payload =
        "HISTFAAAAVBYhe3KsQ1AYBSF0ecn0UgUWkPYQGcHk6glEgNYwBi2MIXeCAqWkJzTfMnNbZetiYgqXvnXLCIfumOP/n6Hs05XWaxTmsf0fQ"
        + String('A', 347)
        + "ID4pwc="

    match CompressedHistogram.decode 1L payload with
    | Ok decoded ->
        let expected =
            RandomHistograms.record [ 1000L; 1500L; 1500L; 250_000L; 12_345_678L ]

        Assert.Equal(None, decoded.Coarser)
        Assert.Equal<Bucket list>(List.ofSeq expected.Buckets, List.ofSeq decoded.Histogram.Buckets)
    | Error reason -> Assert.Fail reason

[<Fact>]
let ``a log of the Java implementation comes to the figures that its own tests state`` () =
    // jHiccup-2.0.7S.logV2.hlog from HdrHistogram's tests, in the public domain; the figures are in
    // HistogramLogReaderWriterTest.jHiccupV2Log. The log has two digits. There a copy with three is compared, which takes
    // the smallest value of each class; we take the largest, as the log's own histograms do for their percentiles.
    let file =
        Path.Combine(Built.root, "tests", "Plait.Load.Tests", "hdr", "jHiccup.hlog")

    let readLog = Hlog.read "jHiccup.hlog" 1L (File.ReadAllText file)
    let read = readLog.Intervals
    let sum = Histogram.Sum(read |> List.map _.Histogram)
    Assert.Equal((62, 48761L), (read.Length, sum.Count))
    let widths = (1L <<< 23) - (1L <<< 20)
    Assert.Equal(1745879039L + widths, sum.Percentile 99.9)
    Assert.Equal(1796210687L + widths, sum.Max)
    Assert.Equal(0.127, read.Head.Start, 6)
    Assert.Equal(Some(DateTime.UnixEpoch.AddSeconds 1441812279.474), readLog.StartedUtc)
    Assert.Contains("jHiccup.hlog was recorded with 2 significant digits", Assert.Single readLog.Notes)

let private wrong =
    let payload =
        CompressedHistogram.encode (RandomHistograms.record [ for value in 1L .. 99L -> value * 997L ])

    let line = $"Tag=a,0.000,1.000,2.0,{payload}\n"

    let changed (at: int) (value: byte) =
        let bytes = Convert.FromBase64String payload
        bytes[at] <- value
        $"#c\n0,1,2,{Convert.ToBase64String bytes}"

    [
        "nothing", "", [ "no interval" ]
        "only a header", "#[Histogram log format version 1.3]\n", [ "no interval" ]
        "no log at all", "<html></html>\n", [ "line 1"; "1 field" ]
        "a line that is cut off", line + line.Substring(0, 10), [ "line 2"; "cut off" ]
        "a histogram that is cut off", line + line.Substring(0, line.Length / 2), [ "line 2"; "cut off" ]
        "characters that base64 does not have", "0,1,2,H!ST\n", [ "line 1"; "base64" ]
        "a number that is none", $"#c\nx,1,2,{payload}\n", [ "line 2"; "start"; "'x'" ]
        "the cookie of an older encoding", changed 3 0x09uy, [ "line 2"; "V0 or V1"; "2.1.5" ]
        "an unknown cookie", changed 0 0uy, [ "line 2"; "not a compressed histogram" ]
        "packed bytes that are damaged", changed 9 0xffuy, [ "line 2"; "damaged" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``a damaged log is refused with its line`` (name: string) =
    let _, text, words = wrong |> List.find (fun (other, _, _) -> other = name)
    Refused.says "dir/x.hlog" words (fun () -> Hlog.read "dir/x.hlog" 1L text)

[<Fact>]
let ``a tag that would break the line is refused`` () =
    for tag in [ "a,b"; "a b"; "a\nb" ] do
        let interval =
            { Tag = Some tag; Start = 0.0; Length = 1.0; Histogram = Histogram() }

        Assert.Throws<BadInput>(Action(fun () -> Hlog.write started [ interval ] |> ignore))
        |> ignore
