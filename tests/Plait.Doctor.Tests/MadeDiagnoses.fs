// Diagnoses that no process was looked at for, for the tests of what they look like.
module Plait.Doctor.Tests.MadeDiagnoses

open System
open System.IO

open Plait.Doctor

/// A file below the current directory.
let below (path: string) =
    Path.Combine(Environment.CurrentDirectory, path)

let private reading at threads queue completed : PoolReading =
    {
        AtMilliseconds = at
        Threads = threads
        Queue = queue
        CompletedPerSecond = Some completed
        CpuPercent = Some 4.2
        ContentionsPerSecond = Some 0.0
    }

let private facts: ProcessFacts =
    {
        Pid = 4711
        Name = "Orders.Api"
        CommandLine = "dotnet Orders.Api.dll --password secret"
        Processors = 2
        Runtime = Some "10.0.12"
    }

let private evidence: Evidence =
    { Evidence.Of(facts, Route.EventPipe, DateTime(2026, 11, 23, 8, 40, 0, DateTimeKind.Utc)) with
        Milliseconds = 612.0
        Readings = [ reading 200.0 16 996L 0.0; reading 400.0 17 995L 5.0; reading 600.0 17 994L 5.0 ]
        Adjustments = [ { AtMilliseconds = 410.0; Reason = "Starvation"; Workers = 17 } ]
        Samples =
            [
                {
                    Thread = 31
                    AtMilliseconds = 501.0
                    IsManaged = false
                    Frames =
                        [
                            {
                                Module = "System.Private.CoreLib"
                                IsFramework = true
                                IsPackage = false
                                Method = "System.Threading.Thread.Sleep"
                                File = None
                                Line = None
                                Calls = []
                                WrittenIn = None
                            }
                        ]
                }
            ]
    }

let private numbers: Numbers =
    {
        Queue = Some 994L
        CompletedPerSecond = Some 3.3
        Threads = Some 17
        MaxThreads = None
        Workers = 17
        Blocked = 17
        Running = 0
        Idle = 0
        Others = 3
        CpuPercent = Some 4.2
        InjectedPerSecond = Some 1.1
        ContentionsPerSecond = Some 0.0
        WaitSeconds = Some 301.2
    }

/// A line that sleeps.
let sleeping: BlockingLine =
    let work = Some(below "src/Orders.fs", 10)

    {
        Kind = BlockKind.Sleep
        Function = "Orders.work"
        Place = work
        Package = None
        Outside = None
        Held = None
        Awaited = None
        Workers = 15
        Stack =
            [
                "Orders.work", work
                "Orders.handle", Some(below "src/Orders.fs", 22)
                "Program.main", Some(below "src/Program.fs", 5)
            ]
        Compensated = false
        Remedy =
            "bind the wait and let the thread go: do! Async.Sleep 500 in async, do! Task.Delay 500 in a task"
        Rule = Some "PLT201"
    }

/// One that waits for a lock, in a program without symbols for its caller.
let locked: BlockingLine =
    let reserve = Some("/elsewhere/Stock.fs", 41)

    {
        Kind = BlockKind.Lock
        Function = "Stock.reserve"
        Place = reserve
        Package = None
        Outside = None
        Held = None
        Awaited = None
        Workers = 2
        Stack = [ "Stock.reserve", reserve; "Orders.price", None ]
        Compensated = true
        Remedy = "hold the lock for less, or take a SemaphoreSlim and await WaitAsync"
        Rule = None
    }

let private node name place samples kind children : FoldedStack =
    { Function = name; Place = place; Samples = samples; Kind = kind; Children = children }

/// A pool that starves: two lines hold all its workers.
let starved: Diagnosis =
    {
        Evidence = evidence
        Verdict = Verdict.Starved
        Why = "994 work items wait, and 17 of 17 workers are blocked."
        Numbers = numbers
        BlockingLines = [ sleeping; locked ]
        Computing = []
        Waiters = []
        Cost = Some "At this width a work item of 500 ms waits 29 s."
        Folded =
            [
                node
                    "Orders.handle"
                    (Some(below "src/Orders.fs", 22))
                    1700
                    None
                    [
                        node "Orders.work" (Some(below "src/Orders.fs", 10)) 1500 (Some BlockKind.Sleep) []
                        node
                            "Orders.price"
                            None
                            200
                            None
                            [
                                node
                                    "Stock.reserve"
                                    (Some("/elsewhere/Stock.fs", 41))
                                    190
                                    (Some BlockKind.Lock)
                                    []
                            ]
                    ]
                node "Import.run" None 60 None [ node "Import.parse" None 60 None [] ]
            ]
    }

