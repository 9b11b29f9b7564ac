// Thread.Sleep in a task of a builder of one's own over the intrinsic of F# 11, which leaves no line in an optimised build. Bind
// Task.Delay with `do!`.
// doctor: STARVED sleep
// function: Refunds.refund
module Sick.Refunds

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

type Bare() =
    member inline _.Delay([<InlineIfLambda>] code: unit -> 'T) : unit -> 'T = code
    member inline _.Return(value: 'T) : 'T = value

    member inline _.Bind(work: Task<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
        rest (AsyncHelpers.Await work)

    member inline _.Run([<InlineIfLambda>] code: unit -> 'T) : Task<'T> =
        StateMachineHelpers.__runtimeAsyncReturn (code ())

let bare = Bare()

let private later (order: int) = Task.Run(fun () -> order)

[<MethodImpl(MethodImplOptions.NoInlining)>]
let refund (order: int) =
    bare {
        let! state = later order
        Thread.Sleep 500 // blamed in Debug
        return state % 2
    }

let start () =
    Load.backlog (fun order -> refund order |> ignore)
