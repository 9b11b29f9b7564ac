// What the C# compiler makes of `async PooledValueTask<int> Leaf(int n, CancellationToken token)` with one `await
// Task.Yield()`: the method builder as C# drives it.
module Plait.Stress.Method

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.MethodBuilders
open Plait.Stress.Frames

[<Struct; NoEquality; NoComparison>]
type private Machine =
    val mutable builder: PooledValueTaskMethodBuilder<int>
    val mutable private suspended: bool
    val mutable private awaiter: YieldAwaitable.YieldAwaiter
    val private n: int
    val private token: CancellationToken

    new(n, token) =
        {
            builder = PooledValueTaskMethodBuilder<int>.Create()
            suspended = false
            awaiter = Unchecked.defaultof<_>
            n = n
            token = token
        }

    interface IAsyncStateMachine with
        member this.MoveNext() =
            if not this.suspended then
                this.suspended <- true
                this.awaiter <- Task.Yield().GetAwaiter()
                this.builder.AwaitUnsafeOnCompleted(&this.awaiter, &this)
            else
                let mutable error: exn | null = null

                try
                    this.awaiter.GetResult()
                    meet this.n this.token
                with caught ->
                    error <- caught

                match error with
                | null -> this.builder.SetResult this.n
                | error -> this.builder.SetException error

        member this.SetStateMachine machine = this.builder.SetStateMachine machine

let leaf (n: int) (token: CancellationToken) : ValueTask<int> =
    let mutable machine = Machine(n, token)
    machine.builder.Start &machine
    machine.builder.Task