/// A pool in which all is well.
let healthy: Diagnosis =
    { starved with
        Verdict = Verdict.Healthy
        Why = "Work is taken up as it comes."
        Numbers =
            { numbers with
                Queue = Some 0L
                CompletedPerSecond = Some 12345.6
                Workers = 4
                Threads = Some 4
                Blocked = 0
                Running = 1
                Idle = 3
                InjectedPerSecond = Some 0.0
                WaitSeconds = None
            }
        BlockingLines = []
        Cost = None
        Folded = []
    }

/// What the debugger's way knows: stacks, and nothing of the queue.
let byPtrace: Diagnosis =
    { starved with
        Evidence =
            { evidence with
                Route = Route.Ptrace
                Readings = []
                Adjustments = []
                Stops =
                    Some
                        {
                            LimitMilliseconds = 500.0
                            LongestMilliseconds = 0.4
                            TotalMilliseconds = 12.5
                            Threads = 31
                            Unread = 0
                        }
                Notes = [ "The process stood still for 0.2 s." ]
            }
        Numbers =
            { numbers with
                Queue = None
                CompletedPerSecond = None
                Threads = None
                CpuPercent = None
                InjectedPerSecond = None
                ContentionsPerSecond = None
                WaitSeconds = None
            }
    }

/// A pool that is well, beside a main thread that hangs.
let hung: Diagnosis =
    let place = Some(below "src/Window.fs", 31)

    { healthy with
        Verdict = Verdict.Hung
        Why = "The main thread waits for a task that waits for it."
        Waiters =
            [
                {
                    Thread = 4711
                    IsMain = true
                    IsWorker = false
                    IsFinalizer = false
                    Kind = BlockKind.TaskWait
                    Function = "Window.clicked"
                    Place = place
                    Stack = [ "Window.clicked", place; "Program.main", None ]
                    Context = Some "Shop.WindowContext"
                    HasPosted = Some true
                    IsHung = true
                    Deadlock = None
                    WaitsForSeconds = Some 12.0
                    IsRead = true
                }
                {
                    Thread = 4720
                    IsMain = false
                    IsWorker = false
                    IsFinalizer = false
                    Kind = BlockKind.RunSynchronously
                    Function = "Program.serve"
                    Place = None
                    Stack = []
                    Context = None
                    HasPosted = None
                    IsHung = false
                    Deadlock = None
                    WaitsForSeconds = None
                    IsRead = true
                }
            ]
    }

/// A pool whose workers compute, and throw.
let computing: Diagnosis =
    let place = Some(below "src/Routes.fs", 30)

    { starved with
        Verdict = Verdict.CpuBound
        Why = "994 work items wait because 2 workers compute."
        BlockingLines = []
        Computing =
            [
                {
                    Function = "Routes.shortest"
                    Place = place
                    Share = 0.8
                    Outside = 0
                    IsThrowing = false
                    IsPolling = false
                    Stack = [ "Routes.shortest", place; "Program.main", None ]
                }
                {
                    Function = "Import.read"
                    Place = None
                    Share = 0.2
                    Outside = 0
                    IsThrowing = true
                    IsPolling = false
                    Stack = []
                }
            ]
    }

/// A program that failed, whose pool was well.
let failed: Diagnosis =
    Judging.ended healthy { Command = "dotnet"; ExitCode = 134; Signal = Some "SIGABRT"; Seconds = 3.1 }

/// A stack that is deeper than anything that a file may hold.
let recursive: Diagnosis =
    let rec nested depth inner =
        if depth = 0 then
            inner
        else
            nested (depth - 1) (node $"Tree.walk{depth}" None 10 None [ inner ])

    { starved with
        Folded = [ nested 1000 (node "Tree.leaf" None 10 (Some BlockKind.Sleep) []) ]
    }
