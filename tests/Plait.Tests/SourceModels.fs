// Under test: the sources that are settled by hand, against one plain model, over random sequences of calls on many handles,
// old ones among them: sets, cancellations, exceptions, reads, waits, disposals. A call on one handle never shows on another.
module Plait.Tests.SourceModels

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait

/// How an operation ends.
type End =
    | Value of int
    | Failed of exn
    | Cancelled of CancellationToken

type Call =
    | Create
    | TrySet of handle: int * End
    | Set of handle: int * End
    | Read of handle: int
    | Wait of handle: int
    | Look of handle: int
    | Dispose of handle: int

/// A source without its type. `Result` and `Waiter` are of the Task that the consumer would take from it now.
type Handle =
    {
        TrySet: End -> bool
        Set: End -> unit
        IsValid: unit -> bool
        HasTask: unit -> bool
        IsCompleted: unit -> bool
        Result: unit -> int
        Waiter: unit -> ICriticalNotifyCompletion
        Dispose: unit -> unit
    }

/// What the kinds of source do differently.
type Manner =
    {
        Create: unit -> Handle
        /// The result may be taken once, and only when it is there.
        Once: bool
        /// The Task is made when it is first read, and is over with the source.
        Lazy: bool
    }

type private State =
    | Pending
    | Ended of End
    | Over

/// A handle in the model.
[<Sealed>]
type private Known(handle: Handle) =
    member _.Handle = handle
    member val State = Pending with get, set
    /// Whether the Task was read.
    member val Read = false with get, set
    /// Waiters that are called with the end.
    member val Waiting = List<int[]>() with get

let private must (holds: bool) (message: string) =
    if not holds then
        failwith message

/// What taking the result comes to; None for a refusal.
let private outcome (take: unit -> int) : End option =
    try
        Some(Value(take ()))
    with
    | :? InvalidOperationException -> None
    | :? OperationCanceledException as error -> Some(Cancelled error.CancellationToken)
    | error -> Some(Failed error)

let private same (left: End option) (right: End option) =
    match left, right with
    | Some(Failed left), Some(Failed right) -> obj.ReferenceEquals(left, right)
    | Some(Value left), Some(Value right) -> left = right
    | Some(Cancelled left), Some(Cancelled right) -> left = right
    | None, None -> true
    | _ -> false

let private law (manner: Manner) (calls: Call list) =
    let handles = List<Known>()
    let all = List<int[]>() // the waiters that must be called, now or soon

    let create () = handles.Add(Known(manner.Create()))

    let settle (known: Known) (last: End) =
        known.State <- Ended last
        all.AddRange known.Waiting
        known.Waiting.Clear()

    let refused (call: unit -> unit) =
        try
            call ()
            false
        with :? InvalidOperationException ->
            true

    let read (known: Known) =
        match known.State with
        | Pending ->
            known.Read <- true
            must (not (known.Handle.IsCompleted())) "A pending operation is completed."

            // the result of a pending Task would block
            if manner.Once then
                must (outcome known.Handle.Result).IsNone "A result was taken before there was one."
        | Ended last ->
            known.Read <- true
            must (known.Handle.IsCompleted()) "An operation that has ended is not completed."
            let found = outcome known.Handle.Result
            must (same found (Some last)) $"%A{last} was set, and %A{found} came out."

            if manner.Once then
                known.State <- Over
        | Over -> must ((outcome known.Handle.Result).IsNone) "A result was taken behind the end of the use."

    let wait (known: Known) =
        let called = [| 0 |]

        let call () =
            Interlocked.Increment &called[0] |> ignore

        match known.State with
        | Over when manner.Lazy ->
            must (refused (fun () -> known.Handle.Waiter() |> ignore)) "A disposed source has a Task."
        | state ->
            known.Read <- true
            known.Handle.Waiter().UnsafeOnCompleted call

            // a second waiter of what is awaited once is called at once, and finds out
            if state = Pending && not (manner.Once && known.Waiting.Count > 0) then
                known.Waiting.Add called
            else
                all.Add called

    let apply (call: Call) =
        let at (handle: int) = handles[handle % handles.Count]

        match call with
        | Create -> create ()
        | TrySet(handle, last) ->
            let known = at handle
            let pending = known.State = Pending

            if pending then
                settle known last

            must (known.Handle.TrySet last = pending) $"TrySet answered {not pending}."
        | Set(handle, last) ->
            let known = at handle
            let pending = known.State = Pending

            if pending then
                settle known last

            must (refused (fun () -> known.Handle.Set last) = not pending) "Set was wrong about the state."
        | Read handle -> read (at handle)
        | Wait handle -> wait (at handle)
        | Look handle ->
            let known = at handle
            must (known.Handle.IsValid() = (known.State <> Over)) "IsValid is wrong."

            let expected =
                match known.State with
                | Over -> not manner.Lazy
                | Ended(Cancelled _) -> true
                | _ -> known.Read || not manner.Lazy

            must (known.Handle.HasTask() = expected) "HasTask is wrong."
        | Dispose handle ->
            let known = at handle
            known.Handle.Dispose()

            if manner.Lazy && known.State <> Over then
                // whoever waits for a pending Task is told that it was cancelled
                all.AddRange known.Waiting
                known.Waiting.Clear()
                known.State <- Over

    create ()
    List.iter apply calls

    for called in all do
        must (SpinWait.SpinUntil((fun () -> Volatile.Read &called[0] > 0), 10_000)) "A waiter was not called."

    for called in all do
        must (Volatile.Read &called[0] = 1) $"A waiter was called {called[0]} times."

    for known in handles do
        for called in known.Waiting do
            must (Volatile.Read &called[0] = 0) "A waiter of a pending operation was called."

        // gives the pooled objects back
        if known.State = Pending then
            settle known (Value 1)
            must (known.Handle.TrySet(Value 1)) "A pending source was not to be set."

        if known.State <> Over then
            read known

        known.Handle.Dispose()

    true

