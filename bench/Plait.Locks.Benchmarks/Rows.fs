// The rows of the suites: every lock, as a way to enter and to release that is written alike for all.
module Plait.Benchmarks.Rows

open System
open System.Threading
open System.Threading.Tasks
open Plait

/// The title of the report, and the command that renews it.
let title, renew =
    "Locks and events, in turn, by the time of the processor", "make bench"

/// One lock.
type Gate =
    {
        Name: string
        /// Enters and releases, so many times.
        Free: int -> Task
        /// Enters, yields, releases: operations that come meanwhile have to wait.
        Visit: unit -> ValueTask
        /// Waits while somebody holds it, until the token is cancelled.
        GiveUp: CancellationToken -> ValueTask
        /// Has somebody hold it from now on.
        Hold: unit -> unit
    }

let private slim =
    let gate = new SemaphoreSlim(1, 1)
    let held = new SemaphoreSlim(0, 1)

    {
        Name = "SemaphoreSlim"
        Free =
            fun count ->
                pooledTaskUnit {
                    for _ in 1..count do
                        do! gate.WaitAsync()
                        gate.Release() |> ignore
                }
        Visit =
            fun () ->
                pooledValueTaskUnit {
                    do! gate.WaitAsync()
                    do! Task.Yield()
                    gate.Release() |> ignore
                }
        GiveUp =
            fun token ->
                pooledValueTaskUnit {
                    try
                        do! held.WaitAsync token
                    with :? OperationCanceledException ->
                        ()
                }
        Hold = ignore
    }

/// A lock of ours: `enter` is for the one that is free, `enterHeld` for the one that `hold` takes.
let inline private ofReleasers
    (name: string)
    (hold: unit -> unit)
    ([<InlineIfLambda>] enter: unit -> ValueTask<AsyncReleaser>)
    ([<InlineIfLambda>] enterHeld: CancellationToken -> ValueTask<AsyncReleaser>)
    : Gate =
    {
        Name = name
        Free =
            fun count ->
                pooledTaskUnit {
                    for _ in 1..count do
                        let! releaser = enter ()
                        releaser.Dispose()
                }
        Visit =
            fun () ->
                pooledValueTaskUnit {
                    let! releaser = enter ()
                    do! Task.Yield()
                    releaser.Dispose()
                }
        GiveUp =
            fun token ->
                pooledValueTaskUnit {
                    try
                        let! _ = enterHeld token
                        ()
                    with :? OperationCanceledException ->
                        ()
                }
        Hold = hold
    }

let private ours =
    let gate = new AsyncLock()
    let held = new AsyncLock()

    ofReleasers "AsyncLock" (fun () -> held.TryEnter() |> ignore) (fun () -> gate.Enter()) (fun token ->
        held.Enter token)

let private oursCounted =
    let gate = new AsyncSemaphore(1)
    let held = new AsyncSemaphore(0, 1)
    ofReleasers "AsyncSemaphore" ignore (fun () -> gate.Enter()) (fun token -> held.Enter token)

let private dotNext =
    let gate = new DotNext.Threading.AsyncExclusiveLock()
    let held = new DotNext.Threading.AsyncExclusiveLock()

    {
        Name = "DotNext AsyncExclusiveLock"
        Free =
            fun count ->
                pooledTaskUnit {
                    for _ in 1..count do
                        do! gate.AcquireAsync CancellationToken.None
                        gate.Release()
                }
        Visit =
            fun () ->
                pooledValueTaskUnit {
                    do! gate.AcquireAsync CancellationToken.None
                    do! Task.Yield()
                    gate.Release()
                }
        GiveUp =
            fun token ->
                pooledValueTaskUnit {
                    try
                        do! held.AcquireAsync token
                    with :? OperationCanceledException ->
                        ()
                }
        Hold = fun () -> held.TryAcquire() |> ignore
    }

