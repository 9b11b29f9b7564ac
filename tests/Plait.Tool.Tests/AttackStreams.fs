// What plait attack writes while it runs and when it ends, where a stream is closed, full or read by nobody; its lines of JSON,
// and its metrics for a collector.
module Plait.Tool.Tests.AttackStreams

open System
open System.Diagnostics
open System.IO
open System.Text.Json.Nodes
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

let private asked (url: string) =
    [ "attack"; url; "--rate"; "40"; "-n"; "60"; "--no-calibration"; "--max-lag"; "1h" ]

/// Runs the tool by a shell, with what the shell does to its streams behind it.
let private shell (before: string) (arguments: string list) (redirections: string) : Ended =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "closed streams are told by /proc")

    let quoted =
        Built.dotnet :: Built.tool () :: arguments
        |> List.map (fun text -> "'" + text.Replace("'", "'\\''") + "'")
        |> String.concat " "

    let info =
        ProcessStartInfo(
            "bash",
            [ "-c"; $"{before}{quoted} {redirections}" ],
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        )

    Running(nonNull (Process.Start info)).Wait()

/// The files that a run wrote besides what it could not write are whole: the CSV, the JSON.
let private areWhole (csv: string) (json: string) =
    Assert.Equal(61, File.ReadAllLines(csv).Length)
    Assert.Equal(60L, (OutcomeJson.read json (File.ReadAllText json)).Outcome.Right)

let private gone = "| true; exit ${PIPESTATUS[0]}"

[<Fact; Trait("run", "more")>]
let ``with a stream that is closed, full or without a reader the files are written, and the run ends with 1``
    ()
    =
    use counting = sometimes Int64.MaxValue ""

    for redirection, sentence in
        [
            ">&-", Some "standard output cannot be written: it is closed"
            ">/dev/full", Some "standard output cannot be written: No space left on device"
            gone, Some "standard output cannot be written: Broken pipe"
            "2>&-", None
            "2>/dev/full", None
            "2> >(exec true)", None
            ">&- 2>&-", None
            "<&- >&- 2>&-", None
            $"--stream - {gone}", Some "standard output cannot be written: Broken pipe"
            "--stream - >&-", Some "standard output cannot be written: it is closed"
            "--stream /dev/full", Some "/dev/full cannot be written"
            "--hgrm /dev/full", Some "/dev/full cannot be written"
        ] do
        use folder = new Built.Folder()
        let csv, json = folder.File "one.csv", folder.File "one.json"

        let ended =
            shell
                ""
                (asked $"{counting.Server.Url}/" @ [ "--report"; "json"; "--csv"; csv; "--json"; json ])
                redirection

        Assert.True((1 = ended.Code), $"{redirection}: {ended.Code}, {ended.Err}")
        areWhole csv json

        match sentence with
        | Some sentence -> Assert.Contains($"plait: {sentence}", ended.Err)
        | None -> ()

        Assert.DoesNotContain("   at ", ended.Err)
        Assert.DoesNotContain("should not happen", ended.Err)

[<Fact>]
let ``help and workers end with the reason if standard output is full`` () =
    for input, arguments in
        [ "", [ "check"; "--help" ]; "", [ "lab"; "--help" ]; "echo '{}' | ", [ "attack-worker" ] ] do
        shell input arguments ">/dev/full"
        |> ToolRun.endsBadly
            1
            [ "standard output, or a file of plait's own, cannot be used: No space left on device" ]

[<Fact; Trait("run", "more")>]
let ``closed standard input is an error only if requests come from it`` () =
    use counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"
    Assert.Equal(0, (shell "" (asked url) "<&-").Code)

    for name in [ "-"; "/dev/stdin" ] do
        shell "" (asked url @ [ "--targets"; name ]) "<&-"
        |> ToolRun.endsBadly 1 [ "standard input cannot be read: it is closed" ]

        shell "" (asked url @ [ "--targets"; name ]) "</dev/null"
        |> ToolRun.endsBadly 2 [ "stdin holds no target" ]

        Assert.Equal(0, (shell $"echo 'GET {url}' | " (asked url @ [ "--targets"; name ]) "").Code)

