// Under test: what the terminal shows of a diagnosis. Everything on one screen, narrow widths, names from elsewhere.
module Plait.Doctor.Tests.Text

open Xunit

open Plait.Common
open Plait.Doctor
open Plait.Doctor.Tests.MadeDiagnoses

let private texts width diagnosis =
    DiagnosisText.lines width diagnosis |> List.map snd

let private whole width diagnosis =
    texts width diagnosis |> List.map _.Trim() |> String.concat " "

[<Fact>]
let ``the first line has the verdict, the name and the pid, in the colour of the verdict`` () =
    let kind, first = DiagnosisText.lines 100 starved |> List.head
    Assert.Equal(LineKind.Bad, kind)
    Assert.Equal("STARVED  Orders.Api, pid 4711 (.NET 10.0.12, 2 processors, EventPipe, 612 ms)", first)
    Assert.Equal(LineKind.Good, DiagnosisText.lines 100 healthy |> List.head |> fst)

[<Fact>]
let ``every verdict has its word`` () =
    let words =
        [
            Verdict.Healthy
            Verdict.Starved
            Verdict.CpuBound
            Verdict.Late
            Verdict.LockConvoy
            Verdict.NoAnswer
        ]
        |> List.map (fun verdict ->
            let first = texts 100 { starved with Verdict = verdict } |> List.head
            first.Substring(0, first.IndexOf "  "))

    Assert.Equal<string list>(
        [ "HEALTHY"; "STARVED"; "CPU-BOUND"; "LATE"; "LOCK CONVOY"; "NO ANSWER" ],
        words
    )

[<Fact>]
let ``a usual case fits a screen of 24 lines and 100 columns`` () =
    let lines = texts 100 starved
    Assert.InRange(lines.Length, 12, 24)
    Assert.All(lines, fun line -> Assert.InRange(line.Length, 0, 100))

[<Fact>]
let ``the numbers say queue, throughput, wait, workers, injection, compensation and CPU`` () =
    let said = whole 100 starved
    Assert.Contains("994 work items wait, 3.3 completed/s", said)
    Assert.Contains("17 of 17 blocked, 0 running, 0 idle", said)
    Assert.Contains("17 of the pool, 1.1 added/s, compensated for 2 of 17 blocked workers", said)
    Assert.Contains("4.2 % of 2 processors", said)

[<Theory>]
[<InlineData(true, "compensated: the runtime adds threads for these waits, the first ones at once")>]
[<InlineData(false, "not compensated: the runtime adds threads slowly")>]
let ``the text says whether the runtime compensates a wait`` (compensated: bool, expected: string) =
    let said =
        whole 100 { starved with BlockingLines = [ { sleeping with Compensated = compensated } ] }

    Assert.Contains(", " + expected, said)

[<Fact>]
let ``the text on a pool at its maximum says that the runtime adds no thread`` () =
    let said =
        whole 200 { starved with Numbers = { starved.Numbers with MaxThreads = Some 17 } }

    Assert.Contains("at the maximum of its pool (17): the runtime adds none", said)
    Assert.DoesNotContain("compensated", said)

[<Fact>]
let ``a package's call stands between the kind and the program's line`` () =
    let inside =
        { sleeping with Package = Some { Assembly = "Orm"; Called = Some "Database.Begin" } }

    let alone = { sleeping with Package = Some { Assembly = "Orm"; Called = None } }

    let said = whole 200 { starved with BlockingLines = [ inside; alone ] }
    Assert.Contains("15  Thread.Sleep inside Database.Begin of Orm in Orders.work (src/Orders.fs:10)", said)
    Assert.Contains("15  Thread.Sleep in Orm: Orders.work (src/Orders.fs:10)", said)

[<Fact>]
let ``a blamed line has count, kind, function and place, and its callers below it`` () =
    let lines = texts 100 starved
    let at = lines |> List.findIndex _.Contains("Orders.work")

    Assert.Equal<string list>(
        [
            "  15  Thread.Sleep in Orders.work (src/Orders.fs:10)"
            "      from Orders.handle (src/Orders.fs:22)"
            "      from Program.main (src/Program.fs:5)"
            "   2  wait for a lock in Stock.reserve (Stock.fs:41)"
            "      from Orders.price"
        ],
        lines |> List.skip at |> List.truncate 5
    )

