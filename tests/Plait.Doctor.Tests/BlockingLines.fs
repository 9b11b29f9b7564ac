// Under test: the lines and functions that are named for blocked workers, holders of locks and computing ones, with their remedies.
module Plait.Doctor.Tests.BlockingLines

open System
open System.IO
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

[<Fact>]
let ``code that the runtime makes to resume an async method belongs to no program`` () =
    let resumed =
        framework "System.Threading.Thread.Sleep"
        :: framework "System.Net.Http.HttpConnection.FillAsync"
        :: framework "dynamicClass.IL_STUB_AsyncResume"
        :: framework "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask`1.DispatchContinuations"
        :: bottom

    Assert.True(FrameworkModules.isStub "dynamicClass.IL_STUB_AsyncResume")
    Assert.False(FrameworkModules.isStub "Shop.IL_STUB_Orders.load")
    let diagnosis = judged [ resumed; resumed ] (ticks 900L 8.0 2.0)
    Assert.Equal("HttpConnection.FillAsync", diagnosis.BlockingLines.Head.Function)

[<Fact>]
let ``lines are ranked by the workers that they hold, each with its remedy`` () =
    let diagnosis =
        judged [ sleeping; sleeping; sleeping; locked; idle ] (ticks 900L 8.0 2.0)

    let shown =
        diagnosis.BlockingLines
        |> List.map (fun blockingLine ->
            blockingLine.Workers, blockingLine.Kind, blockingLine.Function, blockingLine.Place)

    Assert.Equal<(int * BlockKind * string * (string * int) option) list>(
        [
            3, BlockKind.Sleep, "Orders.work", Some("Orders.fs", 12)
            1, BlockKind.Lock, "Ledger.post", Some("Orders.fs", 8)
        ],
        shown
    )

    Assert.Equal(4, diagnosis.Numbers.Blocked)
    Assert.Equal(1, diagnosis.Numbers.Idle)
    Assert.Contains("Async.Sleep", diagnosis.BlockingLines.Head.Remedy)
    Assert.False diagnosis.BlockingLines.Head.Compensated

let private byAsync =
    framework "Microsoft.FSharp.Control.AsyncPrimitives.CallThenInvoke"

let private byMap = framework "Microsoft.FSharp.Primitives.Basics.List.map"
let private machine = own "Shop.Orders+work@10.MoveNext" 11
let private closure = own "Shop.Orders+work@10-2.Invoke" 12

let ruled = TheoryData<string, BlockKind, Frame list, string | null>()

let private rule name kind frames (expected: string option) =
    ruled.Add(name, kind, frames @ bottom, Option.toObj expected)

do
    rule "a task" BlockKind.Sleep [ machine ] (Some "PLT201")
    rule "an async" BlockKind.Sleep [ closure; byAsync ] (Some "PLT201")
    rule "a lambda in a task" BlockKind.Sleep [ closure; byMap; machine ] (Some "PLT201")

    rule
        "a function that a task calls"
        BlockKind.TaskWait
        [ own "Shop.Stock.read" 3; machine ]
        (Some "PLT202")

    rule
        "the same through a lambda"
        BlockKind.Join
        [ own "Shop.Stock.read" 3; closure; byAsync ]
        (Some "PLT202")

    rule
        "a stream of the program's that a task reads"
        BlockKind.TaskWait
        [ own "Shop.SlowStream.Read" 3; framework "System.IO.StreamReader.ReadToEnd"; machine ]
        None

    rule
        "the same, if its method has no frame"
        BlockKind.TaskWait
        [ { machine with Calls = [ "System.IO.StreamReader.ReadToEnd" ] } ]
        None

    rule
        "a task that waits for a task itself"
        BlockKind.TaskWait
        [ { machine with Calls = [ "System.Threading.Tasks.Task.Wait" ] } ]
        (Some "PLT201")

    rule "a function that the pool calls" BlockKind.Sleep [ own "Shop.Stock.read" 3 ] None
    rule "a lambda that the pool calls" BlockKind.Sleep [ closure ] None
    rule "a lambda in a plain function" BlockKind.Sleep [ closure; byMap; own "Shop.Orders.work" 9 ] None
    rule "an enumerator of the user's" BlockKind.Sleep [ own "Shop.Orders+Pages.MoveNext" 9 ] None
    rule "a kind without a rule" BlockKind.Lock [ machine ] None
    rule "a kind with infos only" BlockKind.File [ machine ] None

    rule "a package, called by a task" BlockKind.Sleep [ ofPackage "Orm" "Orm.Database.Begin"; machine ] None

    rule
        "C#"
        BlockKind.Sleep
        [ { own "Shop.Orders+<Work>d__1.MoveNext" 9 with File = Some "Orders.cs" } ]
        None

    rule
        "F# that a task of C# calls"
        BlockKind.Sleep
        [
            own "Shop.Stock.read" 3
            { own "Shop.Orders+<Work>d__1.MoveNext" 9 with File = Some "Orders.cs" }
        ]
        None

