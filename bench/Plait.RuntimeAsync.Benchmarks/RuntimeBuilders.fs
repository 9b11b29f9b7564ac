// The builders that only .NET 11 runs, in the form of Plait.Benchmarks.Programs/Builders.fs; and the recursion with one
// that has no other programs.
module Plait.Benchmarks.Programs.RuntimeBuilders

open System.Threading.Tasks
open Plait.Benchmarks.Programs.Builders

module RuntimeTasks =
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Builders.task
    let name = "runtime async task"
    let finish = FSharpTasks.finish
    let loop = FSharpTasks.loop
    let loopInFlight = FSharpTasks.loopInFlight
    let all = FSharpTasks.all

module RuntimeValueTasks =
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.Builders.valueTask
    let name = "runtime async valueTask"
    let finish = PooledValueTasks.finish
    let loop = PooledValueTasks.loop
    let loopInFlight = PooledValueTasks.loopInFlight
    let all = ValueTasks.all

let rec guarded (n: int) : ValueTask<int> =
    Plait.RuntimeAsync.Guarded.valueTask {
        if n < 2 then
            return n
        else
            let! a = guarded (n - 1)
            let! b = guarded (n - 2)
            return a + b
    }