[<Fact>]
let ``cost, remedy and rule follow the line`` () =
    let said = whole 100 starved
    Assert.Contains("cost       At this width a work item of 500 ms waits 29 s.", said)
    Assert.Contains("remedy     Thread.Sleep: bind the wait and let the thread go", said)
    Assert.Contains("remedy     wait for a lock: hold the lock for less", said)
    Assert.Contains("in source  plait check finds such calls (PLT201, or PLT202 if", said)

[<Fact>]
let ``a remedy of several lines is printed once`` () =
    let other = { sleeping with Function = "Orders.other"; Workers = 1 }
    let said = texts 200 { starved with BlockingLines = [ sleeping; other ] }
    Assert.Single(said |> List.filter _.Contains("bind the wait")) |> ignore

[<Fact>]
let ``a healthy process has numbers, and no headings without anything below them`` () =
    let said = whole 100 healthy
    Assert.Contains("queue      empty, 12,346 completed/s", said)
    Assert.Contains("none added", said)
    Assert.DoesNotContain("Lines that hold", said)
    Assert.DoesNotContain("remedy", said)
    Assert.DoesNotContain("compensated", said)

[<Fact>]
let ``figures that ptrace does not show are printed as not known`` () =
    let said = whole 100 byPtrace

    Assert.Contains("queue      not known (ptrace does not show it)", said)

    Assert.DoesNotContain("CPU", said)

[<Fact>]
let ``notes come last and are faint`` () =
    Assert.Equal(
        (LineKind.Faint, "The process stood still for 0.2 s."),
        DiagnosisText.lines 100 byPtrace |> List.last
    )

[<Theory>]
[<InlineData(60)>]
[<InlineData(80)>]
[<InlineData(140)>]
let ``no line is longer than the terminal is wide, and nothing is lost`` (width: int) =
    let lines = texts width starved
    Assert.All(lines, fun line -> Assert.InRange(line.Length, 0, width))

    let words (text: string) =
        text.Split(' ', System.StringSplitOptions.RemoveEmptyEntries) |> List.ofArray

    Assert.Equal<string list>(whole 1000 starved |> words, whole width starved |> words)

[<Fact>]
let ``many lines are cut to five, and the rest is counted`` () =
    let many =
        [ for at in 1..9 -> { sleeping with Function = $"Orders.work{at}"; Workers = 20 - at } ]

    let said = whole 100 { starved with BlockingLines = many }
    Assert.Contains("Orders.work5", said)
    Assert.DoesNotContain("Orders.work6", said)
    Assert.Contains("and 4 lines more that hold 50 workers", said)

[<Fact>]
let ``recursion is one caller with how often it comes, and callers beyond three are counted`` () =
    let walk = "Tree.walk", Some(below "Tree.fs", 3)
    let others = [ for at in 1..6 -> $"Caller{at}", None ]

    let deep =
        { sleeping with
            Stack = (sleeping.Function, sleeping.Place) :: List.replicate 40 walk @ others
        }

    let said = whole 100 { starved with BlockingLines = [ deep ] }
    Assert.Contains("from Tree.walk (Tree.fs:3), 40 times from Caller1 from Caller2 and 4 callers more", said)

[<Theory>]
[<InlineData("src/A.fs", "src/A.fs")>]
[<InlineData("/_/src/A.fs", "A.fs")>]
[<InlineData("../A.fs", "A.fs")>]
[<InlineData("C:\\build\\src\\A.fs", "A.fs")>]
let ``a path below the current directory is relative, and any other is its name``
    (file: string, shown: string)
    =
    let blockingLine = { sleeping with Place = Some(file, 3) }
    Assert.Contains($"({shown}:3)", whole 100 { starved with BlockingLines = [ blockingLine ] })

