// Plans and outcomes as JSON and back: the one format for files of load runs and for messages between processes. Everything is read
// back exactly, histograms to the last count, except samples, which are thinned. Field names are the records' names. The converters
// below are for values that JSON has no form for.
module Plait.Load.OutcomeJson

open System
open System.Text.Json
open System.Text.Json.Nodes
open System.Text.Json.Serialization

open Plait.Common

// The base class of converters is annotated for values that may be null. Those here never are: nulls are refused before.
#nowarn "3261"
#nowarn "3265"

/// The version of the format.
let schema = "plait-attack/9"

/// The percentiles in files, for readers without a tool.
let percents =
    [ 1.0; 5.0; 10.0; 25.0; 50.0; 75.0; 90.0; 95.0; 99.0; 99.9; 99.99; 99.999; 100.0 ]

let private refuse (what: string) : 'T = JsonPlace.wrong "" what

/// Converts a type by a surrogate, a type that has a form in JSON.
type private SurrogateConverter<'Value, 'Json>(write: 'Value -> 'Json, read: 'Json -> 'Value) =
    inherit JsonConverter<'Value>()

    override _.Read(reader, _, options) =
        let json =
            try
                JsonSerializer.Deserialize<'Json>(&reader, options)
            with :? JsonException as trouble ->
                JsonPlace.wrong (JsonPlace.path trouble) (JsonPlace.words trouble)

        match box json with
        | null -> refuse "it is null"
        | _ -> read json

    override _.Write(writer, value, options) =
        JsonSerializer.Serialize(writer, write value, options)

/// Numbers on one line; other values have a line each.
type private OneLine<'Number>() =
    inherit JsonConverter<'Number[]>()

    override _.Read(reader, _, _) =
        match JsonSerializer.Deserialize<ResizeArray<'Number>> &reader with
        | null -> refuse "it is null"
        | numbers -> numbers.ToArray()

    override _.Write(writer, numbers, _) =
        writer.WriteRawValue(JsonSerializer.Serialize(Seq.ofArray numbers))

/// A header of a request.
type Header = { Name: string; Value: string }

/// A model: Arrivals.text of it, and its connections.
type ModelText = { Arrivals: string; Connections: int }

/// A histogram: figures to be read, and all of its counts in HdrHistogram's compressed encoding V2.
type Distribution =
    {
        Count: int64
        Clipped: int64
        Min: int64
        Max: int64
        Mean: float option
        Deviation: float option
        /// Pairs of a percentage and the nanoseconds of that percentile.
        Percentiles: float[][]
        Hdr: string
    }

/// Requests one by one, thinned.
type Points = { Columns: string list; Points: int64[][] }

let private distribution (histogram: Histogram) : Distribution =
    let finite (value: float) =
        if Double.IsFinite value then Some value else None

    {
        Count = histogram.Count
        Clipped = histogram.Clipped
        Min = histogram.Min
        Max = histogram.Max
        Mean = finite histogram.Mean
        Deviation = finite histogram.Deviation
        Percentiles = [| for percent in percents -> [| percent; float (histogram.Percentile percent) |] |]
        Hdr = CompressedHistogram.encode histogram
    }

let private histogram (written: Distribution) : Histogram =
    match CompressedHistogram.decode 1L written.Hdr with
    | Error reason -> refuse $"the histogram {reason}"
    | Ok decoded when decoded.Histogram.Count <> written.Count ->
        refuse
            $"its count is {written.Count}, and its histogram holds {decoded.Histogram.Count}: it was changed by hand or is damaged"
    | Ok decoded -> CompressedHistogram.withEnds written.Min written.Max written.Clipped decoded.Histogram

let private columns =
    [
        "intendedNanoseconds"
        "sentNanoseconds"
        "doneNanoseconds"
        "status"
        "result"
        "request"
        "bodySent"
        "bodyBytes"
        "waited"
    ]

let private point (sample: Sample) =
    [|
        sample.Intended
        sample.Sent
        sample.Done
        int64 sample.Status
        int64 sample.Result
        int64 sample.Request
        sample.BodySent
        sample.BodyBytes
        if sample.HasWaited then 1L else 0L
    |]

