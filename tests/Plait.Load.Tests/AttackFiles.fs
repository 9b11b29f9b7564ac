// What a load run is written as: JSON that reads back, text in the shape of vegeta's, CSV, the page's document.
module Plait.Load.Tests.AttackFiles

open System
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open FSharp.Reflection
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Report

open Plait.Load
open Plait.Tests.Support

/// All that an outcome knows, but for its samples.
let private known (outcome: Outcome) =
    (outcome.Plan, outcome.StartedUtc, outcome.Elapsed, outcome.Results, outcome.Statuses),
    (outcome.Counts.BytesOut, outcome.Counts.BytesIn, outcome.Busy, outcome.Capacity, outcome.Invalid),
    (outcome.Complaints, outcome.Stopped),
    ([ outcome.Counts.Intended; outcome.Counts.Actual; outcome.Counts.Lag; outcome.Counts.GeneratorLag ]
     |> List.map RandomHistograms.content),
    (outcome.Steps
     |> List.map (fun step ->
         (step.PerSecond, step.Seconds, step.Due, step.Right, step.Answered),
         RandomHistograms.content step.Intended,
         RandomHistograms.content step.Actual)),
    (outcome.Seconds
     |> List.map (fun second ->
         (second.At, second.Seconds, second.Due, second.Right, second.Failed, second.InFlight),
         RandomHistograms.content second.Latency,
         RandomHistograms.content second.Actual))

let private again (recording: Recording) =
    OutcomeJson.read "x.json" (OutcomeJson.write recording)

[<Fact>]
let ``escape sequences of a file do not reach the terminal`` () =
    let hostile = "a\u001b[31m\u0007"
    let plain = RandomOutcomes.plain hostile 3

    let written =
        OutcomeJson.write
            { plain with
                Warnings = [ hostile ]
                Outcome =
                    { plain.Outcome with
                        Invalid = [ hostile ]
                        Complaints = Map [ RequestResult.Garbage, hostile ]
                    }
            }

    match RunFile.content "x.json" 1L written with
    | Attack read ->
        Assert.Equal<string list>(
            List.replicate 4 "a [31m ",
            [
                read.Name
                yield! read.Warnings
                yield! read.Outcome.Invalid
                read.Outcome.Complaints[RequestResult.Garbage]
            ]
        )
    | other -> Assert.Fail $"{other}"

[<Fact>]
let ``a load run reads back from JSON equal, to the last count`` () =
    Laws.forEach 100 RandomOutcomes.recordings (fun recording ->
        let read = again recording

        Assert.Equal(known recording.Outcome, known read.Outcome)

        (read.Name, read.Command, read.Warnings, read.Environment) =
            (recording.Name, recording.Command, recording.Warnings, recording.Environment))

[<Fact>]
let ``runs that were merged have counts that fit together`` () =
    let part index (seed: uint64) =
        let run = RandomOutcomes.one seed
        // Whatever they were asked for, they loaded together.
        let plan =
            { (RandomOutcomes.plain "run" 1).Outcome.Plan with Share = { Index = index; Of = 2 } }

        $"m{index}",
        { run with
            Outcome =
                { run.Outcome with
                    Plan = plan
                    Steps = []
                    Elapsed = TimeSpan.FromSeconds 2.4
                    AttackTime = TimeSpan.FromSeconds 2.
                    StartedUtc = run.Outcome.StartedUtc + TimeSpan.FromSeconds(float (seed % 5UL) / 2.6)
                }
        }

    for seed in 1UL .. 60UL do
        match WholeRun.ofRuns [] "" [ part 0 seed; part 1 (seed + 60UL) ] with
        | Ok whole -> Assert.Equal(None, OutcomeCounts.contradiction (again whole).Outcome)
        | Error why -> Assert.Fail why

[<Fact>]
let ``few samples read back equal`` () =
    Laws.forEach 50 RandomOutcomes.recordings (fun recording ->
        Set.ofArray (again recording).Outcome.Samples = Set.ofArray recording.Outcome.Samples)