[<Fact>]
let ``escape sequences are not written to the terminal`` () =
    let evil = "A\u001b[31mB\r\nC"

    let diagnosis =
        { starved with
            Why = evil
            BlockingLines = [ { sleeping with Function = evil; Remedy = evil } ]
            Cost = Some evil
            Evidence =
                { starved.Evidence with
                    Process = { starved.Evidence.Process with Name = evil }
                    Notes = [ evil ]
                }
        }

    Assert.All(texts 100 diagnosis, fun line -> Assert.DoesNotContain(line, System.Char.IsControl))

[<Fact>]
let ``a hung thread is named with its line, its context and how long it waits, others beside it`` () =
    let said = DiagnosisText.lines 200 hung |> List.map snd |> String.concat "\n"

    for words in
        [
            "HUNG  Orders.Api"
            "main thread  wait for a task (.Result, .Wait, WaitAny) in Window.clicked (src/Window.fs:31), for 12.0 s"
            "Shop.WindowContext"
            "thread 4720  Async.RunSynchronously in Program.serve"
            "3 threads outside of the pool, 2 wait for others"
        ] do
        Assert.Contains(words, said)

[<Fact>]
let ``a thread with a context has a line on the work that was posted to it`` () =
    let said (posted: bool option) =
        let waiters =
            hung.Waiters
            |> List.map (fun waiter -> { waiter with IsHung = false; HasPosted = posted })

        whole 200 { hung with Verdict = Verdict.Healthy; Waiters = waiters }

    let waits =
        "work that was posted to its SynchronizationContext, Shop.WindowContext, waits until this thread goes on"

    Assert.Contains(waits, said (Some true))
    let idle = said (Some false)
    Assert.DoesNotContain("waits until", idle)

    Assert.Contains(
        "its SynchronizationContext is Shop.WindowContext, and no work that was posted to it waits for this thread",
        idle
    )

    let unknown = said None

    Assert.Contains(
        "its SynchronizationContext is Shop.WindowContext: work that was posted to it may wait for this thread",
        unknown
    )

[<Fact>]
let ``a program that ended before the first reading has neither a duration nor numbers`` () =
    let ended =
        Judging.ended
            (Judging.noAnswer starved.Evidence.Process "the watch was over")
            { Command = "dotnet"; ExitCode = 134; Signal = Some "SIGABRT"; Seconds = 0.4 }

    let said = whole 200 ended
    Assert.StartsWith("FAILED  Orders.Api, pid 4711 (.NET 10.0.12, 2 processors) 'dotnet' ended", said)
    Assert.DoesNotContain("0 ns", said)
    Assert.DoesNotContain("EventPipe", said)
    Assert.DoesNotContain("queue", said)
    let page = DiagnosisPage.results "plait doctor run" [] ended
    Assert.DoesNotContain("Read by", page.Summary)
    // it has them where it was looked at before
    Assert.Contains("EventPipe, 612 ms", whole 200 failed)

[<Fact>]
let ``a failed program has the verdict FAILED, with its signal and the state until then`` () =
    let said = DiagnosisText.lines 200 failed |> List.map snd |> String.concat "\n"
    Assert.StartsWith("FAILED  Orders.Api", said)

    Assert.Contains(
        "'dotnet' ended with exit code 134 (SIGABRT, if a signal ended it) after 3.1 s; until then: Work is taken up",
        said
    )

[<Fact>]
let ``the text says how long threads have waited, and the longest time if one of them has just run`` () =
    let waiter = List.last hung.Waiters

    let text (waits: float list) =
        let waiters =
            [ for seconds in waits -> { waiter with WaitsForSeconds = Some seconds } ]

        DiagnosisText.lines 300 { hung with Waiters = waiters }
        |> List.map snd
        |> String.concat "\n"

    Assert.Contains("in Program.serve, for 3.00 s or more", text [ 4.0; 3.0 ])
    Assert.Contains("in Program.serve, for 3.00 s\n", text [ 3.0 ])
    Assert.Contains("in Program.serve, for up to 5 min 0 s", text (0.05 :: List.replicate 40 300.0))
    Assert.DoesNotContain(", for ", text [ 0.02 ])