let private sample (at: int) (point: int64[]) : Sample =
    match point with
    | [| intended; sent; done'; status; result; request; bodySent; bodyBytes; waited |] when
        abs status < 1000L
        && Enum.IsDefined(enum<RequestResult>(int (min result 1000L)))
        && abs request <= int64 Int32.MaxValue
        ->
        {
            Intended = intended
            Sent = sent
            Done = done'
            Status = int status
            Result = enum<RequestResult>(int result)
            Request = int request
            BodySent = bodySent
            BodyBytes = bodyBytes
            HasWaited = waited <> 0L
        }
    | _ -> JsonPlace.wrong $".points[{at}]" $"""it is not nine numbers: {String.concat ", " columns}"""

/// The Dates of a server, a line for each.
type DateLines = { Columns: string list; Dates: int64[][] }

let private dateLines: SurrogateConverter<ServerDate list, DateLines> =
    SurrogateConverter<ServerDate list, DateLines>(
        (fun dates ->
            {
                Columns = [ "unixSeconds"; "firstDoneNanoseconds"; "lastSentNanoseconds" ]
                Dates = [| for date in dates -> [| date.Unix; date.FirstDone; date.LastSent |] |]
            }),
        _.Dates
        >> Array.mapi (fun at line ->
            match line with
            | [| unix; first; last |] -> { Unix = unix; FirstDone = first; LastSent = last }
            | _ ->
                JsonPlace.wrong
                    $".dates[{at}]"
                    $"""it is not three numbers: {String.concat ", " [ for number in line -> string number ]}""")
        >> List.ofArray
    )

let private result (name: string) : RequestResult =
    match Outcome.results |> List.tryFind (fun result -> Outcome.resultName result = name) with
    | Some result -> result
    | None ->
        let known = Outcome.results |> List.map Outcome.resultName |> String.concat ", "
        refuse $"'{name}' is none of: {known}"

let private status (text: string) : int =
    match Int32.TryParse text with
    | true, status -> status
    | _ -> refuse $"the status '{text}' is not a number"

let private keyed
    (name: 'Key -> string)
    (key: string -> 'Key)
    : SurrogateConverter<Map<'Key, 'Value>, Map<string, 'Value>> =
    let each convert (map: Map<_, 'Value>) =
        map |> Map.toList |> List.map (fun (key, value) -> convert key, value) |> Map.ofList

    SurrogateConverter(each name, each key)

let private converters: JsonConverter list =
    [
        OneLine<int64>()
        OneLine<float>()
        SurrogateConverter<TimeSpan, float>(
            _.TotalSeconds,
            fun seconds ->
                if abs seconds < 1e9 then
                    TimeSpan.FromTicks(int64 (Math.Round(seconds * 1e7)))
                else
                    refuse $"a time of {seconds} seconds is too long"
        )
        SurrogateConverter<Uri, string>(
            _.OriginalString,
            fun text ->
                match Uri.TryCreate(text, UriKind.Absolute) with
                | true, url -> url
                | _ -> refuse $"'{text}' is no URL"
        )
        SurrogateConverter<string * string, Header>(
            (fun (name, value) -> { Name = name; Value = value }),
            fun header -> header.Name, header.Value
        )
        SurrogateConverter<Model, ModelText>(
            (fun model ->
                match model with
                | Open(_, count)
                | Closed count -> { Arrivals = Arrivals.text model; Connections = count }),
            fun text ->
                Arrivals.parse text.Connections text.Arrivals
                |> Option.defaultWith (fun () ->
                    JsonPlace.wrong ".arrivals" $"'{text.Arrivals}' is none of {Arrivals.texts}")
        )
        SurrogateConverter<Rule, string>(
            Rule.text,
            fun text ->
                try
                    Rule.parse text
                with :? BadInput as trouble ->
                    refuse trouble.Message
        )
        SurrogateConverter<Histogram, Distribution>(distribution, histogram)
        SurrogateConverter<Sample[], Points>(
            (fun samples ->
                {
                    Columns = columns
                    Points = PlotPoints.samples PlotPoints.dots samples |> Array.map point
                }),
            _.Points >> Array.mapi sample
        )
        dateLines
        (keyed Outcome.resultName result: SurrogateConverter<Map<RequestResult, int64>, _>)
        (keyed Outcome.resultName result: SurrogateConverter<Map<RequestResult, string>, _>)
        (keyed string status: SurrogateConverter<Map<int, int64>, _>)
    ]

// A file also has its schema. Keys of a newer version are skipped.
let private withoutCounts =
    JsonSerializerOptions(
        UnionJson.options converters true false,
        RespectNullableAnnotations = true,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip
    )

/// An outcome. In JSON the fields of Counts stand among its other keys, before the steps.
type private WithCounts() =
    inherit JsonConverter<Outcome>()

    override _.Read(reader, _, _) =
        try
            let json = JsonElement.ParseValue &reader
            let outcome = nonNull (json.Deserialize<Outcome> withoutCounts)
            { outcome with Counts = nonNull (json.Deserialize<RunCounts> withoutCounts) }
        with :? JsonException as trouble ->
            JsonPlace.wrong (JsonPlace.path trouble) (JsonPlace.words trouble)

    override _.Write(writer, outcome, _) =
        let node (value: 'Part) =
            (nonNull (JsonSerializer.SerializeToNode(value, withoutCounts))).AsObject()

        let json, counts = node outcome, node outcome.Counts

        for KeyValue(key, value) in List.ofSeq counts do
            counts.Remove key |> ignore
            json.Insert(json.IndexOf "steps", key, value)

        json.WriteTo(writer, withoutCounts)

let private options =
    let options = JsonSerializerOptions withoutCounts
    options.Converters.Insert(0, WithCounts())
    options

/// A part of a load run for another process: a plan, a second or an outcome.
let part (value: 'Part) : JsonNode =
    nonNull (JsonSerializer.SerializeToNode(value, options))

/// A part that another process wrote. Raises JsonException when it cannot be read.
let ofPart<'Part when 'Part: not struct and 'Part: not null> (value: JsonElement) : 'Part =
    nonNull (JsonSerializer.Deserialize<'Part>(value, options))

/// The text of a file: two-space indentation, a line feed at the end.
let write (recording: Recording) : string =
    let file = (part recording).AsObject()
    file.Insert(0, "schema", JsonValue.Create schema)
    file.ToJsonString options + "\n"

/// Which counts of a file contradict each other, the sums among them, which are not read.
let private contradiction (file: JsonElement) (outcome: Outcome) : string option =
    let written = file.GetProperty "outcome"

    let sum (key: string) (count: int64) =
        match written.TryGetProperty key with
        | true, number when number.GetRawText() <> string count ->
            Some $"{key} is {number.GetRawText()}, and results have {count}"
        | _ -> None

    OutcomeCounts.contradiction outcome
    |> Option.orElseWith (fun () -> sum "requests" outcome.Requests)
    |> Option.orElseWith (fun () -> sum "right" outcome.Right)

/// Reads the text of a load run. `file` is for sentences. Raises BadInput when it is not one of this version, when a part
/// of it is not as it must be, or when its counts contradict each other.
let read (file: string) (content: string) : Recording =
    let refuse (what: string) =
        raise (BadInput $"{file} is not the JSON of a load run ({schema}): {what}")

    try
        use document = JsonDocument.Parse content
        let root = document.RootElement

        if root.ValueKind <> JsonValueKind.Object then
            refuse $"it holds {root.GetRawText()}"

        match root.TryGetProperty "schema" with
        | true, said when said.ValueKind = JsonValueKind.String && said.GetString() = schema -> ()
        | true, said ->
            raise (
                BadInput
                    $"{file} has the schema {said.GetRawText()}, and this version of plait reads \"{schema}\"; read it with the version that wrote it, or give the .hlog of the same run, which every version reads"
            )
        | _ -> refuse "it names no schema"

        let recording =
            try
                ofPart<Recording> root
            with :? JsonException as trouble ->
                raise (BadInput $"{file}: {UnionJson.sentence trouble}")

        contradiction root recording.Outcome
        |> Option.iter (fun why ->
            raise (
                BadInput
                    $"{file}: its counts contradict each other: {why}; the file was changed by hand or is damaged, so give another copy of it"
            ))

        recording
    with :? JsonException as trouble ->
        refuse (JsonPlace.words trouble)
