// plait attack as a process: what it is asked, what it prints and writes, and how it ends.
module Plait.Tool.Tests.AttackTool

open System
open System.IO
open System.Text.Json
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private nowhere = "http://127.0.0.1:1/"

/// Arguments, and words of the sentence.
let private wrong: (string list * string list) list =
    [
        [], [ "nothing to attack"; "--targets" ]
        [ "ftp://a/" ], [ "ftp://a/"; "http://" ]
        [ nowhere; "--rate"; "fast" ], [ "--rate"; "'fast'"; "500/s" ]
        [ nowhere; "--ramp"; "5" ], [ "--ramp"; "'5'"; "100:2000" ]
        [ nowhere; "--rate"; "5"; "--ramp"; "1:2" ], [ "--rate and --ramp" ]
        [ nowhere; "--steps"; "1,2x" ], [ "--steps"; "'1,2x'"; "100,200,400x10s" ]
        [ nowhere; "--steps"; "1,2x1s"; "--duration"; "2s" ], [ "--duration"; "2s by themselves" ]
        [ nowhere; "--steps"; "1,2x1s"; "--poisson" ], [ "--poisson goes with --rate, not with --steps" ]
        [ nowhere; "--poisson"; "--connections"; "2" ], [ "--poisson needs a --rate" ]
        [ nowhere; "--duration"; "soon" ], [ "--duration"; "'soon'"; "30s" ]
        [ nowhere; "--rate"; "5"; "--connections"; "2"; "--max-connections"; "3" ],
        [ "--connections opens so many before the run" ]
        [ nowhere; "--max-connections"; "3" ], [ "--max-connections needs a rate" ]
        [ nowhere; "--rate"; "5"; "--connections"; "2"; "--threads"; "3" ],
        [ "3 threads cannot share 2 connections" ]
        [ nowhere; "--key"; "k.pem" ], [ "--cert" ]
        [ nowhere; "--connect-to"; "127.0.0.1" ], [ "'127.0.0.1'"; "HOST:PORT" ]
        [ nowhere; "--connect-to"; "127.0.0.1:65536"; "--no-calibration" ], [ "HOST:PORT" ]
        [ nowhere; "--stream"; "/tmp/a/../b.json"; "--json"; "/tmp/b.json" ],
        [ "--json and --stream name the same file, /tmp/b.json" ]
        [ nowhere; "--json"; "" ], [ "--json" ]
        [ nowhere; "--otlp"; "http://me:hush@127.0.0.1:1/" ], [ "--otlp takes no password" ]
        [ nowhere; "--out"; "/proc/none" ], [ "/proc/none" ]
        [ nowhere; "--out"; "/tmp/none"; "--hlog"; "/tmp/a/../none/attack.hlog" ],
        [ "--hlog and --out name the same file, /tmp/a/../none/attack.hlog" ]
        [ nowhere; "--connect-to"; "h:1"; "--unix-socket"; "s" ], [ "--connect-to and --unix-socket" ]
        [ nowhere; "--body"; "ok"; "--header"; "Content-Length: 5" ],
        [ "Content-Length: 5 contradicts its body, which has 2 bytes" ]
        [ nowhere + "{{int 5 1}}" ], [ "{{int 5 1}}"; "above the second" ]
        [ "http://{{seq}}:pw@127.0.0.1:1/" ],
        [ "http://{{seq}}:***@127.0.0.1:1/"; "the same in every request"; "into a header" ]
        [ nowhere; "--data"; "/no/such/file.csv" ], [ "--data"; "/no/such/file.csv" ]
        [ nowhere; "--header"; "nonsense" ], [ "--header"; "'nonsense'" ]
        [ nowhere; "--method"; "GE T" ], [ "'GE T'" ]
        [ nowhere; "--body"; "@/no/such/file" ], [ "--body"; "/no/such/file" ]
        [ "--targets"; "/no/such/file" ], [ "--targets"; "/no/such/file" ]
        [ nowhere; "--expect-status"; "ok" ], [ "--expect-status"; "'ok'" ]
        [ nowhere; "--core"; "1000" ], [ "--core 1000" ]
        [ nowhere; "--csv"; "/proc/none/x.csv" ], [ "--csv: /proc/none/x.csv cannot be written" ]
        [ nowhere; "--report"; "pie" ], [ "--report"; "'pie'" ]
        [ nowhere; "--conections"; "5" ], [ "did you mean --connections?" ]
        [ nowhere; "--rate"; "9000000"; "--duration"; "1s" ], [ "more than half"; "--no-calibration" ]
    ]

