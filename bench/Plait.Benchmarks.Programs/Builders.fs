// The builders that are measured. Each module has the same names: `co`, which is the builder, `Co`, the type that it returns,
// and how many of them are awaited. Methods.fs is written with these names, and opens the module of one builder.
module Plait.Benchmarks.Programs.Builders

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp

module PooledValueTasks =
    type Co<'T> = ValueTask<'T>
    let co = pooledValueTask
    let name = "pooledValueTask"
    let finish (co: Co<int>) = co.Result

    let loop (operation: unit -> Co<int>) count =
        Loops.Run(Func<Co<int>> operation, count)

    let loopInFlight (operation: unit -> Co<int>) (places: Co<int>[]) count =
        Loops.RunInFlight(Func<Co<int>> operation, places, count)

    let all (pending: Co<int>[]) = PooledValueTask.whenAll pending

module FSharpTasks =
    type Co<'T> = Task<'T>
    let co = task
    let name = "F# task"
    let finish (co: Co<int>) = co.Result

    let loop (operation: unit -> Co<int>) count =
        Loops.Run(Func<Co<int>> operation, count)

    let loopInFlight (operation: unit -> Co<int>) (places: Co<int>[]) count =
        Loops.RunInFlight(Func<Co<int>> operation, places, count)

    let all (pending: Co<int>[]) = Task.WhenAll pending

module PlaitTasks =
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.task
    let name = "Plait.Tasks.task"
    let finish = FSharpTasks.finish
    let loop = FSharpTasks.loop
    let loopInFlight = FSharpTasks.loopInFlight
    let all (pending: Co<int>[]) = Task.whenAll pending

module ValueTasks =
    type Co<'T> = ValueTask<'T>
    let co = valueTask
    let name = "valueTask"
    let finish = PooledValueTasks.finish
    let loop = PooledValueTasks.loop
    let loopInFlight = PooledValueTasks.loopInFlight
    let all (pending: Co<int>[]) = ValueTask.whenAll pending

module PooledTasks =
    type Co<'T> = Task<'T>
    let co = pooledTask
    let name = "pooledTask"
    let finish = FSharpTasks.finish
    let loop = FSharpTasks.loop
    let loopInFlight = FSharpTasks.loopInFlight
    let all = PlaitTasks.all

module Strands =
    type Co<'T> = Strand<'T>
    let co = strand
    let name = "strand"
    let finish (co: Co<int>) = co.Result

    let loop (operation: unit -> Co<int>) count =
        Loops.Run(Func<Co<int>> operation, count)

    let loopInFlight (operation: unit -> Co<int>) (places: Co<int>[]) count =
        Loops.RunInFlight(Func<Co<int>> operation, places, count)

    let all (pending: Co<int>[]) = Strand.whenAll pending
