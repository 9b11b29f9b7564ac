// What is measured: the suites and their rows.
module Plait.Benchmarks.Suites

open System
open System.Threading.Tasks
open Plait.Benchmarks.CSharp
open Plait.Benchmarks.Programs
open Plait.Benchmarks.Turns

let private row name run = { Name = name; Run = run }

/// Repeats one operation.
let inline private times ([<InlineIfLambda>] operation: unit -> unit) (count: int) =
    for _ in 1..count do
        operation ()

let private finished = Task.FromResult 1
let private gate = Gate()
let private source = Source()

let private value =
    {
        Title = "A result and no await"
        Base = "C# pooling ValueTask"
        Operations = 100_000
        AllThreads = false
        Rows =
            [
                row "C# pooling ValueTask" (times (fun () -> Baselines.ReturnPooled(1).Result |> ignore))
                row "C# ValueTask" (times (fun () -> Baselines.ReturnValueTask(1).Result |> ignore))
                row "C# Task" (times (fun () -> Baselines.ReturnTask(1).Result |> ignore))
                row "F# task" (times (fun () -> (FSharpTask.value 1).Result |> ignore))
                row "pooledValueTask" (times (fun () -> (Pooled.value 1).Result |> ignore))
                row "strand" (times (fun () -> (Strands.value 1).Result |> ignore))
            ]
    }

let private eight =
    {
        Title = "Eight awaits of a completed task"
        Base = "C# pooling ValueTask"
        Operations = 50_000
        AllThreads = false
        Rows =
            [
                row
                    "C# pooling ValueTask"
                    (times (fun () -> Baselines.EightPooled(finished).Result |> ignore))
                row "C# Task" (times (fun () -> Baselines.EightTask(finished).Result |> ignore))
                row "F# task" (times (fun () -> (FSharpTask.eight finished).Result |> ignore))
                row "pooledValueTask" (times (fun () -> (Pooled.eight finished).Result |> ignore))
                row "strand" (times (fun () -> (Strands.eight finished).Result |> ignore))
            ]
    }

let inline private opened
    ([<InlineIfLambda>] start: unit -> 'Pending)
    ([<InlineIfLambda>] result: 'Pending -> int)
    =
    times (fun () ->
        let pending = start ()
        gate.Open()
        gate.Open()
        result pending |> ignore)

let private gates =
    {
        Title = "Two suspensions, in thread (custom awaiter)"
        Base = "C# pooling ValueTask"
        Operations = 20_000
        AllThreads = false
        Rows =
            [
                row "C# pooling ValueTask" (opened (fun () -> Baselines.GatePooled gate) _.Result)
                row "C# ValueTask" (opened (fun () -> Baselines.GateValueTask gate) _.Result)
                row "C# Task" (opened (fun () -> Baselines.GateTask gate) _.Result)
                row "F# task" (opened (fun () -> FSharpTask.gate gate) _.Result)
                row "pooledValueTask" (opened (fun () -> Pooled.gate gate) _.Result)
                row "strand" (opened (fun () -> Strands.gate gate) _.Result)
            ]
    }

let inline private sourced
    ([<InlineIfLambda>] start: unit -> 'Pending)
    ([<InlineIfLambda>] result: 'Pending -> int)
    =
    times (fun () ->
        let pending = start ()
        source.Complete()
        source.Complete()
        result pending |> ignore)

let private sources =
    {
        Title = "Two suspensions, in thread (IValueTaskSource)"
        Base = "C# pooling ValueTask"
        Operations = 20_000
        AllThreads = false
        Rows =
            [
                row "C# pooling ValueTask" (sourced (fun () -> Baselines.SourcePooled source) _.Result)
                row "C# Task" (sourced (fun () -> Baselines.SourceTask source) _.Result)
                row "F# task" (sourced (fun () -> FSharpTask.source source) _.Result)
                row "pooledValueTask" (sourced (fun () -> Pooled.source source) _.Result)
                row "strand" (sourced (fun () -> Strands.source source) _.Result)
            ]
    }

let private waited (operation: unit -> ValueTask<int>) =
    let operation = Func<ValueTask<int>> operation
    fun count -> Baselines.Loop(operation, count).Wait()

let private yields =
    {
        Title = "Two Task.Yield(), on the thread pool (bytes are exact, time is the pool's)"
        Base = "C# Task"
        Operations = 5_000
        AllThreads = true
        Rows =
            [
                row "C# Task" (waited (fun () -> ValueTask<int>(Baselines.YieldTask())))
                row "C# ValueTask" (waited Baselines.YieldValueTask)
                row "C# pooling ValueTask" (waited Baselines.YieldPooled)
                row "F# task" (waited (fun () -> ValueTask<int>(FSharpTask.yields ())))
                row "pooledValueTask" (waited Pooled.yields)
                row "strand" (waited (fun () -> (Strands.yields ()).AsValueTask()))
            ]
    }

/// Operations in flight at once, each with two yields.
let private inFlight width =
    let run (operation: unit -> ValueTask<int>) =
        let operation = Func<ValueTask<int>> operation
        let pending = Array.zeroCreate<ValueTask<int>> width
        fun count -> Baselines.LoopInFlight(operation, pending, count / width).Wait()

    {
        Title = $"{width} in flight, two Task.Yield() each"
        Base = "C# pooling ValueTask"
        Operations = 16_000
        AllThreads = true
        Rows =
            [
                row "C# pooling ValueTask" (run Baselines.YieldPooled)
                row "pooledValueTask" (run Pooled.yields)
            ]
    }

let private recursion =
    let depth = 16
    let calls = 3193 // of plain(16)

    let per (run: unit -> unit) = fun count -> times run (count / calls)

    {
        Title = "Synchronous recursion: one call (fib)"
        Base = "plain F#"
        Operations = calls * 20
        AllThreads = false
        Rows =
            [
                row "plain F#" (per (fun () -> Recursion.plain depth |> ignore))
                row "strand, Unsafe.Bare" (per (fun () -> (Recursion.bare depth).Result |> ignore))
                row "strand" (per (fun () -> (Recursion.exact depth).Result |> ignore))
                row "pooledValueTask" (per (fun () -> (Recursion.pooled depth).Result |> ignore))
                row "F# task" (per (fun () -> (Recursion.fsharp depth).Result |> ignore))
            ]
    }

/// All suites, in the order of the report.
let all =
    [ value; eight; gates; sources; yields ]
    @ List.map inFlight [ 1; 8; 64; 1000 ]
    @ [ recursion ]