[<Theory; MemberData(nameof ruled)>]
let ``a rule of the check is named only if that rule finds the call in the source``
    (_: string, kind: BlockKind, frames: Frame list, expected: string | null)
    =
    Assert.Equal(Option.ofObj expected, CheckRule.ofStack kind frames)

[<Fact>]
let ``a line that a task and the pool reach has the rule for the task`` () =
    let leaf = framework "System.Threading.Thread.Sleep"
    let read = own "Shop.Stock.read" 3

    let diagnosis =
        judged [ leaf :: read :: bottom; leaf :: read :: machine :: bottom ] (ticks 900L 8.0 2.0)

    let line = List.exactlyOne diagnosis.BlockingLines
    Assert.Equal((2, Some "PLT202"), (line.Workers, line.Rule))

/// A query, as a provider of databases makes it.
let private query (called: string) =
    [
        framework "System.Threading.Thread.Sleep"
        ofPackage "Data.Sql" "Data.Sql.Reader.Next"
        ofPackage "Data.Sql" "Data.Sql.Command.Execute"
        ofPackage "Orm" called
    ]

[<Fact>]
let ``a package's call that blocks is blamed on the program's line that made it`` () =
    let runner = ofPackage "Runner" "Runner.Invoke"

    let stack =
        query "Orm.Database.Begin" @ [ own "Shop.Orders.save" 12; runner ] @ bottom

    let blockingLine =
        (judged [ stack; stack ] (ticks 900L 8.0 2.0)).BlockingLines |> List.exactlyOne

    Assert.Equal(("Orders.save", Some("Orders.fs", 12)), (blockingLine.Function, blockingLine.Place))
    Assert.Equal(Some { Assembly = "Orm"; Called = Some "Database.Begin" }, blockingLine.Package)
    Assert.Equal<string list>([ "Orders.save" ], List.map fst blockingLine.Stack)
    Assert.Contains("the asynchronous form of Database.Begin", blockingLine.Remedy)
    Assert.Equal(None, blockingLine.Rule)