[<Fact>]
let ``an empty run is written and read`` () =
    let recording = RandomOutcomes.plain "nothing" 0
    Assert.Equal(known recording.Outcome, known (again recording).Outcome)

    Assert.Contains(
        "Requests      [total, rate, throughput]         0, 0.00, 0.00",
        AttackText.write 120 recording.Outcome
    )

    Assert.NotEmpty (AttackReport.results recording).Panels

/// Names below these are data, or those of a histogram, of which one stands for all.
let private properties =
    DescribedJson.properties
        [
            "/results"
            "/statuses"
            "/complaints"
            "/environment"
            "/actual"
            "/connect"
            "/lag"
            "/ownLag"
            "/waited"
            "/failures"
            "/latency"
            "/steps/intended"
        ]

[<Fact>]
let ``the JSON has exactly the properties of the docs`` () =
    let written =
        Gen.sampleWithSeed (Rnd(1UL, 1UL)) 30 20 RandomOutcomes.recordings
        |> Array.map (OutcomeJson.write >> JsonNode.Parse >> properties)
        |> Set.unionMany

    Assert.Equal<Set<string>>(properties (DescribedJson.sample "load-reports.md"), written)

/// Changes one value of the JSON.
let private changed (path: string list) (value: JsonNode | null) =
    let root = nonNull (JsonNode.Parse(OutcomeJson.write (RandomOutcomes.plain "a" 20)))

    let parent =
        path
        |> List.take (path.Length - 1)
        |> List.fold
            (fun (node: JsonNode) name ->
                match node with
                | :? JsonArray -> nonNull node[int name]
                | _ -> nonNull node[name])
            root

    match parent with
    | :? JsonArray -> parent[int (List.last path)] <- value
    | _ -> parent[List.last path] <- value

    root.ToJsonString()

/// A histogram of a run of 19.
let private shorter (key: string) : JsonNode =
    let part (node: JsonNode | null) (key: string) : JsonNode =
        let node = nonNull node
        nonNull node[key]

    let other = JsonNode.Parse(OutcomeJson.write (RandomOutcomes.plain "b" 19))
    (part (part other "outcome") key).DeepClone()

