// Waiting, with an end: no test hangs, and one that waited in vain says for what.
namespace Plait.Tests.Support

open System
open System.Threading
open System.Threading.Tasks
open Xunit

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
