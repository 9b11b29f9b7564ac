// plait attack, report and merge as processes: what they write, what they refuse.
module Plait.Tool.Tests.RunFilesVerbs

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Xunit

open Plait.Load
open Plait.Common
open Plait.Report
open Plait.Tests.Support

/// A folder with two load runs and what else may be given.
let private prepared () =
    let folder = new Built.Folder()
    let one, two = RandomOutcomes.plain "one" 100, RandomOutcomes.plain "two" 50
    File.WriteAllText(folder.File "one.json", OutcomeJson.write one)
    File.WriteAllText(folder.File "two.json", OutcomeJson.write two)
    let log = AttackReport.hlog one
    File.WriteAllText(folder.File "one.hlog", log)
    File.WriteAllText(folder.File "two.hlog", AttackReport.hlog two)
    File.WriteAllText(folder.File "cut.hlog", log.Substring(0, log.Length - 40))
    File.WriteAllText(folder.File "fizz.json", ResultsJson.write RandomResults.sample)
    File.WriteAllText(folder.File "page.html", "<!doctype html>")

    folder, Histogram.Sum [ one.Outcome.Counts.Intended; two.Outcome.Counts.Intended ]

[<Fact>]
let ``merge writes the exact sum as a log and as distributions, and prints it`` () =
    let folder, sum = prepared ()
    use _ = folder
    let out = folder.File "deep/both"

    let ended =
        ToolRun.run [ "merge"; folder.File "one.json"; folder.File "two.hlog"; "--out"; out ]

    Assert.Equal((0, ""), (ended.Code, ended.Err))

    let read = (Hlog.read "both.hlog" 1L (File.ReadAllText(out + ".hlog"))).Intervals

    let again =
        read
        |> List.filter (fun one -> one.Tag = Some "intended")
        |> List.map _.Histogram
        |> Histogram.Sum

    Assert.Equal(150L, again.Count)
    Assert.All(seq { 0 .. Histogram.Length - 1 }, fun index -> Assert.Equal(sum[index], again[index]))
    Assert.Equal(Hgrm.write sum, File.ReadAllText(out + ".intended.hgrm"))
    Assert.True(File.Exists(out + ".actual.hgrm"))
    Assert.Matches(@"(?m)^sum +from intended start +150 ", ended.Out)
    Assert.Matches(@"(?m)^one +from send +100 ", ended.Out)

[<Fact>]
let ``a run and its log are one run under any file names`` () =
    let folder, _ = prepared ()
    use _ = folder

    ToolRun.run
        [
            "merge"
            folder.File "one.json"
            folder.File "two.hlog"
            folder.File "one.hlog"
            "--out"
            folder.File "x"
        ]
    |> ToolRun.endsBadly 2 [ "one.json"; "one.hlog"; "of one run"; "counted twice" ]

    Assert.False(File.Exists(folder.File "x.hlog"))

[<Fact>]
let ``--json - is the JSON alone on standard output, and everything else on standard error`` () =
    use folder = new Built.Folder()
    let run, page = folder.File "one.json", folder.File "one.html"
    Files.write run (OutcomeJson.write (RandomOutcomes.plain "one" 100))
    let ended = ToolRun.run [ "report"; run; "--out"; page; "--json"; "-" ]
    Assert.Equal("attack", (ResultsJson.read "standard output" ended.Out).Scenario)
    Assert.Contains("from send", ended.Err)

[<Fact>]
let ``report takes the folder of a run, names the runs, and counts failed requests`` () =
    use folder = new Built.Folder()

    let saved (path: string) name (count: int) =
        let run = RandomOutcomes.plain name count
        let right = List.ofArray run.Outcome.Samples

        let refused =
            List.replicate 7 { right.Head with Status = 0; Result = RequestResult.Refused }

        let outcome = RandomOutcomes.ofSamples run.Outcome.Plan (refused @ right)

        Files.write
            (folder.File path)
            (OutcomeJson.write { run with Outcome = { outcome with Invalid = [ "it was late" ] } })

    saved "before/attack.json" "old cards" 100
    saved "after/attack.json" "new cards" 50
    let page = folder.File "deep/both.html"

    let ended =
        ToolRun.run [ "report"; folder.File "before"; folder.File "after"; "--out"; page ]

    if Option.isSome (Page.template ()) then
        Assert.Equal((0, ""), (ended.Code, ended.Err))

    Assert.Matches(@"(?m)^old cards +from send +100 ", ended.Out)
    Assert.Matches(@"(?m)^run +requests +failed +due/s +right/s +success +valid\r?$", ended.Out)
    Assert.Matches(@"(?m)^old cards +107 +7 .* 93.46% +no\r?$", ended.Out)
    Assert.Matches(@"(?m)^new cards +57 +7 .* 87.72% +no\r?$", ended.Out)

    Directory.CreateDirectory(folder.File "empty") |> ignore

    ToolRun.run [ "report"; folder.File "empty" ]
    |> ToolRun.endsBadly 2 [ "empty is a folder that has neither attack.json nor results.json" ]

