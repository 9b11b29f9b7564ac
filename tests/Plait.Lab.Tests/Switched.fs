// The defects of the published benchmark: each switch does in a real process what it says, and a run with one of them on
// measures what it does.
module Plait.Lab.Tests.Switched

open System.IO
open System.Net.Http
open Xunit

open Plait.Load

open Plait.Lab
open Plait.Report
open Plait.Tests.Support

let private start (arguments: string list) =
    let sync =
        Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = "sync")

    LineProcess.Start(
        {
            Subject = "sync"
            File = CandidateProcess.Host
            Arguments = sync.Assembly :: arguments
            // Bytes are those that the program says, whatever the compiler found to keep on the stack so far.
            Variables = [ "DOTNET_JitObjectStackAllocation", "0" ]
            Core = None
        },
        int Within.limit.TotalMilliseconds
    )
    |> fst

let private ask (running: LineProcess) request =
    running.Ask("being tested", request, int Within.limit.TotalMilliseconds)

let private body running =
    (ask running """{"do":"body"}""").GetProperty("body").GetString()

[<Fact>]
let ``indented JSON is plain text, and the same strings`` () =
    use running = start [ "--json=indented" ]
    Assert.Equal(FizzBuzz.indented, body running)
    let port = (ask running """{"do":"serve"}""").GetProperty("port").GetInt32()
    use client = new HttpClient()
    use answer = client.GetAsync($"http://127.0.0.1:{port}/fizzbuzz").Result
    Assert.Equal("text/plain", (nonNull answer.Content.Headers.ContentType).MediaType)
    Assert.Equal(FizzBuzz.indented, answer.Content.ReadAsStringAsync().Result)

[<Theory; InlineData "written"; InlineData "forced">]
let ``a trace holds a record of every call of a function that only computes`` (policy: string) =
    use folder = new Built.Folder()
    let file = folder.File "trace.log"
    use running = start [ $"--trace-{policy}={file}" ]
    Assert.Equal(FizzBuzz.expected, body running)
    let records = File.ReadAllLines file
    Assert.Equal(602, records.Length)
    Assert.StartsWith("Int.range\t1\t100\t[1,2,3", records[0])
    Assert.Contains("Int.%\t1\t15\t1", records)

    Assert.Equal(
        548,
        records
        |> Array.filter (fun record -> record.StartsWith "Int.%" || record.StartsWith "Int.==")
        |> Array.length
    )

[<Fact>]
let ``a table of functions for every request costs bytes at every request`` () =
    let bytes arguments =
        use running = start arguments
        ask running """{"do":"run","milliseconds":300}""" |> ignore
        let reply = ask running """{"do":"run","milliseconds":300}"""

        float (reply.GetProperty("allocatedBytes").GetInt64())
        / float (reply.GetProperty("operations").GetInt64())

    let once = bytes [ "--fn-table=once" ]
    let perRequest = bytes [ "--fn-table=per-request" ]
    Assert.True(perRequest > once + 1000.0, $"{perRequest} bytes a request against {once}")