let private nito =
    let gate = Nito.AsyncEx.AsyncLock()
    let held = Nito.AsyncEx.AsyncLock()

    {
        Name = "Nito AsyncLock"
        Free =
            fun count ->
                pooledTaskUnit {
                    for _ in 1..count do
                        let! releaser = gate.LockAsync()
                        releaser.Dispose()
                }
        Visit =
            fun () ->
                pooledValueTaskUnit {
                    let! releaser = gate.LockAsync()
                    do! Task.Yield()
                    releaser.Dispose()
                }
        GiveUp =
            fun token ->
                pooledValueTaskUnit {
                    try
                        let! _ = held.LockAsync token
                        ()
                    with :? OperationCanceledException ->
                        ()
                }
        Hold = fun () -> held.Lock() |> ignore
    }

/// Every lock, the base first.
let gates = [ slim; ours; oursCounted; dotNext; nito ]

/// One of several readers: the cost of a lock for readers and writers.
let reader =
    let gate = new DotNext.Threading.AsyncReaderWriterLock()

    {
        Name = "DotNext AsyncReaderWriterLock, a reader"
        Run =
            fun count ->
                pooledTaskUnit {
                    for _ in 1..count do
                        do! gate.EnterReadLockAsync CancellationToken.None
                        gate.Release()
                }
    }

/// An event: how an operation waits for it, and how another lets it through.
type Signal =
    {
        Name: string
        Set: unit -> unit
        Wait: unit -> ValueTask
        /// Makes those wait that come from now on; for an event that stays set.
        Reset: unit -> unit
    }

/// Events for one operation at a time, the base first.
let signals () =
    let slim = new SemaphoreSlim 0
    let ours = new AsyncAutoResetEvent()
    let dotNext = new DotNext.Threading.AsyncAutoResetEvent false
    let nito = Nito.AsyncEx.AsyncAutoResetEvent()

    [
        {
            Name = "SemaphoreSlim"
            Set = fun () -> slim.Release() |> ignore
            Wait = fun () -> ValueTask(slim.WaitAsync())
            Reset = ignore
        }
        {
            Name = "AsyncAutoResetEvent"
            Set = ours.Set
            Wait = fun () -> ours.Wait()
            Reset = ignore
        }
        {
            Name = "DotNext AsyncAutoResetEvent"
            Set = fun () -> dotNext.Set() |> ignore
            Wait = fun () -> dotNext.WaitAsync CancellationToken.None
            Reset = ignore
        }
        {
            Name = "Nito AsyncAutoResetEvent"
            Set = nito.Set
            Wait = fun () -> ValueTask(nito.WaitAsync())
            Reset = ignore
        }
    ]

/// Events for all that wait, the base first.
let broadcasts () =
    let fresh () =
        TaskCompletionSource TaskCreationOptions.RunContinuationsAsynchronously

    let source = ref (fresh ())

    let ours = new AsyncManualResetEvent()
    let dotNext = new DotNext.Threading.AsyncManualResetEvent false
    let nito = Nito.AsyncEx.AsyncManualResetEvent()

    [
        {
            Name = "TaskCompletionSource"
            Set = fun () -> source.Value.SetResult()
            Wait = fun () -> ValueTask source.Value.Task
            Reset = fun () -> source.Value <- fresh ()
        }
        {
            Name = "AsyncManualResetEvent"
            Set = ours.Set
            Wait = fun () -> ours.Wait()
            Reset = ours.Reset
        }
        {
            Name = "DotNext AsyncManualResetEvent"
            Set = fun () -> dotNext.Set() |> ignore
            Wait = fun () -> dotNext.WaitAsync CancellationToken.None
            Reset = fun () -> dotNext.Reset() |> ignore
        }
        {
            Name = "Nito AsyncManualResetEvent"
            Set = nito.Set
            Wait = fun () -> ValueTask(nito.WaitAsync())
            Reset = nito.Reset
        }
    ]