[<Fact>]
let ``vegeta's columns name each request`` () =
    let run = RandomOutcomes.plain "one" 3

    let written requests =
        use target = new StringWriter()

        AttackCsv.writeVegeta
            target
            true
            "n"
            { run.Outcome with
                Plan = { run.Outcome.Plan with Requests = requests }
                Samples =
                    run.Outcome.Samples
                    |> Array.mapi (fun at sample -> { sample with Request = at % requests.Length })
            }

        string target

    let get path : HttpRequest =
        { Method = "GET"; Url = Uri $"http://h/{path}"; Headers = []; Body = [||] }

    Assert.Matches(@"(?m)^.*,n,0,GET,http://h/a,$", written [ get "a" ])
    Assert.Matches(@"(?m)^.*,n,0,GET,http://h/a,$", written [ get "a"; get "b" ])
    Assert.Matches(@"(?m)^.*,n,1,GET,http://h/b,$", written [ get "a"; get "b" ])

[<Fact>]
let ``report writes a page of several runs and prints their table`` () =
    let folder, _ = prepared ()
    use _ = folder
    let page, data = folder.File "both.html", folder.File "both.json"

    let ended =
        ToolRun.run
            [ "report"; folder.File "one.json"; folder.File "two.hlog"; "--out"; page; "--json"; data ]

    if Option.isSome (Page.template ()) then
        Assert.Equal((0, ""), (ended.Code, ended.Err))
        let inside = ReadBack.page (File.ReadAllText page)
        Assert.Equal(ResultsJson.read "data" (File.ReadAllText data), ResultsJson.read "page" inside)

    let results = ResultsJson.read "data" (File.ReadAllText data)
    Assert.Empty results.Rows
    Assert.Contains(results.Panels, fun panel -> panel.Id = "percentiles" && panel.Series.Length = 4)
    Assert.Matches(@"(?m)^one +from intended start +100 ", ended.Out)
    Assert.Matches(@"(?m)^two +from send +50 ", ended.Out)

[<Fact>]
let ``the printed report fits the terminal and has its colours if standard output is the JSON`` () =
    Assert.SkipUnless(File.Exists "/usr/bin/script", "a terminal is made by script")
    Assert.SkipWhen((Page.template ()).IsNone, "this build holds no page")
    use folder = new Built.Folder()
    let faster = { MadeRows.ratio 0.8 0.78 0.82 with Verdict = Some Faster }

    let results =
        { Results.Empty with
            Title = "one two three four five six seven eight nine ten eleven twelve"
            Base = "sync"
            Margin = 0.03
            Rows =
                [
                    MadeRows.row "sync" (Some 1000.0) None
                    MadeRows.row "quicker-than-the-base" (Some 900.0) (Some faster)
                ]
        }

    File.WriteAllText(folder.File "results.json", ResultsJson.write results)

    let command =
        $"stty cols 60; '{Built.dotnet}' '{Built.tool ()}' report results.json --out page.html --json - > copy.json"

    let info =
        ProcessStartInfo(
            "/usr/bin/script",
            [ "-qec"; command; "/dev/null" ],
            WorkingDirectory = folder.File "",
            RedirectStandardInput = true,
            RedirectStandardOutput = true
        )

    info.Environment["TERM"] <- "xterm-256color"
    info.Environment.Remove "NO_COLOR" |> ignore
    use terminal = nonNull (Process.Start info)

    let shown =
        terminal.StandardOutput.ReadToEndAsync() |> Within.result "what the terminal shows"

    Assert.Equal(results, ResultsJson.read "copy.json" (File.ReadAllText(folder.File "copy.json")))
    Assert.Matches(@"\u001b\[[0-9;]*mquicker-than-the-base", shown)
    let plain = Regex.Replace(shown, @"\u001b(\[[0-9;?]*[A-Za-z]|[=>])", "")
    Assert.Contains("CPU ratio", plain)
    // A path is as long as it is.
    let table =
        plain.Split '\n' |> Array.filter (fun line -> not (line.StartsWith "page:"))

    Assert.All(table, fun line -> Assert.True(line.TrimEnd().Length < 60, line))