[<Fact; Trait("run", "more")>]
let ``a calibrated run with a closed stderr measures, and prints nothing there`` () =
    use counting = sometimes Int64.MaxValue ""

    let calibrated =
        asked $"{counting.Server.Url}/" |> List.except [ "--no-calibration" ]

    let ended = shell "" (calibrated @ [ "--report"; "json" ]) "2>&-"
    Assert.Equal(1, ended.Code)
    let json = OutcomeJson.read "stdout" ended.Out
    Assert.Equal(60L, json.Outcome.Right)
    Assert.True json.Outcome.Capacity.IsSome

[<Fact; Trait("run", "more")>]
let ``a disk that is full for some of the files of a folder costs none of the others`` () =
    use counting = sometimes Int64.MaxValue ""

    Assert.SkipUnless(
        (Plait.Report.Page.template ()).IsSome,
        "this build holds no page, the file that is too large"
    )

    use folder = new Built.Folder()
    let csv, json = folder.File "one.csv", folder.File "one.json"
    let small = Directory.CreateDirectory(folder.File "small").FullName

    // A disk of the test's own, in a mount namespace that ends with it; the list of what is on it is taken there.
    let before =
        $"unshare -m bash -c 'mount -t tmpfs -o size=64k none \"$0\" || exit 77; \"$@\"; code=$?; wc -c \"$0\"/* >&2; exit $code' '{small}' "

    let ended =
        shell before (asked $"{counting.Server.Url}/" @ [ "--out"; small; "--csv"; csv; "--json"; json ]) ""

    Assert.SkipWhen(
        ended.Code = 77
        || ended.Err.Contains "unshare failed"
        || ended.Err.Contains "Operation not permitted",
        "no disk of one's own can be mounted here"
    )

    Assert.True((1 = ended.Code), $"{ended.Code}: {ended.Err}")
    Assert.Contains($"plait: {small}/page.html cannot be written: ", ended.Err)
    Assert.DoesNotContain("   at ", ended.Err)

    for name in [ "attack.json"; "attack.txt"; "attack.hlog"; "samples.csv" ] do
        Assert.Matches($@"(?m)^ *[1-9]\d* .*/{name}\r?$", ended.Err)

    // What there was of it makes room for others.
    Assert.DoesNotMatch(@"(?m)^ *\d+ .*/page.html\r?$", ended.Err)
    Assert.Contains("right:60", ended.Out)
    areWhole csv json

// The lines of a run.

let private schema =
    lazy File.ReadAllText(Path.Combine(Built.root, "docs", "stream.schema.json"))

let private lines (text: string) : JsonNode list =
    text.TrimEnd('\n').Split '\n' |> List.ofArray |> List.map (JsonNode.Parse >> nonNull)

let private at (key: string) (line: JsonNode) : JsonNode = nonNull line[key]
let private number (key: string) (line: JsonNode) : int64 = (at key line).GetValue<int64>()

let private failures (line: JsonNode) : Map<string, int64> =
    Map.ofList
        [
            for entry in (at "failures" line).AsObject() -> entry.Key, (nonNull entry.Value).GetValue<int64>()
        ]

let private sum (maps: Map<string, int64> list) : Map<string, int64> =
    maps
    |> List.collect Map.toList
    |> List.groupBy fst
    |> List.map (fun (key, counts) -> key, List.sumBy snd counts)
    |> Map.ofList

/// The seconds add up to the whole, and the whole is the report's.
let private addUp (lines: JsonNode list) (outcome: Outcome) =
    for line in lines do
        Assert.Empty(SchemaCheck.validate schema.Value line)

    let kinds = lines |> List.map (fun line -> (at "kind" line).GetValue<string>())
    let seconds, whole = List.take (lines.Length - 1) lines, List.last lines
    Assert.Equal<string list>([ yield! seconds |> List.map (fun _ -> "second"); "whole" ], kinds)
    Assert.Equal<int64 list>([ 0L .. int64 seconds.Length - 1L ], seconds |> List.map (number "at"))

    for key in [ "requests"; "right"; "failed" ] do
        Assert.Equal(number key whole, seconds |> List.sumBy (number key))

    let failed =
        Map.ofList
            [
                for KeyValue(result, count) in outcome.Results do
                    if result <> RequestResult.Right && count > 0L then
                        Outcome.resultName result, count
            ]

    Assert.Equal<Map<string, int64>>(failed, failures whole)
    Assert.Equal<Map<string, int64>>(failed, seconds |> List.map failures |> sum)
    Assert.Equal((outcome.Requests, outcome.Right), (number "requests" whole, number "right" whole))

    for clock, histogram in [ "intended", outcome.Counts.Intended; "actual", outcome.Counts.Actual ] do
        Assert.Equal(histogram.Count, number "count" (at clock whole))
        Assert.Equal(histogram.Percentile 99.0, number "p99Nanoseconds" (at clock whole))
        Assert.Equal(histogram.Count, seconds |> List.sumBy (fun second -> number "count" (at clock second)))

