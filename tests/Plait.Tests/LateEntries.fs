// Under test: an entry of a lock or a semaphore that comes when nobody waits for it any more, in each combinator that drops a late
// result; and that the entry of a Task, which others may await, is left to them.
module Plait.Tests.LateEntries

open System
open System.Threading
open System.Threading.Tasks
open Xunit
open Plait

let private short = TimeSpan.FromMilliseconds 1.

type private Enter = unit -> ValueTask<AsyncReleaser>

/// Waits that end before the entry: their name, and a Task that ends when nobody waits any more.
let private forms: (string * (Enter -> Task)) list =
    [
        "PooledValueTask.timeout", (fun enter -> (enter () |> PooledValueTask.timeout short).AsTask())
        "ValueTask.timeout", (fun enter -> (enter () |> ValueTask.timeout short).AsTask())
        "PooledValueTask.timeout of no time",
        (fun enter ->
            task {
                let! _ = enter () |> PooledValueTask.timeout TimeSpan.Zero
                return ()
            })
        "Strand.timeout",
        (fun enter -> pooledTask { return! strand { return! enter () } |> Strand.timeout short })
        "C#'s Timeout", (fun enter -> ValueTaskCombinators.Timeout(enter (), short).AsTask())
        "PooledValueTask.abandonAfter",
        (fun enter -> (PooledValueTask.abandonAfter short (fun _ -> enter ())).AsTask())
        "PooledValueTask.whenAny",
        (fun enter ->
            (PooledValueTask.whenAny
                [ ValueTask<AsyncReleaser>(Unchecked.defaultof<AsyncReleaser>); enter () ])
                .AsTask())
        "cancellableTask, a cancelled token beside a function",
        (fun enter ->
            use source = new CancellationTokenSource()

            let code =
                cancellableTask {
                    source.Cancel()
                    let! a = enter ()
                    and! b = fun (_: CancellationToken) -> Task.FromResult 1
                    a.Dispose()
                    return b
                }

            code source.Token)
    ]

let names: TheoryData<string, string> =
    let rows = TheoryData<string, string>()

    for name, _ in forms do
        rows.Add(name, "AsyncLock")
        rows.Add(name, "AsyncSemaphore")

    rows

[<Theory; MemberData(nameof names)>]
let ``an entry that comes when nobody waits for it is released`` (name: string) (kind: string) =
    let form = forms |> List.find (fst >> (=) name) |> snd
    let gate = new AsyncLock()
    let slots = new AsyncSemaphore(1)
    let isLock = kind = "AsyncLock"

    let enter () =
        if isLock then gate.Enter() else slots.Enter()

    let isFree () =
        if isLock then not gate.IsHeld else slots.CurrentCount = 1

    let held = (enter ()).Result
    let ended = form enter

    if not (name.EndsWith "whenAny") then
        Within.error name ended |> ignore

    Assert.False(isFree ())
    held.Dispose()
    Within.comes "the lock is free" isFree

[<Fact>]
let ``an entry of a Task is left to the others that await it`` () =
    let gate = new AsyncLock()
    let held = (gate.Enter()).Result
    let entering = (gate.Enter()).AsTask()
    Within.error "Task.timeout" (entering |> Task.timeout short) |> ignore
    held.Dispose()
    let late = Within.result "the late entry" entering
    Assert.True gate.IsHeld
    late.Dispose()
    Assert.False gate.IsHeld

[<Fact>]
let ``withTimeout ends the wait, and enters nothing later`` () =
    let gate = new AsyncLock()
    let held = (gate.Enter()).Result

    let error =
        Within.error
            "withTimeout"
            ((PooledValueTask.withTimeout short (fun token -> gate.Enter token)).AsTask())

    Assert.IsType<TimeoutException> error |> ignore
    held.Dispose()
    Assert.False gate.IsHeld
