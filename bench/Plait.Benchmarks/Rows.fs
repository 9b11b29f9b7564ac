// The rows of the suites: every way of writing a method that runs on the installed runtime.
module Plait.Benchmarks.Rows

open Plait.Benchmarks.CSharp
open Plait.Benchmarks.Programs

/// The title of the report, and the command that renews it.
let title, renew = "The kernels, in turn", "make bench"

/// Every way of writing a method, baselines first.
let subjects: Subject list =
    [
        PoolingMethods()
        ValueTaskMethods()
        TaskMethods()
        FSharpTasks.Rows()
        PlaitTasks.Rows()
        PooledTasks.Rows()
        ValueTasks.Rows()
        PooledValueTasks.Rows()
        Strands.Rows()
        PooledTaskMethods()
        PooledValueTaskMethods()
        ByAttributeMethods()
    ]

/// The row that ratios are to.
let theBase = "C# pooling ValueTask"

/// Further rows of the recursion.
let recursions: (string * (int -> unit)) list = []

/// Suites whose rows are ways of calling one function: title, base, rows.
let calls: (string * string * (string * (int -> unit)) list) list = []
