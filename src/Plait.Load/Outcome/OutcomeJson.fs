// An outcome as JSON and back, exactly, histograms and samples included: how a load run in another process answers.
module Plait.Load.OutcomeJson


open System
open System.Globalization
open System.Runtime.InteropServices
open System.Text.Json
open System.Text.Json.Nodes

let private whole (value: int64) : JsonNode = JsonValue.Create value

let private textNode (value: string) : JsonNode = nonNull (JsonValue.Create value)

let private histogram (histogram: Histogram) : JsonNode =
    let classes = JsonArray()

    for index in 0 .. Histogram.Length - 1 do
        if histogram[index] > 0L then
            classes.Add(whole (int64 index))
            classes.Add(whole histogram[index])

    let node = JsonObject()
    node["min"] <- whole histogram.Min
    node["max"] <- whole histogram.Max
    node["clipped"] <- whole histogram.Clipped
    node["classes"] <- classes
    node

let private histogramOf (value: JsonElement) : Histogram =
    let numbers =
        [| for number in value.GetProperty("classes").EnumerateArray() -> number.GetInt64() |]

    Histogram.Restore(
        numbers |> Seq.chunkBySize 2 |> Seq.map (fun pair -> struct (int pair[0], pair[1])),
        value.GetProperty("min").GetInt64(),
        value.GetProperty("max").GetInt64(),
        value.GetProperty("clipped").GetInt64()
    )

let private second (second: Second) : JsonNode =
    let node = JsonObject()
    node["at"] <- JsonValue.Create second.At
    node["due"] <- whole second.Due
    node["right"] <- whole second.Right
    node["failed"] <- whole second.Failed
    node["inFlight"] <- JsonValue.Create second.InFlight
    node["latency"] <- histogram second.Latency
    node["actual"] <- histogram second.Actual
    node

let private secondOf (value: JsonElement) : Second =
    let whole (name: string) = value.GetProperty(name).GetInt64()

    {
        At = int (whole "at")
        Due = whole "due"
        Right = whole "right"
        Failed = whole "failed"
        InFlight = int (whole "inFlight")
        Latency = histogramOf (value.GetProperty "latency")
        Actual = histogramOf (value.GetProperty "actual")
    }

let private samples (samples: Sample[]) : JsonNode =
    textNode (Convert.ToBase64String(MemoryMarshal.AsBytes(ReadOnlySpan samples)))

let private samplesOf (value: JsonElement) : Sample[] =
    MemoryMarshal.Cast<byte, Sample>(ReadOnlySpan(value.GetBytesFromBase64())).ToArray()

let private mapOf (keyOf: string -> 'Key) (valueOf: JsonElement -> 'Value) (value: JsonElement) =
    Map.ofSeq (
        seq {
            for entry in value.EnumerateObject() do
                keyOf entry.Name, valueOf entry.Value
        }
    )

let private objectOf (entries: (string * JsonNode) seq) : JsonNode =
    let node = JsonObject()

    for key, value in entries do
        node[key] <- value

    node

let private fateOf (name: string) = Enum.Parse<Fate> name

/// A second as JSON: what a worker tells while it runs.
let writeSecond (value: Second) : JsonObject = second value :?> JsonObject

/// The second that JSON tells.
let readSecond (value: JsonElement) : Second = secondOf value

/// The outcome as JSON. Its samples are in the byte order of this machine.
let write (outcome: Outcome) : JsonObject =
    let node = JsonObject()
    node["plan"] <- PlanJson.write outcome.Plan
    node["startedUtc"] <- JsonValue.Create(outcome.StartedUtc.ToString("O", CultureInfo.InvariantCulture))
    node["elapsedTicks"] <- whole outcome.Elapsed.Ticks

    node["fates"] <-
        outcome.Fates
        |> Map.toSeq
        |> Seq.map (fun (fate, count) -> string fate, whole count)
        |> objectOf

    node["statuses"] <-
        outcome.Statuses
        |> Map.toSeq
        |> Seq.map (fun (status, count) -> string status, whole count)
        |> objectOf

    node["bytesOut"] <- whole outcome.BytesOut
    node["bytesIn"] <- whole outcome.BytesIn
    node["intended"] <- histogram outcome.Intended
    node["actual"] <- histogram outcome.Actual
    node["lag"] <- histogram outcome.Lag
    node["ownLag"] <- histogram outcome.OwnLag
    node["seconds"] <- JsonArray(outcome.Seconds |> List.map second |> Array.ofList)
    node["samples"] <- samples outcome.Samples
    node["busy"] <- JsonValue.Create outcome.Busy

    node["capacity"] <-
        match outcome.Capacity with
        | None -> null
        | Some capacity -> JsonValue.Create capacity

    node["invalid"] <- JsonArray [| for sentence in outcome.Invalid -> textNode sentence |]

    node["complaints"] <-
        outcome.Complaints
        |> Map.toSeq
        |> Seq.map (fun (fate, sentence) -> string fate, textNode sentence)
        |> objectOf

    node["stopped"] <- JsonValue.Create outcome.Stopped
    node

/// The outcome that JSON tells. Raises what System.Text.Json raises, or FormatException, when it is none.
let read (value: JsonElement) : Outcome =
    let whole (name: string) = value.GetProperty(name).GetInt64()
    let count (element: JsonElement) = element.GetInt64()
    let text (element: JsonElement) = string (element.GetString())
    let histogram (name: string) = histogramOf (value.GetProperty name)
    let capacity = value.GetProperty "capacity"

    {
        Plan = PlanJson.read (value.GetProperty "plan")
        StartedUtc =
            DateTime.Parse(
                text (value.GetProperty "startedUtc"),
                CultureInfo.InvariantCulture,
                DateTimeStyles.RoundtripKind
            )
        Elapsed = TimeSpan.FromTicks(whole "elapsedTicks")
        Fates = mapOf fateOf count (value.GetProperty "fates")
        Statuses = mapOf int count (value.GetProperty "statuses")
        BytesOut = whole "bytesOut"
        BytesIn = whole "bytesIn"
        Intended = histogram "intended"
        Actual = histogram "actual"
        Lag = histogram "lag"
        OwnLag = histogram "ownLag"
        Seconds = [ for one in value.GetProperty("seconds").EnumerateArray() -> secondOf one ]
        Samples = samplesOf (value.GetProperty "samples")
        Busy = value.GetProperty("busy").GetDouble()
        Capacity = if capacity.ValueKind = JsonValueKind.Null then None else Some(capacity.GetDouble())
        Invalid = [ for sentence in value.GetProperty("invalid").EnumerateArray() -> text sentence ]
        Complaints = mapOf fateOf text (value.GetProperty "complaints")
        Stopped = value.GetProperty("stopped").GetBoolean()
    }