/// Further inputs that are wrong in the same options.
let private further: (string list * string list) list =
    [
        [ nowhere; "--rate"; "0" ], [ "--rate"; "'0'" ]
        [ nowhere; "--steps"; "1,0x1s" ], [ "the rate is 0" ]
        [ nowhere; "--connections"; "0" ], [ "--connections"; "'0'" ]
        [ nowhere; "--connect-to"; "127.0.0.1:"; "--no-calibration" ], [ "'127.0.0.1:'"; "HOST:PORT" ]
        [ nowhere; "--connect-to"; "u@127.0.0.1:2901"; "--no-calibration" ], [ "HOST:PORT" ]
        [ nowhere; "--connect-to"; "127.0.0.1:2901/a?b"; "--no-calibration" ], [ "HOST:PORT" ]
        [ nowhere; "--connect-to"; "127.0.0.1:0"; "--no-calibration" ], [ "HOST:PORT" ]
        [ nowhere; "--connect-to"; "::1:80"; "--no-calibration" ], [ "HOST:PORT" ]
        [ nowhere; "--otlp"; "http://127.0.0.1:1/?a=1" ], [ "OTEL_EXPORTER_OTLP_HEADERS" ]
        [ nowhere; "--body"; "ok"; "--header"; "Transfer-Encoding: gzip" ], [ "does not end with 'chunked'" ]
        [ nowhere; "--ramp"; "9:0" ], [ "--ramp"; "'9:0'"; "above 0" ]
        [ nowhere; "--page"; "/proc/none/x.html" ], [ "--page: /proc/none/x.html cannot be written" ]
    ]

let private endBadly (inputs: (string list * string list) list) =
    for arguments, words in inputs do
        ToolRun.run ("attack" :: arguments) |> ToolRun.endsBadly 2 words

[<Fact>]
let ``wrong input ends in one sentence and exit code 2`` () = endBadly wrong

[<Fact; Trait("run", "more")>]
let ``further wrong input ends in one sentence and exit code 2`` () = endBadly further

let private totalOf (json: string) =
    use document = JsonDocument.Parse json
    document.RootElement.Clone()

[<Fact>]
let ``a run reports the server's count, and ends with 0 unless it gives a reason`` () =
    use counting = sometimes 10L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    use folder = new Built.Folder()

    let ended =
        ToolRun.run
            [
                "attack"
                $"{counting.Server.Url}/x"
                "--rate"
                "100/s"
                "--duration"
                "2s"
                "--out"
                folder.File "out"
            ]

    let json =
        (totalOf (File.ReadAllText(Path.Combine(folder.File "out", "attack.json")))).GetProperty "outcome"

    let results = json.GetProperty "results"

    let named (name: string) =
        match results.TryGetProperty name with
        | true, value -> value.GetInt64()
        | _ -> 0L

    let text = $"{ended.Out}\n{ended.Err}\n{json}"
    Assert.True((counting.Sent = named "right"), text)
    Assert.True((counting.Spoiled = named "wrong status"), text)
    Assert.True((200L = named "right" + named "wrong status" + named "unsent"), text)
    let isValid = json.GetProperty("invalid").GetArrayLength() = 0
    Assert.Equal((if isValid then 0 else 1), ended.Code)
    Assert.True(json.GetProperty("capacity").GetDouble() > 0.0)
    Assert.Contains("[1/2 s] 100 due", ended.Err)

[<Fact>]
let ``a run in steps has a row for each in the terminal, the JSON, the CSV and the page`` () =
    use counting = sometimes Int64.MaxValue ""
    use folder = new Built.Folder()
    let out = folder.File "out"

    let ended =
        ToolRun.run
            [
                "attack"
                $"{counting.Server.Url}/"
                "--steps"
                "40,100x500ms"
                "--no-calibration"
                "--out"
                out
            ]

    // 1 when the machine was too busy for the figures to be relied on
    Assert.True(ended.Code < 2, ended.Err)

    let read name =
        File.ReadAllText(Path.Combine(out, name))

    Assert.Matches(@"(?m)^ *rate/s +due +right/s +success +50 % +90 % +99 % +99.9 % +longest\r?$", ended.Out)
    Assert.Matches(@"(?m)^ *40\.0 +20 ", ended.Out)
    Assert.Matches(@"(?m)^ *100\.0 +50 ", ended.Out)

    let steps =
        (totalOf (read "attack.json")).GetProperty("outcome").GetProperty("steps").EnumerateArray()
        |> Seq.map (fun step -> step.GetProperty("perSecond").GetDouble(), step.GetProperty("due").GetInt64())

    Assert.Equal<(float * int64) seq>([ 40.0, 20L; 100.0, 50L ], steps)
    let csv = (read "steps.csv").TrimEnd('\n').Split '\n'
    Assert.Equal(3, csv.Length)
    Assert.StartsWith("perSecond,due,answeredPerSecond,success,p50Nanoseconds,", csv[0])
    Assert.StartsWith("100,50,", csv[2])

    let ofSecond =
        (read "samples.csv").Split '\n' |> Array.filter (fun line -> line.EndsWith ",2,0")

    Assert.Equal(50, ofSecond.Length)
    let recording = OutcomeJson.read "attack.json" (read "attack.json")

    for id in [ "steps"; "latency-by-rate" ] do
        Assert.Contains(AttackReport.panels recording, fun panel -> panel.Id = id)