[<Fact>]
let ``logging writes lines to the console for a request`` () =
    let sync =
        Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = "sync")

    let info =
        System.Diagnostics.ProcessStartInfo(
            CandidateProcess.Host,
            [ sync.Assembly; "--logging" ],
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    use running = nonNull (System.Diagnostics.Process.Start info)
    let said = System.Collections.Concurrent.ConcurrentQueue<string>()
    running.ErrorDataReceived.Add(fun line -> said.Enqueue(string line.Data))
    running.BeginErrorReadLine()
    running.StandardOutput.ReadLine() |> ignore
    running.StandardInput.WriteLine """{"do":"serve"}"""

    use reply =
        System.Text.Json.JsonDocument.Parse(nonNull (running.StandardOutput.ReadLine()))

    let port = reply.RootElement.GetProperty("port").GetInt32()
    use client = new HttpClient()
    Assert.Equal(FizzBuzz.expected, client.GetStringAsync($"http://127.0.0.1:{port}/fizzbuzz").Result)

    let isSaid (words: string) =
        said |> Seq.exists (fun line -> line.Contains words)

    // The logger writes from a queue, behind the answer.
    Within.comes "the end of the request in the log" (fun () -> isSaid "Request finished")
    Assert.True(isSaid "Request starting", String.concat "\n" said)
    running.StandardInput.Close()

[<Fact>]
let ``an unknown argument is refused with the known ones`` () =
    let trouble =
        Assert.Throws<Plait.Common.WorkerFailed>(System.Action(fun () -> start [ "--json=pretty" ] |> ignore))

    Assert.Contains("--json=indented|compact", trouble.Message)

[<Fact>]
let ``each switch has a row of its own, and all of them one together`` () =
    let plan name =
        Fleet.candidates.Value
        |> List.find (fun candidate -> candidate.Name = name)
        |> RowPlan.ofCandidate

    let rows =
        FizzBuzzSwitches.effects (plan "sync") (plan "sync-again") FizzBuzzSwitches.asPublished

    Assert.Equal<string list>(
        [
            "sync"
            "sync-again"
            "sync+logging"
            "sync+fn-table=per-request"
            "sync+answers=indented"
            "sync+client-on-server-cores"
            "sync+all of these"
        ],
        rows |> List.map _.Id
    )

    Assert.Equal<string list>(
        [ "--logging"; "--fn-table=per-request"; "--json=indented" ],
        (List.last rows).Arguments
    )

    let scenario = FizzBuzzSwitches.effectScenario FizzBuzz.scenario rows
    Assert.Equal(FizzBuzz.indented, scenario.BodyOf (List.last rows).Id)
    Assert.Equal(FizzBuzz.expected, scenario.BodyOf "sync+logging")
    Assert.True((List.last rows).Switches.Has(Switch.ClientOnServer))

[<Fact>]
let ``a trace store is measured beside a control`` () =
    let plan name =
        Fleet.candidates.Value
        |> List.find (fun candidate -> candidate.Name = name)
        |> RowPlan.ofCandidate

    let rows = FizzBuzzSwitches.traces (plan "sync") (plan "sync-again") "folder"

    Assert.Equal<string list>(
        [ "sync"; "sync-again"; "sync+traced=written"; "sync+traced=forced" ],
        rows |> List.map _.Id
    )

    Assert.Equal(Family.Control, rows[1].Candidate.Family)

[<Fact>]
let ``the effects of switches are measured by a number of launches, not by a width`` () =
    for isShort, launches in [ true, 1; false, Settings.full.Launches ] do
        let effort = FizzBuzzSwitches.effort isShort Settings.full
        Assert.Equal((launches, None, None), (effort.Launches, effort.Width, effort.BudgetSeconds))
        Assert.False effort.InProcess

[<Fact; Trait("run", "more")>]
let ``a run with a switch measures its effect and reports it`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let ended =
        ToolRun.run (
            Fakes.tiny Built.candidatesFolder out
            @ [ "--only"; "sync"; "--pairs"; "2"; "--no-in-process"; "--answers"; "indented" ]
            // A margin that no control keeps, and a time that is longer than the one that is usual here.
            @ [ "--margin"; "0.001"; "--budget"; "10m"; "--details" ]
        )

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.Contains("answers=indented", results.Title)
    Assert.Contains(results.Warnings, fun warning -> warning.Contains "defects of the published benchmark")

    Assert.Equal(Some 600.0, results.Stopping |> Option.bind _.BudgetSeconds)
    let table = results.Panels |> List.find (fun panel -> panel.Id = "effects")

    Assert.Equal<string list>(
        [ "off, again (A/A)"; "answers=indented" ],
        table.Rows |> List.choose (fun cells -> cells.Head.AsText)
    )

    Assert.StartsWith("Over HTTP nothing is judged: the A/A control sync-again", Option.get table.NotJudged)
    Assert.All(table.Rows, fun cells -> Assert.Equal(Some "not judged", (List.last cells).AsText))

    let forest = results.Panels |> List.find (fun panel -> panel.Id = "effects-cpu")

    for item in forest.Items do
        Assert.True(item.Value > 0.0 && item.Low.IsSome && item.High.IsSome)

    Assert.Contains("The effect of each defect", ended.Out)
    Assert.All(ended.Out.Split '\n', fun line -> Assert.True(line.Length <= 120 || line.Contains "/", line))
    // What was recorded, if anything was, is gone.
    Assert.False(Directory.Exists(Path.Combine(out, "traces")))