[<Fact>]
let ``the lines of a run are there second by second, and add up to its report`` () =
    use counting = sometimes 7L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    use folder = new Built.Folder()
    let file, json = folder.File "run.jsonl", folder.File "run.json"

    let running =
        ToolRun.start
            [
                "attack"
                $"{counting.Server.Url}/"
                "--rate"
                "50"
                "--duration"
                "4s"
                "--no-calibration"
                "--max-lag"
                "1h"
                "--require"
                "success>1%"
                "--stream"
                file
                "--json"
                json
            ]

    running.Says "[2/4 s]"

    // A second is there as soon as it has been said, and not only when the run is over.
    Within.comes "the second line is in the file" (fun () ->
        File.Exists file
        && (use reader =
                new StreamReader(new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite))

            reader.ReadToEnd().Split('\n').Length > 2))

    Assert.DoesNotContain(running.Errors, fun line -> line.StartsWith "[4/4 s]")
    let ended = running.Wait()
    Assert.True((0 = ended.Code), ended.Err)
    addUp (lines (File.ReadAllText file)) (OutcomeJson.read json (File.ReadAllText json)).Outcome

[<Fact>]
let ``lines go into a pipe that has a name, from the first to the last`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "pipes have names there")
    use counting = sometimes Int64.MaxValue ""
    use folder = new Built.Folder()
    let pipe, copy = folder.File "pipe", folder.File "copy"

    let shell (command: string) = Process.Start("sh", [ "-c"; command ])

    use made = shell $"mkfifo '{pipe}'"
    made.WaitForExit()
    use reader = shell $"cat '{pipe}' > '{copy}'"
    let json = folder.File "run.json"

    let ended =
        ToolRun.run (asked $"{counting.Server.Url}/" @ [ "--stream"; pipe; "--json"; json ])

    Assert.True((0 = ended.Code), ended.Err)
    Assert.True(reader.WaitForExit Within.limit)
    addUp (lines (File.ReadAllText copy)) (OutcomeJson.read json (File.ReadAllText json)).Outcome

[<Fact>]
let ``lines of --stream - are alone on standard output`` () =
    use counting = sometimes 5L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"
    use folder = new Built.Folder()
    let json = folder.File "run.json"

    let ended =
        ToolRun.run (asked $"{counting.Server.Url}/" @ [ "--stream"; "-"; "--json"; json ])

    Assert.True((0 = ended.Code), ended.Err)
    Assert.Contains("Success       [ratio]", ended.Err)
    addUp (lines ended.Out) (OutcomeJson.read json (File.ReadAllText json)).Outcome

    for other, words in [ [ "--json"; "-" ], "--json and --stream"; [ "--crank" ], "--crank" ] do
        ToolRun.run (asked "http://127.0.0.1:1/" @ [ "--stream"; "-" ] @ other)
        |> ToolRun.endsBadly 2 [ words ]

[<Fact>]
let ``the lines of any run match their schema`` () =
    Laws.forEach 40 RandomOutcomes.recordings (fun recording ->
        [
            for second in recording.Outcome.Seconds do
                AttackStream.second recording.Name second
            AttackStream.whole recording.Name recording.Outcome
        ]
        |> List.forall (fun line ->
            not (line.Contains '\n')
            && (SchemaCheck.validate schema.Value (JsonNode.Parse line)).IsEmpty))

// Its metrics.

[<Fact>]
let ``a collector has the counts of the report, by OpenTelemetry's names`` () =
    use counting = sometimes 7L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    use collector = new OtlpCollector(200)
    use folder = new Built.Folder()
    let json = folder.File "run.json"

    let ended =
        ToolRun.run (asked $"{counting.Server.Url}/x" @ [ "--otlp"; collector.Url; "--json"; json ])

    Assert.True((0 = ended.Code), ended.Err)
    let outcome = (OutcomeJson.read json (File.ReadAllText json)).Outcome
    // each second, and the end
    Assert.True(collector.Messages >= 3, $"{collector.Messages} messages")
    let metrics = collector.Metrics

    let results =
        Map.ofList
            [
                for point in metrics["plait.attack.requests"].Points do
                    point.Attributes["plait.attack.result"], point.Value
            ]

    Assert.Equal<Map<string, int64>>(
        outcome.Results
        |> Map.toList
        |> List.map (fun (result, count) -> Outcome.resultName result, count)
        |> Map.ofList,
        results
    )

    let only name = List.exactlyOne metrics[name].Points

    Assert.Equal(outcome.Requests, (only "plait.attack.due").Value)
    Assert.Equal(0L, (only "http.client.active_requests").Value)

    let common =
        Map.ofList
            [
                "http.request.method", "GET"
                "server.address", "127.0.0.1"
                "server.port", string (Uri counting.Server.Url).Port
                "url.scheme", "http"
            ]

    Assert.Equal<Map<string, string>>(common, (only "http.client.active_requests").Attributes)

    for name, histogram in
        [
            "http.client.request.duration", outcome.Counts.Actual
            "plait.attack.latency", outcome.Counts.Intended
        ] do
        Assert.Equal("s", metrics[name].Unit)
        let point = only name
        Assert.Equal(histogram.Count, point.Value)
        Assert.Equal<Map<string, string>>(common, point.Attributes)

[<Fact; Trait("run", "more")>]
let ``a collector that is missing or refuses is one sentence, and the run continues`` () =
    use counting = sometimes Int64.MaxValue ""
    use refusing = new OtlpCollector(503)

    use garbled =
        new Loopback(fun connection ->
            connection.Request() |> ignore
            connection.Send "no HTTP\r\n\r\n"

            while connection.Rest() <> "" do
                ())

    // Closed or reset: not both sides read to the end.
    use closing = new Loopback(ignore)

    for url, why in
        [
            "http://127.0.0.1:1", "no server takes connections there"
            garbled.Url, "its answer is not HTTP"
            "http://no-such-host.invalid:4318", "its host cannot be found"
            refusing.Url, "it answers with status 503"
        ] do
        let ended = ToolRun.run (asked $"{counting.Server.Url}/" @ [ "--otlp"; url ])
        ended |> ToolRun.endsBadly 1 [ $"the metrics did not reach {url}/v1/metrics: {why}" ]
        Assert.Contains($"note: metrics do not reach {url}/v1/metrics: {why}; the run goes on", ended.Err)
        Assert.Contains("right:60", ended.Out)

    ToolRun.run (asked $"{counting.Server.Url}/" @ [ "--otlp"; closing.Url ])
    |> ToolRun.endsBadly 1 [ $"the metrics did not reach {closing.Url}/v1/metrics: the connection " ]

    ToolRun.run (asked "http://127.0.0.1:1/" @ [ "--otlp"; "collector:4318" ])
    |> ToolRun.endsBadly 2 [ "--otlp takes the URL of a collector like http://127.0.0.1:4318" ]

[<Fact; Trait("run", "more")>]
let ``a collector that hangs is not asked again and again at the end`` () =
    use counting = sometimes Int64.MaxValue ""

    use collector =
        new Loopback(fun connection ->
            while connection.Rest() <> "" do
                ())

    ToolRun.run (asked $"{counting.Server.Url}/" @ [ "--otlp"; collector.Url ])
    |> ToolRun.endsBadly 1 [ "the metrics did not reach"; "it does not answer within 5 s" ]

    // Once for the seconds, and once for the end if there is a moment left.
    Assert.InRange(collector.Connections, 1, 2)
