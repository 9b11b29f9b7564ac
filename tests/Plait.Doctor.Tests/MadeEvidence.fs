// Evidence made by hand: frames, stacks, readings, and their diagnosis. The tests of the judging use it; no process runs.
module Plait.Doctor.Tests.MadeEvidence

open System

open Plait.Doctor

let framework (name: string) : Frame =
    {
        Module = "System.Private.CoreLib"
        IsFramework = true
        IsPackage = false
        Method = name
        File = None
        Line = None
        Calls = []
        WrittenIn = None
    }

let own (name: string) (line: int) : Frame =
    {
        Module = "Shop"
        IsFramework = false
        IsPackage = false
        Method = name
        File = Some "Orders.fs"
        Line = Some line
        Calls = []
        WrittenIn = None
    }

/// A method of a package, with symbols.
let ofPackage (assembly: string) (name: string) : Frame =
    { own name 100 with Module = assembly; IsPackage = true; File = Some "/_/src/Package.cs" }

/// What is below everything that a worker does.
let bottom =
    [
        framework "System.Threading.ThreadPoolWorkQueue.Dispatch"
        framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart"
    ]

let sleeping =
    framework "System.Threading.Thread.Sleep" :: own "Shop.Orders+work@12.Invoke" 12 :: bottom

let idle =
    [
        framework "System.Threading.LowLevelLifoSemaphore.WaitNative"
        framework "System.Threading.LowLevelLifoSemaphore.Wait"
        framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart"
    ]

let computing = own "Shop.Routes.shortest" 30 :: bottom

let locked =
    framework "System.Threading.Monitor.Enter_Slowpath" :: own "Shop.Ledger.post" 8 :: bottom

/// Waits for a task.
let taskWait =
    framework "System.Threading.Monitor.Wait"
    :: framework "System.Threading.Tasks.Task.SpinThenBlockingWait"
    :: framework "System.Threading.Tasks.Task`1.GetResultCore"
    :: own "Shop.Accounts.Book" 31
    :: bottom

let sample thread at frames : Sample =
    { Thread = thread; AtMilliseconds = float at; IsManaged = true; Frames = frames }

/// Workers with a stack each, ten samples of each.
let samples (stacks: Frame list list) : Sample list =
    [
        for thread, frames in List.indexed stacks do
            for at in 0..9 do
                sample thread at frames
    ]

let reading (queue: int64) (completed: float) (cpu: float) (at: int) : PoolReading =
    {
        AtMilliseconds = float at
        Threads = 4
        Queue = queue
        CompletedPerSecond = Some completed
        CpuPercent = Some cpu
        ContentionsPerSecond = Some 0.0
    }

let evidence (stacks: Frame list list) (readings: PoolReading list) : Evidence =
    let facts =
        {
            Pid = 1
            Name = "Shop"
            CommandLine = "dotnet Shop.dll"
            Processors = 2
            Runtime = Some "10.0.0"
        }

    { Evidence.Of(facts, Route.EventPipe, DateTime.UnixEpoch) with
        Milliseconds = 1000.0
        Readings = readings
        Samples = samples stacks
    }

let judged stacks readings =
    Judging.judge (evidence stacks readings)

let ticks (queue: int64) (completed: float) (cpu: float) =
    [ 200..200..1000 ] |> List.map (reading queue completed cpu)

/// What the operating system says of workers.
let osThreads (waiting: float) (count: int) =
    Map.ofList [ for thread in 0 .. count - 1 -> thread, { Waiting = Some waiting; IsWorker = true } ]