[<Fact>]
let ``a run in which nothing succeeded ends with exit code 1`` () =
    let ended =
        ToolRun.run [ "attack"; "127.0.0.1:1"; "--rate"; "20"; "-n"; "10"; "--no-calibration" ]

    ended |> ToolRun.endsBadly 1 [ "not one request of 10 succeeded"; "refused" ]

[<Fact>]
let ``an interrupted run reports its requests so far`` () =
    use counting = sometimes Int64.MaxValue ""

    let running =
        ToolRun.start
            [
                "attack"
                $"{counting.Server.Url}/"
                "--connections"
                "2"
                "--duration"
                "10m"
                "--no-calibration"
                "--report"
                "json"
            ]

    Within.comes "the first second is over" (fun () ->
        running.Errors |> List.exists (fun line -> line.StartsWith "[1/600 s]"))

    running.Interrupt()
    let ended = running.Wait()
    ended |> ToolRun.endsBadly 1 [ "stopped" ]
    let json = (totalOf ended.Out).GetProperty "outcome"
    Assert.Equal(counting.Sent, json.GetProperty("results").GetProperty("right").GetInt64())
    Assert.True(json.GetProperty("stopped").GetBoolean())
    Assert.False(fst (json.TryGetProperty "capacity"))

[<Fact>]
let ``an unknown host is reported before the generator is calibrated`` () =
    let ended = ToolRun.run [ "attack"; "http://no-such-host.invalid/" ]
    ended |> ToolRun.endsBadly 2 [ "no-such-host.invalid"; "cannot be found" ]
    Assert.DoesNotContain("finding out", ended.Err)

[<Fact>]
let ``an output file is not changed before the first measurement, and its folder is made`` () =
    use folder = new Built.Folder()
    let old = folder.File "old.json"
    File.WriteAllText(old, "kept")

    ToolRun.run [ "attack"; nowhere; "--json"; old; "--csv"; "/proc/none/x.csv" ]
    |> ToolRun.endsBadly 2 [ "--csv" ]

    Assert.Equal("kept", File.ReadAllText old)

    let deep = folder.File "deep/er/samples.csv"

    ToolRun.run
        [ "attack"; nowhere; "--duration"; "100ms"; "--no-calibration"; "--csv"; deep; "--report"; "none" ]
    |> ToolRun.endsBadly 1 [ "not one request of 5" ]

    Assert.Equal(6, File.ReadAllLines(deep).Length)

