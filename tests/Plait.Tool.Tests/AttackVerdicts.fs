// How plait attack ends, as a process: rules kept and broken, runs that are invalid, stopped, or without an end.
module Plait.Tool.Tests.AttackVerdicts

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

/// A run of 50 requests on a server that does what it should, judged only by what is asked of it: a busy machine makes
/// the generator late.
let private asked (url: string) (more: string list) =
    [ "attack"; url; "--rate"; "100"; "-n"; "50"; "--no-calibration"; "--max-lag"; "1h" ]
    @ more

let private rules (rules: string list) =
    rules |> List.collect (fun rule -> [ "--require"; rule ])

[<Fact>]
let ``a run whose rules are kept ends with 0, and one that breaks a rule with 3`` () =
    use counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"
    let ended = ToolRun.run (asked url (rules [ "p99 < 1h"; "success>=100%"; "rps>1" ]))
    Assert.True((0 = ended.Code), ended.Err)
    Assert.Matches(@"(?m)^p99<3600s +\S+ +kept\r?$", ended.Out)

    let ended =
        ToolRun.run (asked url (rules [ "p99<1ns"; "success>=100%"; "rps>1000" ]))

    ended |> ToolRun.endsBadly 3 [ "rules are broken: p99<1ns (it is "; "rps>1000 (it is " ]
    Assert.DoesNotContain("success", ToolRun.sentence ended)
    Assert.Matches(@"(?m)^p99<1ns +\S+ +BROKEN\r?$", ended.Out)
    Assert.Matches(@"(?m)^success>=100% +100% +kept\r?$", ended.Out)

[<Fact>]
let ``without rules half of the requests must succeed, and with rules only the rules count`` () =
    // three of four are wrong
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                if counting.Next() % 4L = 0L then
                    counting.Right(connection, Response.ok body)
                else
                    connection.Send "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")

    let url = $"{counting.Server.Url}/"

    ToolRun.run (asked url [])
    |> ToolRun.endsBadly 1 [ "only 12 of 50 requests succeeded: the status was 503" ]

    ToolRun.run (asked url (rules [ "success>=50%" ]))
    |> ToolRun.endsBadly 3 [ "a rule is broken: success>=50% (it is 2" ]

    let ended = ToolRun.run (asked url (rules [ "success>20%" ]))
    Assert.True((0 = ended.Code), ended.Err)

[<Fact>]
let ``an invalid run that breaks a rule ends with 1 and both reasons, and for crank with 0`` () =
    use counting = sometimes Int64.MaxValue ""

    // More than any generator can send.
    let asked =
        [
            "attack"
            $"{counting.Server.Url}/"
            "--rate"
            "5000000/s"
            "--connections"
            "20"
            "--duration"
            "300ms"
            "--no-calibration"
            "--require"
            "p50<1ns"
        ]

    let ended = ToolRun.run asked
    ended |> ToolRun.endsBadly 1 [ "the run is invalid"; "a rule is broken: p50<1ns" ]
    Assert.Contains("INVALID: ", ended.Out)

    let ended = ToolRun.run (asked @ [ "--crank" ])
    Assert.Equal(0, ended.Code)
    Assert.Contains("\"plait/rules/broken\"", ended.Out)

let private interrupt (running: Running) =
    Within.comes "the first second is over" (fun () ->
        running.Errors |> List.exists (fun line -> line.StartsWith "[1"))

    running.Interrupt()
    running.Wait()

[<Fact; Trait("run", "more")>]
let ``a stopped run is complete if it had no end of its own, and incomplete otherwise`` () =
    use counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"

    let start more =
        ToolRun.start ([ "attack"; url; "--rate"; "50"; "--no-calibration"; "--max-lag"; "1h" ] @ more)

    let ended = interrupt (start [ "--duration"; "0s" ])
    Assert.True((0 = ended.Code), ended.Err)
    Assert.Contains("[1 s] 50 due", ended.Err)
    Assert.DoesNotContain("Stopped before its time", ended.Out)

    let ended = interrupt (start [ "--duration"; "0s"; "--require"; "p50<1ns" ])
    ended |> ToolRun.endsBadly 3 [ "a rule is broken" ]

    let ended = interrupt (start [ "-n"; "100000" ])
    ended |> ToolRun.endsBadly 1 [ "stopped before its end" ]
    Assert.Contains("Stopped before its time", ended.Out)

[<Fact>]
let ``a wrong rule is refused`` () =
    ToolRun.run (asked "http://127.0.0.1:1/" (rules [ "success>99%"; "p99<200" ]))
    |> ToolRun.endsBadly 2 [ "--require: 'p99<200' is not a rule"; "200ms" ]

/// A scenario of one program, with rules.
let private scenario (rules: string list) =
    JsonSerializer.Serialize
        {|
            schema = "plait-scenario/1"
            name = "own"
            ``base`` = "plain"
            candidates = [ Built.plainCandidate () ]
            requests = [ {| path = "/fizzbuzz" |} ]
            load = {| model = "closed"; connections = 2 |}
            require = rules
            statistics =
                {|
                    launches = 1
                    pairs = 2
                    sliceSeconds = 0.1
                    warmUpLeastSeconds = 0.05
                    warmUpMostSeconds = 0.2
                |}
        |}

[<Fact; Trait("run", "more")>]
let ``the rows of a scenario have its rules, and one that is broken is its verdict`` () =
    use folder = new Built.Folder()
    let file, out = folder.File "own.json", folder.File "out"
    File.WriteAllText(file, scenario [ "p99<1ns"; "success>=100%" ])
    let ended = ToolRun.run [ "lab"; "run"; file; "--details"; "--out"; out ]
    Assert.True((3 = ended.Code), $"{ended.Code}: {ended.Err}\n{ended.Out}")
    Assert.Contains("plain: a rule is broken: p99<1ns (it is ", ended.Err)
    Assert.Contains("plain-again: a rule is broken: p99<1ns", ended.Err)
    Assert.Matches(@"(?m)^plain +p99<1ns +\S+ +BROKEN\r?$", ended.Out)
    Assert.Matches(@"(?m)^plain +success>=100% +100% +kept\r?$", ended.Out)

    let results =
        let file = Path.Combine(out, "results.json")
        Plait.Report.ResultsJson.read file (File.ReadAllText file)

    Assert.Contains("rules", results.Panels |> List.map _.Id)

[<Fact>]
let ``a wrong rule of a scenario is refused with its path`` () =
    use folder = new Built.Folder()
    let file = folder.File "own.json"
    File.WriteAllText(file, scenario [ "p99<1s"; "p99<1" ])

    ToolRun.run [ "lab"; "run"; file ]
    |> ToolRun.endsBadly 2 [ "own.json: require[1]: 'p99<1' is not a rule" ]
