// Waiting, with an end: no test hangs, and one that waited in vain says for what.
namespace Plait.Lab.Tests

open System
open System.Threading
open System.Threading.Tasks
open Xunit

/// The threads that blocking tests need: without them each would wait for the pool to grow.
type Threads() =
    do ThreadPool.SetMinThreads(64, 64) |> ignore

[<assembly: AssemblyFixture(typeof<Threads>)>]
do ()

module Within =
    /// It is there to end a hang: ten times what the slowest wait takes on two cores that four other processes keep busy.
    let limit = TimeSpan.FromMinutes 10.

    /// Waits for the result.
    let result (what: string) (task: Task<'T>) : 'T =
        if not (Task.WhenAny(task, Task.Delay limit).GetAwaiter().GetResult() = task) then
            Assert.Fail $"%s{what} did not end within {limit.TotalMinutes} minutes."

        task.GetAwaiter().GetResult()

    /// Runs all at the same time, each on a thread that may block.
    let together (what: string) (work: (unit -> 'T) list) : 'T list =
        [ for one in work -> Task.Factory.StartNew((fun () -> one ()), TaskCreationOptions.LongRunning) ]
        |> Task.WhenAll
        |> result what
        |> List.ofArray

    /// Waits until something is so.
    let comes (what: string) (condition: unit -> bool) =
        if not (SpinWait.SpinUntil(condition, limit)) then
            Assert.Fail $"It did not come to pass within {limit.TotalMinutes} minutes: {what}."
