// Worlds of a source that settles a Task: the Task itself decides, and a loser answers once the result can be read.
module Plait.Explorer.Promises

open System
open System.Collections.Generic
open System.Threading.Tasks

open Plait
open Plait.Explorer.Worlds

/// As many setters as threads; the first one sets an exception if `failing`.
let settled (threads: int) (failing: bool) () : World =
    let source = ValueTaskCompletionSource<int>.Create()
    let won = List<int>()

    let set (me: int) () =
        let wins =
            if failing && me = 0 then
                source.TrySetException(FormatException())
            else
                source.TrySetResult me

        must source.Task.IsCompleted "A setter answered before there was a result."

        if wins then
            won.Add me

    let check () =
        must (won.Count = 1) $"{won.Count} setters have won."

        if failing && won[0] = 0 then
            must source.Task.IsFaulted "The winner's exception is not there."
        else
            must
                (source.Task.Status = TaskStatus.RanToCompletion && source.Task.Result = won[0])
                "The winner's value is not there."

        must (not (source.TrySetResult 50)) "A settled source was set again."

    {
        Threads = [| for me in 0 .. threads - 1 -> atHome (set me) |]
        Core = id
        HasPool = false
        Check = check
    }
