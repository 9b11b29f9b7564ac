// The builders that are measured. Each module gives the same names another meaning: `co`, what it makes, and how many of
// them are awaited.
namespace Plait.Benchmarks.Programs

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp

module Direct =
    type Co<'T> = ValueTask<'T>
    let name = "pooledValueTask"
    let finish (co: Co<int>) = co.Result

    let loop (operation: unit -> Co<int>) count =
        Loops.Run(Func<Co<int>> operation, count)

    let loopInFlight (operation: unit -> Co<int>) (places: Co<int>[]) count =
        Loops.RunInFlight(Func<Co<int>> operation, places, count)

    let all (pending: Co<int>[]) = PooledValueTask.whenAll pending

module FSharpTask =
    type Co<'T> = Task<'T>
    let co = task
    let name = "F# task"
    let finish (co: Co<int>) = co.Result

    let loop (operation: unit -> Co<int>) count =
        Loops.Run(Func<Co<int>> operation, count)

    let loopInFlight (operation: unit -> Co<int>) (places: Co<int>[]) count =
        Loops.RunInFlight(Func<Co<int>> operation, places, count)

    let all (pending: Co<int>[]) = Task.WhenAll pending

module PlaitTask =
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.task
    let name = "Plait.Tasks.task"
    let finish = FSharpTask.finish
    let loop = FSharpTask.loop
    let loopInFlight = FSharpTask.loopInFlight
    let all (pending: Co<int>[]) = Task.whenAll pending

module ValueTasks =
    type Co<'T> = ValueTask<'T>
    let co = valueTask
    let name = "valueTask"
    let finish = Direct.finish
    let loop = Direct.loop
    let loopInFlight = Direct.loopInFlight
    let all (pending: Co<int>[]) = ValueTask.whenAll pending

module PooledTasks =
    type Co<'T> = Task<'T>
    let co = pooledTask
    let name = "pooledTask"
    let finish = FSharpTask.finish
    let loop = FSharpTask.loop
    let loopInFlight = FSharpTask.loopInFlight
    let all = PlaitTask.all

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
