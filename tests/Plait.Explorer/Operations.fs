// Worlds of a bare pooled operation: one writer, and a Task in its place.
module Plait.Explorer.Operations

open System
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
            next.Complete 9
            must ((next :> IValueTaskSource<int>).GetResult own = 9) "An operation had the value of another."

    let complete () =
        if failing then operation.Fail(FormatException()) else operation.Complete 7

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
