// The rows of the suites on .NET 11.
module Plait.Benchmarks.Rows

open Plait.Benchmarks.CSharp
open Plait.Benchmarks.Programs

/// The title of the report, and the command that renews it.
let title, renew = "The kernels on .NET 11, in turn", "make bench-dotnet11"

/// Every way of writing a method, baselines first.
let subjects: Subject list =
    [
        RuntimeValueTaskMethods()
        RuntimeTaskMethods()
        ValueTaskMethods()
        TaskMethods()
        FSharpTasks.Rows()
        PlaitTasks.Rows()
        PooledValueTasks.Rows()
        Strands.Rows()
        RuntimeTasks.Rows()
        RuntimeValueTasks.Rows()
    ]

/// The row that ratios are to.
let theBase = "C# runtime async ValueTask"

/// Further rows of the recursion.
let recursions: (string * (int -> unit)) list =
    [
        "runtime async task", (fun depth -> (RuntimeTasks.Methods.fib depth).Result |> ignore)
        "runtime async valueTask", (fun depth -> (RuntimeValueTasks.Methods.fib depth).Result |> ignore)
        "runtime async valueTask, Guarded", (fun depth -> (RuntimeBuilders.guarded depth).Result |> ignore)
    ]

/// Suites whose rows are ways of calling one function: title, base, rows.
let calls = [ FunctionValues.suite; ResultCalls.suite ]