/// Arguments behind the verb (files are in the folder), and words of the sentence.
let private wrong: (string * string list * string list) list =
    [
        "no file to report", [ "report" ], [ "'report' needs files" ]
        "no file to merge", [ "merge"; "--out"; "@x" ], [ "'merge' needs files" ]
        "no output", [ "merge"; "@one.hlog" ], [ "--out" ]
        "a file that is not there", [ "report"; "@three.json" ], [ "three.json"; "cannot be read as a run" ]
        "a log that is cut off",
        [ "merge"; "@one.hlog"; "@cut.hlog"; "--out"; "@x" ],
        [ "cut.hlog, line "; "cut off" ]
        "a page instead of a run", [ "report"; "@page.html" ], [ "page.html is a page" ]
        "results of a scenario",
        [ "merge"; "@one.hlog"; "@fizz.json"; "--out"; "@x" ],
        [ "fizz.json"; "no histograms" ]
        "the same file twice", [ "merge"; "@one.hlog"; "@one.hlog"; "--out"; "@x" ], [ "2 times" ]
        "an output that is an input",
        [ "merge"; "@one.hlog"; "@two.hlog"; "--out"; "@two.hlog" ],
        [ "two.hlog"; "--out" ]
        "one file for two outputs of merge",
        [ "merge"; "@one.json"; "@two.json"; "--json"; "@both"; "--page"; "@both" ],
        [ "--json and --page name the same file" ]
        "one file for two outputs of report",
        [ "report"; "@one.hlog"; "--out"; "@both"; "--json"; "@both" ],
        [ "--out and --json name the same file" ]
        "an output of another kind", [ "merge"; "@one.hlog"; "--out"; "@x.json" ], [ ".json"; ".hlog" ]
        "a unit that is none", [ "report"; "@one.hlog"; "--unit"; "min" ], [ "--unit"; "'min'" ]
        "a tag that is not there",
        [ "merge"; "@one.hlog"; "--tag"; "lag"; "--out"; "@x" ],
        [ "'lag'"; "'intended'" ]
        "a report of no kind",
        [ "attack"; "http://127.0.0.1:9/"; "--report"; "pie" ],
        [ "--report"; "'pie'"; "hist[0,1ms,10ms]" ]
        "buckets that are none",
        [ "attack"; "http://127.0.0.1:9/"; "--report"; "hist[2ms,1ms]" ],
        [ "--report"; "ascend" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``an impossible request is one sentence and exit code 2`` (name: string) =
    let folder, _ = prepared ()
    use _ = folder
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)

    let placed =
        arguments
        |> List.map (fun text -> if text.StartsWith '@' then folder.File(text.Substring 1) else text)

    ToolRun.run placed |> ToolRun.endsBadly 2 words
    Assert.False(File.Exists(folder.File "x.hlog"))

[<Fact>]
let ``attack writes every file of a run, and all have the same counts`` () =
    use server = LoadServer.sometimes Int64.MaxValue ""
    use folder = new Built.Folder()
    let out = folder.File "run"

    let ended =
        ToolRun.run
            [
                "attack"
                $"http://{server.Server.Address}/"
                "--rate"
                "100/s"
                "--duration"
                "2s"
                "--no-calibration"
                "--out"
                out
                "--vegeta-csv"
                folder.File "vegeta.csv"
            ]

    // 1 when the machine was too busy for the figures to be relied on
    Assert.True(ended.Code < 2, ended.Err)

    let read name =
        File.ReadAllText(Path.Combine(out, name))

    let recording = OutcomeJson.read "attack.json" (read "attack.json")
    let outcome = recording.Outcome
    Assert.Equal(200L, outcome.Requests)
    Assert.True(recording.Environment.IsSome)
    Assert.StartsWith("plait attack ", recording.Command)
    Assert.Equal(read "attack.txt", ended.Out)
    Assert.StartsWith("Requests      [total, rate, throughput]         200, ", ended.Out)
    Assert.Equal(Hgrm.write outcome.Counts.Intended, read "intended.hgrm")
    Assert.Equal(Hgrm.write outcome.Counts.Actual, read "actual.hgrm")
    let intervals = (Hlog.read "attack.hlog" 1L (read "attack.hlog")).Intervals

    for tag in [ "intended"; "actual" ] do
        let counts =
            intervals |> List.filter (fun one -> one.Tag = Some tag) |> List.sumBy _.Histogram.Count

        Assert.Equal(outcome.Right, counts)

    Assert.Equal(201, (read "samples.csv").TrimEnd('\n').Split('\n').Length)
    Assert.Equal(200, (File.ReadAllText(folder.File "vegeta.csv")).TrimEnd('\n').Split('\n').Length)

    if Option.isSome (Page.template ()) then
        let results = ResultsJson.read "page" (ReadBack.page (read "page.html"))
        Assert.Contains(results.Panels, fun panel -> panel.Id = "latency-over-time")