[<Fact>]
let ``no remedy advises an asynchronous form that blocks`` () =
    let stack = query "Orm.Database.BeginAsync" @ [ own "Shop.Orders.save" 12 ] @ bottom
    let blockingLine = (judged [ stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head
    Assert.StartsWith("Database.BeginAsync blocks before it returns", blockingLine.Remedy)

[<Fact>]
let ``a package's code without a caller in the program is blamed by its innermost function`` () =
    let blockingLine =
        (judged [ query "Orm.Worker.Run" @ bottom ] (ticks 900L 8.0 2.0)).BlockingLines.Head

    Assert.Equal("Reader.Next", blockingLine.Function)
    Assert.Equal(Some { Assembly = "Data.Sql"; Called = None }, blockingLine.Package)
    Assert.Contains("without a caller in the program", blockingLine.Remedy)

[<Fact>]
let ``a package that calls the program back is not blamed`` () =
    let stack =
        sleeping @ [ ofPackage "Runner" "Runner.Invoke"; own "Shop.Program.main" 5 ]

    let blockingLine = (judged [ stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head
    Assert.Equal(("Orders.work", None), (blockingLine.Function, blockingLine.Package))

[<Fact>]
let ``an assembly belongs to a package if deps.json lists it so, or if it is in NuGet's folder`` () =
    let folder = Directory.CreateTempSubdirectory "packages"

    try
        let beside name = Path.Combine(folder.FullName, name)

        File.WriteAllText(
            beside "Shop.deps.json",
            """{ "libraries": { "Shop/1.0.0": { "type": "project" }, "Orm/2.0.0": { "type": "package" }, "Tools/1.0.0": { "type": "project" } },
                 "targets": { ".NETCoreApp,Version=v10.0": {
                    "Shop/1.0.0": { "runtime": { "Shop.dll": {} } },
                    "Tools/1.0.0": { "runtime": { "Tools.dll": {} } },
                    "Orm/2.0.0": { "runtime": { "lib/net8.0/Orm.dll": {} }, "runtimeTargets": { "runtimes/unix/lib/net8.0/Orm.Unix.dll": {} } } } } }"""
        )

        File.WriteAllText(beside "Damaged.deps.json", """{ "libraries": [], "targets": { "a": 1 } }""")
        File.WriteAllText(beside "Cut.deps.json", """{ "libraries": {""")
        let packages = Packages()

        for name, expected in
            [
                "Shop.dll", false
                "Tools.dll", false
                "Orm.dll", true
                "Orm.Unix.dll", true
                "Other.dll", false
            ] do
            Assert.True((packages.Has(beside name) = expected), name)

        Assert.True(packages.Has "/home/me/.nuget/packages/orm/2.0.0/lib/net8.0/Orm.dll")
        Assert.False(packages.Has "/nowhere/at/all/Orm.dll")
        Assert.False(packages.Has "")
    finally
        folder.Delete true

[<Fact>]
let ``the caller of a parallel loop is compensated if it waits for a task, and not if for an event of a query``
    ()
    =
    let blockingLine (frames: string list) =
        let stack = List.map framework frames @ [ own "Shop.Prices.all" 9 ] @ bottom
        (judged [ stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head

    let wait = "System.Threading.ManualResetEventSlim.Wait"

    let loop =
        blockingLine
            [
                "System.Threading.Monitor.Wait"
                wait
                "System.Threading.Tasks.Task.SpinThenBlockingWait"
                "System.Threading.Tasks.Parallel.ForWorker"
            ]

    let query =
        blockingLine
            [
                "System.Threading.Monitor.Wait"
                wait
                "System.Linq.Parallel.AsynchronousChannel`1.WaitForConsumer"
            ]

    Assert.Equal<(BlockKind * bool) list>(
        [ BlockKind.ParallelLoop, true; BlockKind.ParallelLoop, false ],
        [ loop.Kind, loop.Compensated; query.Kind, query.Compensated ]
    )

[<Fact>]
let ``in a convoy the lock comes first, before lines that hold other workers`` () =
    let diagnosis = judged [ sleeping; locked; locked ] (ticks 900L 8.0 2.0)
    Assert.Equal(BlockKind.Lock, diagnosis.BlockingLines.Head.Kind)

[<Fact>]
let ``the holder of a lock that is blocked in a call comes first, and the pool starves`` () =
    let uses = own "Shop.Settings.use" 8

    let before =
        framework "System.Threading.Monitor.Enter_Slowpath"
        :: framework "System.Lazy`1.CreateValue"
        :: uses
        :: bottom

    let holder =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Threading.Tasks.Task`1.GetResultCore"
        :: own "Shop.Settings.load" 4
        :: framework "System.Lazy`1.CreateValue"
        :: uses
        :: bottom

    let diagnosis = judged [ before; before; before; holder ] (ticks 900L 8.0 2.0)
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal<(BlockKind * string) list>(
        [ BlockKind.TaskWait, "Settings.load"; BlockKind.Lock, "Settings.use" ],
        diagnosis.BlockingLines
        |> List.map (fun blockingLine -> blockingLine.Kind, blockingLine.Function)
    )

    Assert.Contains("most stand behind one that waits for a task in Settings.load", diagnosis.Why)

/// Blocked in the function that others wait in for its lock.
let private inside (call: string) =
    framework call :: own "Shop.Ledger.post" 9 :: bottom

let private sleepsInside = inside "System.Threading.Thread.Sleep"

[<Fact>]
let ``the holder of a lock that is blocked in the function that took it comes first as well`` () =
    let diagnosis = judged [ locked; locked; sleepsInside ] (ticks 900L 8.0 2.0)
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal<(BlockKind * (string * int) option) list>(
        [ BlockKind.Sleep, Some("Orders.fs", 9); BlockKind.Lock, Some("Orders.fs", 8) ],
        diagnosis.BlockingLines
        |> List.map (fun blockingLine -> blockingLine.Kind, blockingLine.Place)
    )

[<Theory>]
[<InlineData("System.Threading.SemaphoreSlim.Wait", 9, "Ledger.post")>]
[<InlineData("System.Threading.SpinWait.SpinOnceCore", 9, "Ledger.post")>]
// before it takes the lock, and in another way through the function
[<InlineData("System.Threading.SemaphoreSlim.Wait", 7, "Gate.Enter")>]
[<InlineData("System.Threading.SemaphoreSlim.Wait", 8, "Gate.Enter")>]
let ``the holder of a lock of the program's own comes first if it is blocked after the call that takes the lock``
    (wait: string, line: int, first: string)
    =
    let waits =
        framework "System.Threading.Thread.Sleep"
        :: framework wait
        :: own "Shop.Gate.Enter" 3
        :: own "Shop.Ledger.post" 8
        :: bottom

    let holds =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Ledger.post" line :: bottom

    let diagnosis = judged [ waits; waits; holds ] (ticks 900L 8.0 2.0)
    Assert.Equal(first, diagnosis.BlockingLines.Head.Function)

[<Fact>]
let ``a wait in generated code is that of the function which calls it`` () =
    let generated =
        { own "Shop.Driver.NativePoll" 14 with File = Some "/obj/LibraryImports.g.cs" }

    let waits = framework "" :: generated :: own "Shop.Driver.Poll" 15 :: bottom
    let stacks = [ waits; waits; waits ]

    let diagnosis =
        Judging.judge { evidence stacks (ticks 900L 8.0 2.0) with Threads = osThreads 1.0 stacks.Length }

    let line = diagnosis.BlockingLines.Head
    Assert.Equal(("Driver.Poll", Some("Orders.fs", 15)), (line.Function, line.Place))
    // nobody wrote a function that calls it
    let alone =
        judged [ framework "System.Threading.Thread.Sleep" :: generated :: bottom ] (ticks 900L 8.0 2.0)

    Assert.Equal("Driver.NativePoll", alone.BlockingLines.Head.Function)

[<Fact>]
let ``the holder comes first where the lock changes hands many times during the look`` () =
    let turns =
        [
            for thread in 0..3 do
                for at in 0..19 do
                    sample thread at (if at % 4 = thread then sleepsInside else locked)
        ]

    let diagnosis =
        Judging.judge { evidence [] (ticks 900L 8.0 2.0) with Samples = turns }

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal(
        (BlockKind.Sleep, 1),
        (diagnosis.BlockingLines.Head.Kind, diagnosis.BlockingLines.Head.Workers)
    )

[<Fact>]
let ``a lock whose holder runs, or gives it back while it waits, is a convoy`` () =
    let runs = own "Shop.Ledger.seal" 4 :: own "Shop.Ledger.post" 9 :: bottom

    let convoy stacks =
        (judged stacks (ticks 900L 8.0 2.0)).Verdict

    Assert.Equal(Verdict.LockConvoy, convoy [ locked; locked; locked; runs ])
    // who sleeps in the function of the lock sleeps before it, if another one runs in it
    Assert.Equal(Verdict.LockConvoy, convoy [ locked; locked; locked; sleepsInside; runs ])

    Assert.Equal(
        Verdict.LockConvoy,
        convoy [ locked; locked; locked; inside "System.Threading.Monitor.Wait" ]
    )

[<Fact>]
let ``functions in which workers compute are named with their shares, and functions that throw are marked``
    ()
    =
    let throwing =
        framework "System.Runtime.EH.DispatchEx"
        :: framework "System.Runtime.EH.RhThrowEx"
        :: framework "System.Number.ThrowFormatException"
        :: own "Shop.Import.read" 7
        :: bottom

    let diagnosis =
        judged [ computing; computing; computing; throwing ] (ticks 900L 8.0 99.0)

    Assert.Equal(Verdict.CpuBound, diagnosis.Verdict)

    Assert.Equal<(string * (string * int) option * float * bool) list>(
        [
            "Routes.shortest", Some("Orders.fs", 30), 0.75, false
            "Import.read", Some("Orders.fs", 7), 0.25, true
        ],
        diagnosis.Computing
        |> List.map (fun found -> found.Function, found.Place, found.Share, found.IsThrowing)
    )

    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains("75 %  Routes.shortest (Orders.fs:30)", text)
    Assert.Contains("25 %  exceptions thrown in Import.read", text)
    Assert.Empty((judged (List.replicate 4 sleeping) (ticks 900L 8.0 2.0)).Computing)

[<Theory>]
[<InlineData "System.Threading.Thread.Sleep">]
[<InlineData "System.Threading.Thread.Yield">]
[<InlineData "System.Threading.SpinWait.SpinOnceCore">]
let ``workers that ask again and again at full speed get the remedy for that`` (call: string) =
    let polls = framework call :: own "Shop.Feed.await" 9 :: bottom

    let made =
        { evidence [ polls; polls; polls ] (ticks 900L 0.0 99.0) with Threads = osThreads 0.0 3 }

    let diagnosis = Judging.judge made
    Assert.Equal(Verdict.CpuBound, diagnosis.Verdict)
    Assert.True (List.exactlyOne diagnosis.Computing).IsPolling
    let text = DiagnosisText.lines 300 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains("100 %  asks again and again in Feed.await (Orders.fs:9)", text)
    Assert.Contains("remedy     wait for a signal instead of asking again and again", text)

    // code that computes with a call of these now and then
    let computes = own "Shop.Feed.await" 9 :: bottom

    let works =
        Judging.judge
            { evidence (polls :: List.replicate 3 computes) (ticks 900L 0.0 99.0) with
                Threads = osThreads 0.0 4
            }

    let found = List.exactlyOne works.Computing
    Assert.Equal(("Feed.await", 1.0), (found.Function, found.Share))
    Assert.False found.IsPolling

[<Fact>]
let ``a call that asks again and again, and has no frame, is found in the statement`` () =
    let isPolling (inner: string list) (calls: string list) =
        let stack =
            List.map framework inner @ { own "Shop.Feed.await" 9 with Calls = calls } :: bottom

        (List.exactlyOne (judged [ stack; stack ] (ticks 900L 0.0 99.0)).Computing).IsPolling

    let yields = "System.Threading.Thread.Yield"
    Assert.True(isPolling [] [ yields ])
    Assert.True(isPolling [ "System.Threading.Thread.PollGC" ] [ yields ])
    // the statement computes as well
    Assert.False(isPolling [] [ yields; "System.Math.Sqrt" ])
    Assert.False(isPolling [ "System.Math.Sqrt" ] [ yields ])
    Assert.False(isPolling [] [])

[<Fact>]
let ``threads outside of the pool that compute are named beside the workers that do`` () =
    let start = framework "System.Threading.Thread.StartCallback"
    let burns = [ own "Shop.Import.burn" 14; start ]

    let waits =
        [ framework "System.Threading.Thread.Sleep"; own "Shop.Import.pause" 20; start ]
    // it is another thread's turn on its processor, and none of its code is the program's
    let runtimes = [ framework "System.Net.Sockets.SocketAsyncEngine.EventLoop"; start ]

    let judged (outside: Frame list list) =
        let stacks = [ computing; computing ] @ outside

        Judging.judge
            { evidence stacks (ticks 900L 8.0 99.0) with
                Threads =
                    Map.ofList
                        [
                            for thread, frames in List.indexed stacks do
                                let waiting = if frames = waits then 1.0 else 0.0
                                thread, { Waiting = Some waiting; IsWorker = thread < 2 }
                        ]
            }

    let diagnosis = judged [ burns; burns; waits; runtimes ]
    Assert.Equal(Verdict.CpuBound, diagnosis.Verdict)
    Assert.EndsWith("; 2 threads outside of the pool compute in Import.burn", diagnosis.Why)

    Assert.Equal<(string * float * int) list>(
        [ "Routes.shortest", 0.5, 0; "Import.burn", 0.5, 2 ],
        diagnosis.Computing |> List.map (fun found -> found.Function, found.Share, found.Outside)
    )

    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains("50 %  Import.burn (Orders.fs:14), on 2 threads outside of the pool", text)
    Assert.EndsWith("; a thread outside of the pool computes in Import.burn", (judged [ burns ]).Why)
    Assert.DoesNotContain("outside of the pool", (judged [ waits; runtimes ]).Why)

[<Fact>]
let ``a thread with the name of a worker is one if its stack is too deep to show its start`` () =
    // threads that a worker starts inherit its name, and a trace may lack the names of the outermost frames
    let join =
        framework "System.Threading.Thread.Join" :: own "Shop.Export.all" 16 :: bottom

    let writes =
        [ framework "System.Threading.Thread.Sleep"; own "Shop.Export.write" 9 ]

    let deep = List.replicate 99 (own "Shop.Tree.walk" 30)

    let blocked (frames: Frame list) =
        let stacks = [ join; frames; frames ]

        (Judging.judge { evidence stacks (ticks 900L 8.0 2.0) with Threads = osThreads 1.0 stacks.Length })
            .BlockingLines
        |> List.map (fun line -> line.Function, line.Workers)
        |> List.sort

    Assert.Equal<(string * int) list>([ "Export.all", 1 ], blocked writes)
    Assert.Equal<(string * int) list>([ "Export.all", 1; "Export.write", 2 ], blocked (writes @ deep))

[<Fact>]
let ``a flush to the disk has a remedy of its own: no asynchronous call does it`` () =
    let stack (leaf: string) =
        framework leaf
        :: framework "System.IO.FileStream.Flush"
        :: own "Shop.Journal.append" 5
        :: bottom

    let remedy (leaf: string) =
        let blockingLine =
            (judged [ stack leaf; stack leaf ] (ticks 900L 8.0 2.0)).BlockingLines.Head

        Assert.Equal(BlockKind.File, blockingLine.Kind)
        blockingLine.Remedy

    Assert.StartsWith(
        "FileStream.Flush(true) waits until the disk",
        remedy "System.IO.RandomAccess.FlushToDisk"
    )

    Assert.Equal(Remedy.ofKind BlockKind.File, remedy "System.IO.RandomAccess.WriteAtOffset")

[<Fact>]
let ``the end of a registration that waits for its callback is not called spinning`` () =
    let stack =
        framework "System.Threading.Thread.Sleep"
        :: framework "System.Threading.SpinWait.SpinOnceCore"
        :: framework "System.Threading.CancellationTokenSource+Registrations.WaitForCallbackToComplete"
        :: framework "System.Threading.CancellationTokenRegistration.Dispose"
        :: own "Shop.Orders.close" 5
        :: bottom

    let blockingLine = (judged [ stack; stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head
    Assert.Equal((BlockKind.Other, "Orders.close"), (blockingLine.Kind, blockingLine.Function))
    Assert.StartsWith("CancellationTokenRegistration.Dispose waits", blockingLine.Remedy)

[<Fact>]
let ``code without a line is blamed as well`` () =
    let csharp = { own "Shop.Orders.Handle" 5 with File = Some "Orders.cs" }
    let unknown = { own "Shop.Orders.Load" 0 with File = None; Line = None }

    let stack frame =
        framework "System.Threading.Thread.Sleep" :: frame :: bottom

    match (judged [ stack csharp; stack csharp; stack unknown ] (ticks 900L 8.0 2.0)).BlockingLines with
    | [ first; second ] ->
        Assert.Equal("Orders.Handle", first.Function)
        Assert.Equal(None, second.Place)
        Assert.Equal("Orders.Load", second.Function)
    | blockingLines -> failwith $"{blockingLines}"

[<Fact>]
let ``a wait for all of several tasks is not compensated`` () =
    let stack calls =
        framework "System.Threading.Monitor.Wait"
        :: { own "Shop.Search.ask" 22 with Calls = calls }
        :: bottom

    let isCompensated calls =
        (judged [ stack calls; stack calls ] (ticks 900L 8.0 2.0)).BlockingLines.Head.Compensated

    Assert.True(isCompensated [ "System.Threading.Tasks.Task.Wait" ])
    Assert.False(isCompensated [ "System.Threading.Tasks.Task.WaitAll" ])

[<Fact>]
let ``a closure is shown as the function that it was written in`` () =
    let closure =
        { own "Shop.Invoices+prices@16.Invoke" 16 with WrittenIn = Some "Shop.Invoices.total" }

    let stack =
        framework "System.Threading.Thread.Sleep"
        :: closure
        :: own "Shop.Invoices.total" 20
        :: bottom

    let blockingLine = (judged [ stack; stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head
    Assert.Equal("Invoices.total", blockingLine.Function)
    Assert.Equal(1, blockingLine.Stack.Length)
    Assert.Equal(Some("Orders.fs", 16), blockingLine.Place)

[<Fact>]
let ``a stack without code of the program is named by the framework's function`` () =
    let stack =
        framework "System.Threading.Thread.Sleep"
        :: framework "System.Threading.Timer.Fire"
        :: bottom

    let notes (stacks: Frame list list) =
        let diagnosis = judged stacks (ticks 900L 8.0 2.0)
        diagnosis.BlockingLines.Head.Function, diagnosis.Evidence.Notes

    let name, noted = notes [ stack; stack ]
    Assert.Equal("Timer.Fire", name)
    // it may be the program's: where it is, its frame is missing
    Assert.StartsWith(
        "no code of the program is on the stacks of Timer.Fire: if the program makes the call that is seen, the JIT has inlined it",
        List.exactlyOne noted
    )

    let own =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Orders.load" 5 :: bottom

    Assert.Empty(snd (notes [ own; own ]))

[<Fact>]
let ``code without a frame is named by the dispatcher, and a note has the way to see it`` () =
    let blamed (inner: Frame list) (outer: string list) =
        let stack =
            [
                yield! inner
                for name in outer do
                    framework name
                yield! bottom
            ]

        let diagnosis = judged [ stack; stack ] (ticks 900L 8.0 2.0)

        let isNoted =
            diagnosis.Evidence.Notes
            |> List.exists _.Contains("is not on the stack: the JIT has inlined it")

        diagnosis.BlockingLines.Head.Function, isNoted

    let sleep = [ framework "System.Threading.Thread.Sleep" ]
    let inlined name = $"code called by {name}", true
    Assert.Equal(inlined "ThreadPoolWorkQueue.Dispatch", blamed sleep [])

    for item, name in
        [
            "System.Threading.QueueUserWorkItemCallbackDefaultContext.Execute",
            "QueueUserWorkItemCallbackDefaultContext.Execute"
            "System.Threading.Tasks.Task.ExecuteWithThreadLocal", "Task.ExecuteWithThreadLocal"
        ] do
        Assert.Equal(inlined name, blamed sleep [ item ])
        // a call that has frames of its own
        Assert.Equal(
            inlined name,
            blamed
                [
                    framework "System.Threading.Monitor.Wait"
                    framework "System.Threading.SemaphoreSlim.WaitCore"
                ]
                [ item ]
        )

        Assert.Equal(("Orders.load", false), blamed (sleep @ [ own "Shop.Orders.load" 5 ]) [ item ])
        // the framework's own work
        Assert.Equal(
            ("HttpConnection.Fill", false),
            blamed (sleep @ [ framework "System.Net.Http.HttpConnection.Fill" ]) [ item ]
        )

    let pollsOnly =
        [ "System.Threading.Thread.<PollGC>g__PollGCWorker|67_0"; "System.Threading.Thread.PollGC" ]

    // a call that uses a processor, and one by which the garbage collector gets in
    for leaf in
        [
            [ "System.Threading.Thread.LongSpinWait"; "System.Threading.Thread.SpinWait" ]
            [ "System.Threading.Thread.PollGC"; "System.Threading.Thread.SpinWait" ]
            [ "System.Threading.SpinWait.SpinOnceCore" ]
            [ "System.Threading.Thread.Yield" ]
            pollsOnly
        ] do
        let stack =
            List.map framework leaf
            @ framework "System.Threading.QueueUserWorkItemCallback.Execute" :: bottom

        let spins = judged [ stack; stack ] (ticks 900L 8.0 99.0)
        Assert.Equal(Verdict.CpuBound, spins.Verdict)
        let found = List.exactlyOne spins.Computing
        Assert.Equal("code called by QueueUserWorkItemCallback.Execute", found.Function)
        Assert.Equal(leaf <> pollsOnly, found.IsPolling)

        Assert.Contains(
            "QueueUserWorkItemCallback.Execute has called is not on the stack",
            List.exactlyOne spins.Evidence.Notes
        )

    // the framework's own work, or code of the program that calls it without a frame
    let export =
        framework "System.Text.RegularExpressions.Regex.IsMatch"
        :: framework "System.Threading.Tasks.Task.ExecuteWithThreadLocal"
        :: bottom

    let computes = judged [ export; export ] (ticks 900L 8.0 99.0)
    Assert.Equal("Regex.IsMatch", computes.Computing.Head.Function)

    Assert.StartsWith(
        "no code of the program is on the stacks of Regex.IsMatch",
        List.exactlyOne computes.Evidence.Notes
    )

    // nothing is shown that it concerns
    Assert.Empty (judged [ bottom; bottom ] (ticks 0L 8.0 20.0)).Evidence.Notes

    // code that computes has no frame at all
    let computes =
        Judging.judge { evidence (List.replicate 2 bottom) (ticks 900L 8.0 99.0) with Threads = Map.empty }

    Assert.Equal(Verdict.CpuBound, computes.Verdict)
    Assert.Equal("code called by ThreadPoolWorkQueue.Dispatch", computes.Computing.Head.Function)

[<Fact>]
let ``for code made at run time its caller is blamed`` () =
    let made = framework "dynamicClass.lambda_method1"

    let blamed (outer: Frame list) =
        let stack =
            framework "System.Threading.Thread.Sleep" :: made :: made :: outer @ bottom

        let blockingLine = (judged [ stack; stack ] (ticks 900L 8.0 2.0)).BlockingLines.Head
        Assert.Equal(BlockKind.Sleep, blockingLine.Kind)
        blockingLine.Function

    let middleware = framework "Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke"

    let server =
        framework "Microsoft.AspNetCore.Server.Kestrel.Core.HttpProtocol.ProcessRequests"

    Assert.Equal("EndpointMiddleware.Invoke", blamed [ middleware; server ])
    Assert.Equal("Orders.rule", blamed [ middleware; own "Shop.Orders.rule" 5; server ])
    Assert.Equal("dynamicClass.lambda_method1", blamed [])

[<Theory>]
[<InlineData("dynamicClass.lambda_method1", true)>]
[<InlineData("DynamicClass.lambda_method1", true)>]
[<InlineData("Shop.dynamicClass.load", false)>]
let ``a method made at run time is recognised by its name`` (name: string, expected: bool) =
    Assert.Equal(expected, FrameworkModules.isMadeAtRunTime name)

[<Fact>]
let ``stacks are folded from the outermost function inwards, idle ones left out`` () =
    let deep =
        framework "System.Threading.Thread.Sleep"
        :: own "Shop.Orders.inner" 3
        :: own "Shop.Orders.outer" 9
        :: bottom

    let other = own "Shop.Orders.compute" 7 :: own "Shop.Orders.outer" 9 :: bottom

    match (judged [ deep; deep; other; idle ] (ticks 0L 0.0 0.0)).Folded with
    | [ outer ] ->
        Assert.Equal("Orders.outer", outer.Function)
        Assert.Equal(30, outer.Samples)

        Assert.Equal<(string * int * BlockKind option) list>(
            [ "Orders.inner", 20, Some BlockKind.Sleep; "Orders.compute", 10, None ],
            outer.Children |> List.map (fun child -> child.Function, child.Samples, child.Kind)
        )
    | folded -> failwith $"{folded}"

let private kinds =
    Plait.Common.Word.all<BlockKind>() |> List.choose Plait.Common.Word.tryFind<BlockKind>

[<Fact>]
let ``every kind of block has a remedy, and three kinds are compensated`` () =
    for kind in kinds do
        Assert.NotEqual<string>("", Remedy.ofKind kind)

    Assert.Equal<BlockKind list>(
        [ BlockKind.TaskWait; BlockKind.ParallelLoop; BlockKind.HttpBody ],
        kinds |> List.filter Remedy.isCompensated
    )