let private wrong: (string * string * string list) list =
    [
        "nothing", "", [ "is not the JSON" ]
        "null", "null", [ "null" ]
        "a list", "[]", [ "is not the JSON" ]
        "another thing", "{}", [ "is not the JSON" ]
        "half of it",
        (OutcomeJson.write (RandomOutcomes.plain "a" 20)).Substring(0, 900),
        [ "is not the JSON" ]
        "another schema",
        changed [ "schema" ] (JsonValue.Create "plait-attack/10"),
        [ "plait-attack/10"; "plait-attack/9" ]
        "the schema of before",
        changed [ "schema" ] (JsonValue.Create "plait-attack/5"),
        [ "plait-attack/5"; "plait-attack/9"; ".hlog" ]
        "no plan", changed [ "outcome"; "plan" ] null, [ "plan" ]
        "a list that is null", changed [ "outcome"; "plan"; "asks" ] null, [ "asks" ]
        "an unknown model",
        changed [ "outcome"; "plan"; "model"; "arrivals" ] (JsonValue.Create "half-open"),
        [ "outcome.plan.model.arrivals"; "'half-open'"; "closed"; "steps" ]
        "a URL that is none",
        changed [ "outcome"; "plan"; "asks"; "0"; "url" ] (JsonValue.Create "::"),
        [ "plan.asks[0]"; "'::'" ]
        "a body that is not base64",
        changed [ "outcome"; "plan"; "asks"; "0"; "body" ] (JsonValue.Create "?"),
        [ "outcome.plan.asks[0].body" ]
        "a time that is none",
        changed [ "outcome"; "startedUtc" ] (JsonValue.Create "noon"),
        [ "outcome.startedUtc" ]
        "an unknown result",
        changed [ "outcome"; "results"; "lost" ] (JsonValue.Create 3),
        [ "results"; "'lost'"; "right" ]
        "a status that is none",
        changed [ "outcome"; "statuses"; "ok" ] (JsonValue.Create 3),
        [ "statuses"; "'ok'" ]
        "a damaged histogram",
        changed [ "outcome"; "intended"; "hdr" ] (JsonValue.Create "HISTFA"),
        [ "intended" ]
        "a count that is not the histogram's",
        changed [ "outcome"; "actual"; "count" ] (JsonValue.Create 21),
        [ "actual"; "21"; "20" ]
        "a damaged second",
        changed [ "outcome"; "seconds"; "0"; "latency"; "hdr" ] (JsonValue.Create "!"),
        [ "seconds[0].latency"; "base64" ]
        for name, path, value, words in
            [
                "more right ones", "results right", 1000, [ "results.right is 1000"; "actual is 20" ]
                "fewer than none", "results right", -60, [ "results.right is -60" ]
                "a result that no second has", "results refused", 3, [ "sum of results is 23"; "due is 20" ]
                "another sum of requests", "requests", 1000, [ "requests is 1000"; "results have 20" ]
                "another sum of right ones", "right", 19, [ "right is 19"; "results have 20" ]
                "a status too many",
                "statuses 404",
                1,
                [ "the sum of statuses is 21, more than"; "which is 20" ]
                "a status too few", "statuses 200", 19, [ "results.right is 20, more than"; "which is 19" ]
                "a status below zero", "statuses 200", -1, [ "statuses.200 is -1" ]
                for field in FSharpType.GetRecordFields typeof<RunCounts> do
                    if
                        List.contains field.PropertyType [ typeof<int>; typeof<int64>; typeof<int option> ]
                    then
                        let name = JsonNamingPolicy.CamelCase.ConvertName field.Name
                        $"{name} below zero", name, -1, [ $"{name} is -1" ]
                "a second of more requests", "seconds 0 due", 27, [ "sum of results is 20"; "due is 27" ]
                "a second of fewer right ones",
                "seconds 0 right",
                7,
                [ "seconds[0].right is 7"; "actual is 20" ]
                "a second of failures", "seconds 0 failed", 7, [ "seconds[0].failed is 7"; "failures is 0" ]
                "a second far away",
                "seconds 0 at",
                1_000_000_000,
                [ "seconds[0].at is 1000000000, more than elapsedSeconds" ]
                "a second before the start", "seconds 0 at", -1, [ "seconds[0].at is -1" ]
                "a second without length", "seconds 0 seconds", 0, [ "seconds[0].seconds is 0" ]
                "a second as long as years",
                "seconds 0 seconds",
                1_000_000_000,
                [ "elapsedSeconds, which is 2.345" ]
                "requests in flight below zero", "seconds 0 inFlight", -3, [ "seconds[0].inFlight is -3" ]
            ] do
            name,
            changed ("outcome" :: List.ofArray (path.Split ' ')) (JsonValue.Create value),
            "its counts contradict each other" :: words
        "no seconds",
        changed [ "outcome"; "seconds" ] (JsonArray()),
        [ "the sum of results is 20"; "the sum of seconds[].due is 0" ]
        "the second of another run",
        changed [ "outcome"; "seconds"; "0"; "latency" ] (shorter "intended"),
        [ "the count of intended is 20"; "of seconds[].latency is 19" ]
        "the lag of another run",
        changed [ "outcome"; "lag" ] (shorter "lag"),
        [ "the count of lag is 19"; "ownLag is 20" ]
        "a sample that is none",
        changed [ "outcome"; "samples"; "points"; "2" ] (JsonArray(JsonValue.Create 1)),
        [ "samples.points[2]" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``a wrong file of a load run is refused with the place in it`` (name: string) =
    let _, text, words = wrong |> List.find (fun (other, _, _) -> other = name)
    Refused.says "dir/x.json" words (fun () -> OutcomeJson.read "dir/x.json" text)

[<Fact>]
let ``the text has vegeta's lines, both clocks, and the lag`` () =
    let text = AttackText.write 120 (RandomOutcomes.plain "a" 100).Outcome
    let lines = text.Split '\n' |> List.ofArray

    let expected =
        [
            "Requests      [total, rate, throughput]         100, 50.00, 42.64"
            "Duration      [total, attack, wait]             2.345s, 2s, 345ms"
            "Latencies     [min, mean, 50, 90, 95, 99, max]  2ms, 51.501ms, 51.02ms, 91.03ms, 96.01ms, 100.008ms, 101ms"
            "  from send   [min, mean, 50, 90, 95, 99, max]  1ms, 50.501ms, 50.004ms, 90.046ms, 95.027ms, 99.025ms, 100ms"
            "  lag         [min, mean, 50, 90, 95, 99, max]  1ms, 1ms, 1ms, 1ms, 1ms, 1ms, 1ms"
            "  own lag     [min, mean, 50, 90, 95, 99, max]  500µs, 500µs, 500µs, 500µs, 500µs, 500µs, 500µs"
            "  connect     [min, mean, 50, 90, 95, 99, max]  1ms, 2ms, 2.001ms, 3ms, 3ms, 3ms, 3ms"
            "  waited      [min, mean, 50, 90, 95, 99, max]  1ms, 1ms, 1ms, 1ms, 1ms, 1ms, 1ms"
            "Bytes In      [total, mean]                     567890, 5678.90"
            "Bytes Out     [total, mean]                     1234, 12.34"
            "Connections   [open, allowed, made]             17, 64, 3"
            "  requests    [retried, redirected, waited]     3, 2, 3"
            "Success       [ratio]                           100.00%"
            "Status Codes  [code:count]                      200:100"
            "Results       [name:count]                      right:100"
            "Error Set:"
        ]

    let blurred (line: string) =
        // figures of a class are its upper end: compare the shape, and the ends that are exact
        line.Split(", ")
        |> Array.map (fun part ->
            if part.EndsWith "ms" && part.Contains "." || part.EndsWith "µs" then "…" else part)

    for line, other in List.zip expected (List.take expected.Length lines) do
        if line.Contains "50, 90, 95, 99" then
            Assert.Equal<string array>(blurred line, blurred other)
        else
            Assert.Equal(line, other)

[<Fact>]
let ``a narrow terminal has latencies as a table, and files and pipes have vegeta's lines`` () =
    let outcome =
        { (RandomOutcomes.plain "a" 100).Outcome with
            Results =
                Map.ofList
                    [
                        for result in
                            [
                                RequestResult.Right
                                RequestResult.TimedOut
                                RequestResult.Reset
                                RequestResult.Unsent
                            ] -> result, 100_000L
                    ]
        }

    let isVegetas (text: string) =
        text.Contains "\nLatencies     [min, mean, 50, 90, 95, 99, max]  2ms, "

    for width in [ 39; 60; 80; 100 ] do
        let text = AttackText.show width outcome
        Assert.All(text.Split '\n', fun line -> Assert.True(line.Length <= width, line))

        Assert.Matches(
            (if width < 60 then "Latencies +from send +lag" else "Latencies +from send +lag +own lag"),
            text
        )

        Assert.Matches((if width < 60 then "\nmin +2ms +1ms +1ms" else "\nmin +2ms +1ms +1ms +500µs"), text)
        Assert.Contains("unsent:100000", text)
        Assert.False(isVegetas text, text)
        Assert.True(isVegetas (AttackText.write width outcome))

    Assert.Equal(AttackText.write 200 outcome, AttackText.show 200 outcome)

[<Fact>]
let ``the text has errors, reasons of invalidity and a stop`` () =
    let recording = RandomOutcomes.plain "a" 10

    let text =
        AttackText.write
            80
            { recording.Outcome with
                Results =
                    Map.ofList
                        [ RequestResult.Right, 10L; RequestResult.Refused, 3L; RequestResult.Unsent, 2L ]
                Complaints = Map.ofList [ RequestResult.Refused, "nobody listens" ]
                Invalid = [ "the generator was late" ]
                Stopped = true
            }

    Assert.Contains("Success       [ratio]                           66.67%", text)
    Assert.Contains("right:10  refused:3  unsent:2", text)
    Assert.Contains("Error Set:\nrefused: 3 (nobody listens)\nunsent: 2\n", text)
    Assert.Contains("INVALID: the generator was late", text)
    Assert.Contains("Stopped before its time", text)

[<Fact>]
let ``steps and sentences fit the terminal, and omitted columns are named`` () =
    let outcome = (RandomOutcomes.plain "a" 100).Outcome

    let step: Step =
        {
            PerSecond = 12345.6
            Seconds = 1.0
            Due = 12346L
            Right = 12345L
            Answered = 12345L
            Intended = outcome.Counts.Intended
            Actual = outcome.Counts.Actual
        }

    let stepped =
        { outcome with Steps = [ step ]; Invalid = [ String.replicate 30 "late again " ] }

    for width in [ 39; 60; 80; 120 ] do
        let lines =
            (AttackText.write width stepped).Split '\n' |> Array.skipWhile ((<>) "Error Set:")

        Assert.All(lines, fun line -> Assert.True(line.Length <= width, line))
        let text = String.concat " " lines
        Assert.Contains("longest", text)
        Assert.Contains("INVALID: late again", text)
        Assert.Equal((width <= 60), text.Contains "Left out for lack of width")

[<Theory>]
[<InlineData(0L, "0s")>]
[<InlineData(999L, "999ns")>]
[<InlineData(1_234L, "1.234µs")>]
[<InlineData(1_803_456L, "1.803ms")>]
[<InlineData(58_400_400L, "58.4ms")>]
[<InlineData(1_500_000_000L, "1.5s")>]
[<InlineData(30_012_345_678L, "30.012s")>]
[<InlineData(61_700_000_000L, "1m2s")>]
[<InlineData(3_661_000_000_000L, "1h1m0s")>]
let ``durations are as vegeta prints them`` (nanoseconds: int64, expected: string) =
    Assert.Equal(expected, Duration.show nanoseconds)

[<Theory>]
[<InlineData(0L, "0 ns")>]
[<InlineData(999L, "999 ns")>]
[<InlineData(38_044L, "38.0 µs")>]
[<InlineData(999_500L, "1.00 ms")>]
[<InlineData(2_114_000L, "2.11 ms")>]
[<InlineData(9_996_000L, "10.0 ms")>]
[<InlineData(692_584_000L, "693 ms")>]
[<InlineData(999_600_000L, "1.00 s")>]
[<InlineData(61_210_000_000L, "61.2 s")>]
let ``a duration of a heading has three digits`` (nanoseconds: int64) (expected: string) =
    Assert.Equal(expected, Duration.rough nanoseconds)

[<Theory>]
[<InlineData("0", 0L)>]
[<InlineData("1ms", 1_000_000L)>]
[<InlineData("1.5s", 1_500_000_000L)>]
[<InlineData("500us", 500_000L)>]
[<InlineData("1m30s", 90_000_000_000L)>]
[<InlineData("1h", 3_600_000_000_000L)>]
[<InlineData("7ns", 7L)>]
[<InlineData(" 1h2m3.5s ", 3_723_500_000_000L)>]
let ``durations are read as Go reads them`` (text: string, expected: int64) =
    Assert.Equal(expected, Duration.parse "x" text)

[<Theory;
  InlineData "";
  InlineData "5";
  InlineData "5d";
  InlineData "1m30";
  InlineData "1mm";
  InlineData "ms";
  InlineData "1 ms";
  InlineData "-1ms";
  InlineData "1.2.3s">]
let ``a text that is no duration is refused`` (text: string) =
    let trouble =
        Assert.Throws<BadInput>(Action(fun () -> Duration.parse "--x" text |> ignore))

    Assert.StartsWith("--x:", trouble.Message)

[<Fact>]
let ``buckets count every response once`` () =
    let buckets = HistText.buckets "--report" "[1ms,10500us,50500us]"
    Assert.Equal<int64 list>([ 0L; 1_000_000L; 10_500_000L; 50_500_000L ], buckets)

    let text =
        HistText.write buckets (RandomOutcomes.plain "a" 100).Outcome.Counts.Intended

    let lines = text.Split '\n'
    Assert.StartsWith("Bucket", lines[0])
    Assert.Matches(@"^\[0s,\s+1ms\]\s+0\s+0\.00%$", lines[1])
    Assert.Matches(@"^\[1ms,\s+10\.5ms\]\s+9\s+9\.00%\s+######$", lines[2])
    Assert.Matches(@"^\[10\.5ms,\s+50\.5ms\]\s+40\s+40\.00%\s+#{30}$", lines[3])
    Assert.Matches(@"^\[50\.5ms,\s+\+Inf\]\s+51\s+51\.00%\s+#{38}$", lines[4])

[<Theory; InlineData ""; InlineData "1ms,2ms"; InlineData "[]"; InlineData "[2ms,1ms]"; InlineData "[1ms,x]">]
let ``wrong buckets are refused`` (text: string) =
    Assert.Throws<BadInput>(Action(fun () -> HistText.buckets "--report" text |> ignore))
    |> ignore

[<Fact>]
let ``the CSV has a line a request, ascending, with both clocks`` () =
    Laws.forEach 30 RandomOutcomes.outcomes (fun outcome ->
        use text = new StringWriter()
        AttackCsv.write text outcome
        let lines = (string text).TrimEnd('\n').Split '\n' |> Array.map _.Split(',')
        let ordered = outcome.Samples |> Array.sortBy (fun sample -> sample.Intended)

        lines.Length = outcome.Samples.Length + 1
        && lines |> Array.forall (fun fields -> fields.Length = lines[0].Length)
        && Array.forall2
            (fun (fields: string array) (sample: Sample) ->
                int64 fields[2] = sample.Intended
                && fields[9] = Outcome.resultName sample.Result
                && (fields[10] = "") = (Arrivals.steps outcome.Plan.Model).IsEmpty
                && fields[11] = (if sample.HasWaited then "1" else "0")
                && (sample.Result = RequestResult.Unsent) = (fields[5] = "")
                && (sample.Result = RequestResult.Unsent
                    || (int64 fields[5] = sample.Done - sample.Intended
                        && int64 fields[6] = sample.Done - sample.Sent
                        && int64 fields[7] = sample.Sent - sample.Intended)))
            lines[1..]
            ordered)

[<Fact>]
let ``vegeta's CSV has its twelve columns`` () =
    let recording = RandomOutcomes.plain "a,b" 3
    use text = new StringWriter()
    AttackCsv.writeVegeta text true recording.Name recording.Outcome
    let lines = (string text).TrimEnd('\n').Split '\n'
    Assert.Equal(3, lines.Length)
    Assert.Equal("1795255200123000000,200,2000000,0,2,,,\"a,b\",0,GET,http://127.0.0.1:5000/a,", lines[0])

/// What vegeta's report makes of its CSV: percentiles of the latencies of all requests, and success.
let private asVegetaReports (csv: string) =
    let lines = csv.TrimEnd('\n').Split '\n' |> Array.map _.Split(',')
    let latencies = lines |> Array.map (fun fields -> int64 fields[2]) |> Array.sort

    let percentile (percent: float) =
        latencies[min
                      (latencies.Length - 1)
                      (int (Math.Ceiling(percent / 100.0 * float latencies.Length)) - 1)]

    // Its errors are those with a text; its successes the statuses from 200 to 399.
    let right = lines |> Array.filter (fun fields -> fields[5] = "")
    percentile, float right.Length / float lines.Length, lines |> Array.sumBy (fun fields -> int64 fields[4])

[<Fact>]
let ``vegeta's CSV makes vegeta's percentiles those of our report`` () =
    let recording = RandomOutcomes.plain "a" 2000
    use text = new StringWriter()
    AttackCsv.writeVegeta text true recording.Name recording.Outcome
    let percentile, success, bytesIn = asVegetaReports (string text)
    Assert.Equal(1.0, success)
    Assert.Equal(recording.Outcome.Samples |> Array.sumBy _.BodyBytes, bytesIn)

    for percent in [ 50.0; 90.0; 95.0; 99.0; 100.0 ] do
        let ours = recording.Outcome.Counts.Intended.Percentile percent
        // A class of the histogram is less than a thousandth wide.
        Assert.InRange(float (percentile percent) / float ours, 0.998, 1.002)

[<Fact>]
let ``a failed request with a status of success has status 0 for vegeta`` () =
    let outcome = (RandomOutcomes.plain "a" 4).Outcome

    let samples =
        Array.map2
            (fun (sample: Sample) (result, status) -> { sample with Result = result; Status = status })
            outcome.Samples
            [|
                RequestResult.Right, 200
                RequestResult.Closed, 200
                RequestResult.WrongBody, 302
                RequestResult.WrongStatus, 503
            |]

    use text = new StringWriter()
    AttackCsv.writeVegeta text true "a" { outcome with Samples = samples }

    Assert.Equal<string[]>(
        [| "200,"; "0,closed"; "0,wrong body"; "503,wrong status" |],
        (string text).TrimEnd('\n').Split '\n'
        |> Array.map (fun line -> let fields = line.Split ',' in $"{fields[1]},{fields[5]}")
    )

[<Fact>]
let ``a request that waited for a connection has the latency from its intended start for vegeta, as others have``
    ()
    =
    let outcome = (RandomOutcomes.plain "a" 3).Outcome

    let late =
        outcome.Samples
        |> Array.map (fun sample -> { sample with Intended = sample.Sent - 5_000_000L; HasWaited = true })

    use text = new StringWriter()
    AttackCsv.writeVegeta text true "a" { outcome with Samples = late }

    Assert.Equal<int64[]>(
        late |> Array.map (fun sample -> sample.Done - sample.Intended),
        (string text).TrimEnd('\n').Split '\n'
        |> Array.map (fun line -> int64 (line.Split(',')[2]))
    )

[<Fact>]
let ``requests that were never sent are failures to vegeta, with the time that they had`` () =
    let recording = RandomOutcomes.plain "a" 100
    let samples = recording.Outcome.Samples
    let finish = samples |> Array.map _.Done |> Array.max

    let unsent =
        [|
            for sample in Array.truncate 60 samples ->
                { sample with
                    Sent = finish
                    Done = finish
                    Status = 0
                    Result = RequestResult.Unsent
                    BodyBytes = 0L
                    HasWaited = false
                }
        |]

    let outcome =
        { recording.Outcome with Samples = Array.append unsent (Array.skip 60 samples) }

    use text = new StringWriter()
    AttackCsv.writeVegeta text true "a" outcome
    let percentile, success, _ = asVegetaReports (string text)
    Assert.Equal(0.4, success, 3)
    // Half of them were due in the first half of a second of which they waited for the rest.
    Assert.True(percentile 50.0 > 400_000_000L, $"p50 {percentile 50.0}")
    Assert.Contains(",0,0,unsent,,", string text)

[<Fact>]
let ``the log of a run adds up to its histograms`` () =
    Laws.forEach 60 RandomOutcomes.recordings (fun recording ->
        let readLog = Hlog.read "x" 1L (AttackReport.hlog recording)
        let read = readLog.Intervals

        let sum tag =
            read
            |> List.filter (fun interval -> interval.Tag = Some tag)
            |> List.map _.Histogram
            |> Histogram.Sum

        let same (one: Histogram) (other: Histogram) =
            one.Count = other.Count
            && Seq.forall (fun at -> one[at] = other[at]) (seq { 0 .. Histogram.Length - 1 })

        // a log holds milliseconds of its start
        let start = recording.Outcome.StartedUtc

        let near =
            readLog.StartedUtc
            |> Option.exists (fun time -> (time - start).Duration() < TimeSpan.FromMilliseconds 2L)

        near
        && same (sum "intended") recording.Outcome.Counts.Intended
        && same (sum "actual") recording.Outcome.Counts.Actual)

[<Fact>]
let ``the page's document reads back and its panels have their own ids`` () =
    Laws.forEach 40 RandomOutcomes.recordings (fun recording ->
        let results = AttackReport.results recording
        let ids = results.Panels |> List.map _.Id

        (List.distinct ids).Length = ids.Length
        && results.Rows.IsEmpty
        && ResultsJson.read "x" (ResultsJson.write results) = results)

[<Fact>]
let ``percentile curves end at the longest and ascend`` () =
    Laws.forEach 60 RandomOutcomes.recordings (fun recording ->
        let panel = LatencyPanels.percentiles (Latencies.ofOutcome "a" recording.Outcome)

        panel.Series
        |> List.forall (fun series ->
            let ascends =
                series.Points
                |> Array.pairwise
                |> Array.forall (fun (a, b) -> a[0] < b[0] && a[1] <= b[1])

            let inside =
                series.Points |> Array.forall (fun point -> point[0] >= 0.0 && point[0] < 100.0)

            ascends && inside)
        && (recording.Outcome.Right = 0L
            || (Array.last panel.Series.Head.Points)[1] = float recording.Outcome.Counts.Intended.Max / 1e6))

[<Fact>]
let ``reasons of invalidity are the first warnings`` () =
    let recording = RandomOutcomes.plain "a" 20
    let outcome = { recording.Outcome with Invalid = [ "late" ]; Stopped = true }

    let warnings =
        (AttackReport.results { recording with Outcome = outcome; Warnings = [ "w" ] }).Warnings

    Assert.Equal("invalid: late", warnings.Head)
    Assert.Equal(3, warnings.Length)
    Assert.Contains("stopped", warnings[1])

[<Fact>]
let ``the page of a run without a right response does not call it complete`` () =
    let refused (recording: Recording) =
        { recording with
            Outcome =
                { recording.Outcome with
                    Results = Map.ofList [ RequestResult.Refused, 5L ]
                    Complaints = Map.ofList [ RequestResult.Refused, "nobody listens" ]
                }
        }

    let sound = RandomOutcomes.plain "a" 10
    let page = AttackReport.results (refused sound)
    Assert.Equal((true, true), (page.Complete, page.Invalid))
    Assert.Equal("Not one request of 5 succeeded: nobody listens.", page.Answer)
    Assert.Equal("not one request of 5 succeeded: nobody listens", page.Warnings.Head)
    Assert.False (AttackReport.results sound).Invalid

    // Without a request, or with those alone that a stop left out, there is no such sentence, and the badge names none.
    for results in [ []; [ RequestResult.Abandoned, 3L ] ] do
        let page =
            AttackReport.results
                { sound with
                    Outcome = { sound.Outcome with Results = Map.ofList results; Complaints = Map.empty }
                }

        Assert.False page.Invalid
        Assert.DoesNotContain(page.Warnings, fun (words: string) -> words.Contains "not one request")

    // Those that were stopped are not among the requests of the sentence.
    let stopped = refused sound

    let results = stopped.Outcome.Results |> Map.add RequestResult.Abandoned 2L

    Assert.StartsWith(
        "not one request of 5 succeeded",
        (AttackReport.warnings { stopped with Outcome = { stopped.Outcome with Results = results } }).Head
    )

[<Fact>]
let ``JSON of many samples stays small and keeps the slowest`` () =
    let recording = RandomOutcomes.plain "a" 1

    let samples =
        [|
            for at in 0L .. 199_999L do
                let sent = at * 1000L
                RandomOutcomes.rightSample sent sent (sent + 1L + (at * 7919L % 100_003L))
        |]

    let text =
        OutcomeJson.write { recording with Outcome = { recording.Outcome with Samples = samples } }

    Assert.True(text.Length < 700_000, $"{text.Length} characters")
    let slowest = samples |> Array.maxBy (fun sample -> sample.Done - sample.Intended)
    Assert.Contains(slowest, (OutcomeJson.read "x" text).Outcome.Samples)
