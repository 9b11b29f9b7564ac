// Under test: an entry of a lock or a semaphore that comes when a combinator waits for it no more. Other code may have the same entry, so
// that no combinator releases it; and `withTimeout` ends the wait, so that none comes.
module Plait.Tests.LateEntries

open System
open System.Threading
open System.Threading.Tasks
open Xunit
open Plait

let private short = TimeSpan.FromMilliseconds 1.

/// Waits for an entry of a Task that end before it comes.
let private shared: (string * (Task<AsyncReleaser> -> Task)) list =
    [
        "Task.timeout", (fun entering -> entering |> Task.timeout short :> Task)
        "ValueTask.timeout",
        (fun entering -> (ValueTask<AsyncReleaser> entering |> ValueTask.timeout short).AsTask())
        "PooledValueTask.timeout of Preserve",
        (fun entering ->
            let operation = ValueTask<AsyncReleaser> entering
            (operation.Preserve() |> PooledValueTask.timeout short).AsTask())
        "PooledValueTask.timeout of a function",
        (fun entering -> (pooledValueTask { return! entering } |> PooledValueTask.timeout short).AsTask())
        "PooledValueTask.abandonAfter",
        (fun entering ->
            (PooledValueTask.abandonAfter short (fun _ -> ValueTask<AsyncReleaser> entering)).AsTask())
        "PooledValueTask.whenAny",
        (fun entering ->
            (PooledValueTask.whenAny
                [
                    ValueTask.FromException<AsyncReleaser>(TimeoutException())
                    ValueTask<AsyncReleaser> entering
                ])
                .AsTask())
        "and! with a cancelled token",
        (fun entering ->
            use source = new CancellationTokenSource()

            let code =
                cancellableTask {
                    source.Cancel()
                    let! a = entering.ConfigureAwait false
                    and! b = fun (_: CancellationToken) -> Task.FromResult 1
                    a.Dispose()
                    return b
                }

            code source.Token)
    ]

let sharedNames: TheoryData<string> = TheoryData<string>(List.map fst shared)

let private wait (name: string) =
    shared |> List.find (fst >> (=) name) |> snd

/// What runs behind all that waits for the Task until now.
let private behind (entering: Task) : Task =
    entering.ContinueWith((fun (_: Task) -> ()), TaskContinuationOptions.ExecuteSynchronously)

[<Theory; MemberData(nameof sharedNames)>]
let ``a late entry stays with its owner`` (name: string) =
    let gate = new AsyncLock()
    let held = (gate.Enter()).Result
    let entering = (gate.Enter()).AsTask()
    Within.error name (wait name entering) |> ignore
    let late = behind entering
    held.Dispose()
    Within.result "the late entry" (task { do! late })
    Assert.True gate.IsHeld
    (Within.result "the entry" entering).Dispose()
    Assert.False gate.IsHeld

[<Theory; MemberData(nameof sharedNames)>]
let ``a late entry that its owner has released is left alone`` (name: string) =
    let gate = new AsyncLock()
    let held = (gate.Enter()).Result
    let entering = (gate.Enter()).AsTask()

    let owner =
        task {
            use! _ = entering
            return gate.IsHeld
        }

    Within.error name (wait name entering) |> ignore
    let late = behind entering
    held.Dispose()
    Assert.True(Within.result "the owner" owner)
    Within.result "the late entry" (task { do! late })
    use _ = Within.result "the next entry" ((gate.Enter()).AsTask())
    Assert.True gate.IsHeld

[<Fact>]
let ``whenAny returns the first entry also where another operation has none`` () =
    let gate = new AsyncLock()

    let first =
        PooledValueTask.whenAny [ gate.Enter(); ValueTask<AsyncReleaser>(Unchecked.defaultof<AsyncReleaser>) ]

    (Within.result "whenAny" (first.AsTask())).Dispose()
    Assert.False gate.IsHeld

/// Waits with a time limit for what is held: their name, the wait, what ends the hold, and whether nothing was taken afterwards.
let private limited: (string * (unit -> Task * (unit -> unit) * (unit -> bool))) list =
    [
        "AsyncLock.Enter",
        (fun () ->
            let gate = new AsyncLock()
            let held = (gate.Enter()).Result
            let wait = PooledValueTask.withTimeout short (fun token -> gate.Enter token)
            wait.AsTask(), held.Dispose, (fun () -> not gate.IsHeld))
        "AsyncSemaphore.Enter",
        (fun () ->
            let slots = new AsyncSemaphore(1)
            let held = (slots.Enter()).Result
            let wait = PooledValueTask.withTimeout short (fun token -> slots.Enter token)
            wait.AsTask(), held.Dispose, (fun () -> slots.CurrentCount = 1))
        "AsyncSemaphore.Wait",
        (fun () ->
            let slots = new AsyncSemaphore(0, 1)
            let wait = PooledValueTaskUnit.withTimeout short (fun token -> slots.Wait token)
            wait.AsTask(), (fun () -> slots.Release() |> ignore), (fun () -> slots.CurrentCount = 1))
        "AsyncAutoResetEvent.Wait",
        (fun () ->
            let event = new AsyncAutoResetEvent()
            let wait = PooledValueTaskUnit.withTimeout short (fun token -> event.Wait token)
            wait.AsTask(), event.Set, (fun () -> (event.Wait()).IsCompleted))
    ]

let limitedNames: TheoryData<string> = TheoryData<string>(List.map fst limited)

[<Theory; MemberData(nameof limitedNames)>]
let ``withTimeout ends the wait, and nothing is taken later`` (name: string) =
    let wait, release, isFree = (limited |> List.find (fst >> (=) name) |> snd) ()
    Assert.IsType<TimeoutException>(Within.error name wait) |> ignore
    release ()
    Assert.True(isFree ())
