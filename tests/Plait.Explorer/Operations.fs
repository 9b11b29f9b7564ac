// Worlds of a bare pooled operation: one writer, and a Task in its place or a frame that waits.
module Plait.Explorer.Operations

open System
open System.Collections.Generic
open System.Threading.Tasks
open System.Threading.Tasks.Sources

open Plait.Kernel
open Plait.Explorer.Worlds

[<Sealed; AllowNullLiteral>]
type internal Operation(stock: Stock<Operation>) =
    inherit PooledSource<int>()
    override _.Resume() = ()
    override _.Action = Action ignore
    override _.ClearMachine() = ()
    override operation.Recycle() = stock.Return operation

/// The writer completes; the owner makes a Task of it; both then run an operation on what the pool has.
let asTask (failing: bool) () : World =
    let stock = Stock<Operation>()
    let operation = Operation stock
    let token = operation.Token
    let tasks: Task<int>[] = [| null |]

    let next () =
        match stock.Rent() with
        | null -> ()
        | next ->
            let own = next.Token
            must (own <> token) "A rented object has the token of the operation before."
            next.Complete(9, false)
            must ((next :> IValueTaskSource<int>).GetResult own = 9) "An operation had the value of another."

    let complete () =
        if failing then operation.Fail(FormatException(), false) else operation.Complete(7, false)

        next ()

    let make () =
        tasks[0] <- operation.ToTask()
        next ()

    let check () =
        let task = tasks[0]

        if failing then
            must
                (task.IsFaulted && (task.Exception.InnerException :? FormatException))
                "The Task has not failed."
        else
            must (task.IsCompletedSuccessfully && task.Result = 7) "The Task has not succeeded."

        must
            ((stock.All |> List.filter (fun item -> obj.ReferenceEquals(item, operation)) |> List.length) = 1)
            "The object is not in the pool once."

    {
        Threads = [| atHome complete; atHome make |]
        Core = id
        HasPool = false
        Check = check
    }

[<Sealed>]
type internal WaitingFrame(resumed: unit -> unit) as this =
    inherit Frame()
    let action = this.ToAction()
    override _.Resume() = resumed ()
    override _.Action = action

/// The writer completes, at the end of a step or not; a frame, at home or not, waits for it by the BCL's awaiter, then takes
/// the value.
let byFrame (inStep: bool) (isHome: bool) () : World =
    let place = if isHome then atHome else homeless
    let stock = Stock<Operation>()
    let operation = Operation stock
    let token = operation.Token
    let taken = List<int>()

    let take () =
        taken.Add((operation :> IValueTaskSource<int>).GetResult token)

    let frame = WaitingFrame take

    let wait () =
        let awaiter = ValueTask<int>(operation, token).GetAwaiter()

        if awaiter.IsCompleted then take () else awaiter.UnsafeOnCompleted frame.Action

    let check () =
        must (List.ofSeq taken = [ 7 ]) $"The frame has taken %A{List.ofSeq taken}."
        must (stock.All.Length = 1) "The object is not in the pool once."

    {
        Threads = [| place (fun () -> operation.Complete(7, inStep)); place wait |]
        Core = id
        HasPool = not isHome
        Check = check
    }