[<Fact>]
let ``a file that cannot be written costs neither the report nor the other files`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "/dev/full is a disk that is full")
    use folder = new Built.Folder()

    let csv, json, page =
        folder.File "one.csv", folder.File "one.json", folder.File "one.html"

    let ended =
        ToolRun.run
            [
                "attack"
                nowhere
                "--duration"
                "100ms"
                "--no-calibration"
                "--hlog"
                "/dev/full"
                "--csv"
                csv
                "--json"
                json
                "--page"
                page
            ]

    ended |> ToolRun.endsBadly 1 [ "/dev/full cannot be written" ]
    Assert.Contains("refused:5", ended.Out)
    Assert.Equal(6, File.ReadAllLines(csv).Length)
    Assert.Equal(5L, (OutcomeJson.read json (File.ReadAllText json)).Outcome.Requests)
    Assert.Equal(Option.isSome (Plait.Report.Page.template ()), File.Exists page)

[<Fact>]
let ``a second without a right response has no percentiles`` () =
    let ended =
        ToolRun.run [ "attack"; nowhere; "--duration"; "100ms"; "--no-calibration"; "--report"; "none" ]

    Assert.Contains("5 due, 0 right, 5 failed, 0 in flight, p50 -, p99 -", ended.Err)

[<Fact>]
let ``an invalid run ends with 1, and for crank with 0, because crank would drop its figures`` () =
    use counting = sometimes Int64.MaxValue ""

    // More than any generator can send.
    let asked =
        [
            "attack"
            $"{counting.Server.Url}/"
            "--rate"
            "5000000/s"
            "--duration"
            "100ms"
            "--connections"
            "20"
            "--no-calibration"
        ]

    let ended = ToolRun.run asked
    ended |> ToolRun.endsBadly 1 [ "the run is invalid" ]
    Assert.Contains("INVALID: ", ended.Out)

    let ended = ToolRun.run (asked @ [ "--crank" ])
    Assert.Equal(0, ended.Code)
    Assert.Contains("the run is invalid", ended.Err)
    Assert.EndsWith("#EndJobStatistics", ended.Out.TrimEnd())

[<Fact>]
let ``credentials are sent, and are in no report, page, table or command`` () =
    use counting = sometimes Int64.MaxValue ""
    use folder = new Built.Folder()
    let address = Uri counting.Server.Url

    let ended =
        ToolRun.run
            [
                "attack"
                $"http://me:hush1@{address.Authority}/?at=12:30@noon"
                "-c"
                "2"
                "-n"
                "20"
                "-H"
                "X-Api-Key: hush2"
                "--header=Cookie: id=hush3"
                "-H"
                "Accept: any/thing"
                "--no-calibration"
                "--out"
                folder.File "all"
                "--vegeta-csv"
                folder.File "vegeta.csv"
                "--stream"
                folder.File "stream.jsonl"
            ]

    Assert.Equal(0, ended.Code)

    let files =
        Directory.GetFiles(folder.File "all")
        |> Array.append [| folder.File "vegeta.csv"; folder.File "stream.jsonl" |]
        |> Array.map (fun path -> Path.GetFileName path, File.ReadAllText path)
        |> Map.ofArray

    for name, text in Map.toList (files.Add("stdout", ended.Out).Add("stderr", ended.Err)) do
        if name <> "attack.json" then
            Assert.DoesNotContain("hush", text)

    let name =
        Plait.Report.Csv.field $"http://me:***@{address.Authority}/?at=12:30@noon"

    Assert.Contains($",GET,{name},", files["vegeta.csv"])
    let recording = OutcomeJson.read "attack.json" files["attack.json"]
    Assert.Contains($"'http://me:***@{address.Authority}/?at=12:30@noon'", recording.Command)
    Assert.Contains("'X-Api-Key: ***' '--header=Cookie: ***' -H 'Accept: any/thing'", recording.Command)
    // it is what a run is made from again
    let request = List.exactlyOne recording.Outcome.Plan.Requests
    Assert.Equal("me:hush1", request.Url.UserInfo)

    Assert.Equal<_ list>(
        [ "X-Api-Key", "hush2"; "Cookie", "id=hush3"; "Accept", "any/thing" ],
        request.Headers
    )

[<Fact; Trait("run", "more")>]
let ``a generator in a process of its own brings back the outcome`` () =
    use counting = sometimes 6L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"
    let command = [ Built.dotnet; Built.tool (); "attack-worker" ]
    use generator = AttackProcess.Start(command, None, 30000)
    let mutable seconds = []

    for expected in 1..2 do
        let before, spoiled = counting.Sent, counting.Spoiled
        seconds <- []

        let outcome =
            generator.Run(
                plan $"{counting.Server.Url}/" (Open(Poisson 200.0, 300)) 1200,
                (fun second -> seconds <- second :: seconds),
                CancellationToken.None
            )

        Assert.Equal(counting.Sent - before, outcome.Right)
        Assert.Equal(counting.Spoiled - spoiled, count RequestResult.WrongStatus outcome)
        Assert.Equal(outcome.Right, outcome.Counts.Intended.Count)
        Assert.Equal(outcome.Right, seconds |> List.sumBy _.Right)
        Assert.True(outcome.Right > 0L)

    let refused =
        Assert.Throws<Plait.Common.WorkerFailed>(fun () ->
            generator.Run(plan "ftp://h/" (Closed 1) 10, ignore, CancellationToken.None) |> ignore)

    Assert.Contains("not an HTTP URL", refused.Message)

[<Fact>]
let ``an HTTP/2 server that allows few streams gets more connections`` () =
    use server = FrameServer.withFewStreams 20 50

    // Five times of what one connection answers, whose streams are all taken in a quarter of a second.
    let ended =
        ToolRun.run
            [
                "attack"
                server.Url
                "--http2"
                "--rate"
                "100"
                "--duration"
                "1s"
                "--timeout"
                "2s"
                "--no-calibration"
            ]

    Assert.DoesNotContain("connections ran out", ended.Out)
    Assert.Matches(@"\[open, allowed, made\] +\d+, 300, \d+", ended.Out)
    Assert.True(server.Connections >= 3L, $"{server.Connections} connections")