let private tokens =
    [ CancellationToken.None; CancellationToken true; (new CancellationTokenSource()).Token ]

let private ends =
    Gen.oneof
        [
            Gen.choose (-2, 12) |> Gen.map Value
            Gen.elements [ FormatException() :> exn; TimeoutException() ] |> Gen.map Failed
            Gen.elements tokens |> Gen.map Cancelled
        ]

let private calls =
    let handle = Gen.choose (0, 20)

    Gen.frequency
        [
            2, Gen.constant Create
            3, Gen.map2 (fun handle last -> TrySet(handle, last)) handle ends
            1, Gen.map2 (fun handle last -> Set(handle, last)) handle ends
            4, Gen.map Read handle
            3, Gen.map Wait handle
            2, Gen.map Look handle
            1, Gen.map Dispose handle
        ]
    |> Gen.listOf
    |> Arb.fromGen

let private holds (manner: Manner) =
    Check.One(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize 60, Prop.forAll calls (law manner))

let private ended
    (value: int -> 'T)
    (failed: exn -> 'T)
    (cancelled: CancellationToken -> 'T)
    (last: End)
    : 'T =
    match last with
    | Value number -> value number
    | Failed error -> failed error
    | Cancelled token -> cancelled token

[<Fact>]
let ``a PooledValueTaskSource behaves as its model`` () =
    let create () =
        let source = PooledValueTaskSource<int>.Create()

        {
            TrySet =
                ended source.TrySetResult source.TrySetException (fun token -> source.TrySetCanceled token)
            Set = ended source.SetResult source.SetException (fun token -> source.SetCanceled token)
            IsValid = fun () -> source.IsValid
            HasTask = fun () -> source.HasTask
            IsCompleted = fun () -> source.Task.IsCompleted
            Result = fun () -> source.Task.Result
            Waiter = fun () -> source.Task.ConfigureAwait(false).GetAwaiter()
            Dispose = ignore
        }

    holds { Create = create; Once = true; Lazy = false }

[<Fact>]
let ``a PooledValueTaskSource without a result behaves as its model`` () =
    let create () =
        let source = PooledValueTaskSource.Create()
        // the number is the test's: the source has none
        let set = ref 0

        let number (call: unit -> 'T) (value: int) =
            if source.IsValid && not source.Task.IsCompleted then
                set.Value <- value

            call ()

        {
            TrySet =
                ended (number source.TrySetResult) source.TrySetException (fun token ->
                    source.TrySetCanceled token)
            Set = ended (number source.SetResult) source.SetException (fun token -> source.SetCanceled token)
            IsValid = fun () -> source.IsValid
            HasTask = fun () -> source.HasTask
            IsCompleted = fun () -> source.Task.IsCompleted
            Result =
                fun () ->
                    source.Task.GetAwaiter().GetResult()
                    set.Value
            Waiter = fun () -> source.Task.ConfigureAwait(false).GetAwaiter()
            Dispose = ignore
        }

    holds { Create = create; Once = true; Lazy = false }

[<Fact>]
let ``a ValueTaskCompletionSource behaves as its model`` () =
    let create () =
        let source = ValueTaskCompletionSource<int>.Create()

        {
            TrySet =
                ended source.TrySetResult source.TrySetException (fun token -> source.TrySetCanceled token)
            Set = ended source.SetResult source.SetException (fun token -> source.SetCanceled token)
            IsValid = fun () -> source.IsValid
            HasTask = fun () -> source.HasTask
            IsCompleted = fun () -> source.Task.IsCompleted
            Result = fun () -> source.Task.GetAwaiter().GetResult()
            Waiter = fun () -> source.Task.ConfigureAwait(false).GetAwaiter()
            Dispose = ignore
        }

    holds { Create = create; Once = false; Lazy = false }

[<Fact>]
let ``a LazyTaskCompletionSource behaves as its model`` () =
    let create () =
        let source = LazyTaskCompletionSource<int>.Create()

        {
            TrySet =
                ended source.TrySetResult source.TrySetException (fun token -> source.TrySetCanceled token)
            Set = ended source.SetResult source.SetException (fun token -> source.SetCanceled token)
            IsValid = fun () -> source.IsValid
            HasTask = fun () -> source.HasTask
            IsCompleted = fun () -> source.Task.IsCompleted
            Result = fun () -> source.Task.GetAwaiter().GetResult()
            Waiter = fun () -> source.Task.ConfigureAwait(false).GetAwaiter()
            Dispose = source.Dispose
        }

    holds { Create = create; Once = false; Lazy = true }
