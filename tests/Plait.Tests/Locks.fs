// Under test: AsyncLock: who enters and in which order, a token that is cancelled before, while and after waiting, where a waiter
// goes on, many threads, wrong use; and every builder that takes its releaser under `use!`.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Programs

module Locks =
    let private never = CancellationToken.None

    let private hold (gate: AsyncLock) : AsyncReleaser =
        let entered = gate.Enter()
        Assert.True entered.IsCompletedSuccessfully
        entered.Result

    let private enter (gate: AsyncLock) (token: CancellationToken) : Task<AsyncReleaser> =
        (gate.Enter token).AsTask()

    let private released (entered: Task<AsyncReleaser>) =
        (Within.result "The wait" entered).Dispose()

    [<Fact>]
    let ``one operation is inside at a time, and a free lock is entered at once`` () =
        let gate = new AsyncLock()
        Assert.False gate.IsHeld
        let first = hold gate
        Assert.True gate.IsHeld
        let second = gate.Enter never
        Assert.False second.IsCompleted
        first.Dispose()
        Assert.True second.IsCompletedSuccessfully
        Assert.True gate.IsHeld
        second.Result.Dispose()
        Assert.False gate.IsHeld

    [<Fact>]
    let ``operations enter in the order of their waits`` () =
        let gate = new AsyncLock()
        let first = hold gate
        let order = List<int>()

        let visits =
            [
                for me in 1..100 ->
                    (pooledTask {
                        use! _ = gate.Enter never
                        order.Add me
                        // who comes behind would overtake here
                        if me % 3 = 0 then
                            do! Task.Yield()
                    })
                    :> Task
            ]

        first.Dispose()
        Within.ended "All visits" (Task.WhenAll visits)
        Assert.Equal<int>([ 1..100 ], order)

    [<Fact>]
    let ``a lock that is handed over is not free in between`` () =
        let gate = new AsyncLock()
        let first = hold gate
        let second = enter gate never
        first.Dispose()
        let mutable releaser = Unchecked.defaultof<AsyncReleaser>
        Assert.False(gate.TryEnter(&releaser))
        released second
        Assert.True(gate.TryEnter(&releaser))
        releaser.Dispose()

    [<Fact>]
    let ``TryEnter takes a free lock and leaves a held one`` () =
        let gate = new AsyncLock()

        match gate.TryEnter() with
        | true, releaser ->
            Assert.False(fst (gate.TryEnter()))
            releaser.Dispose()
        | _ -> Assert.Fail "A free lock was not entered."

        Assert.False gate.IsHeld

    [<Fact>]
    let ``a token that is already cancelled is refused, also if the lock is free`` () =
        let gate = new AsyncLock()
        let cancelled = CancellationToken true
        let wait = enter gate cancelled
        let error = Within.error "The wait" wait
        Assert.Equal(cancelled, (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken)
        Assert.True wait.IsCanceled
        Assert.False gate.IsHeld

    [<Fact>]
    let ``a token that is cancelled while it waits takes the wait out of the queue, and the others keep their order``
        ()
        =
        let gate = new AsyncLock()
        let first = hold gate
        use source = new CancellationTokenSource()
        let before = enter gate never
        let cancelled = enter gate source.Token
        let behind = enter gate never
        source.Cancel()
        let error = Within.error "The cancelled wait" cancelled

        Assert.Equal(
            source.Token,
            (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken
        )

        Assert.False before.IsCompleted
        first.Dispose()
        Assert.False behind.IsCompleted
        released before
        released behind
        Assert.False gate.IsHeld

    [<Fact>]
    let ``a token that is cancelled after the entry has no effect`` () =
        let gate = new AsyncLock()
        use source = new CancellationTokenSource()
        let first = hold gate
        let second = enter gate source.Token
        first.Dispose()
        source.Cancel()
        released second
        Assert.False gate.IsHeld

    [<Fact>]
    let ``when every wait was cancelled, the lock is free after its release`` () =
        let gate = new AsyncLock()
        let first = hold gate
        use source = new CancellationTokenSource()
        let waits = [ for _ in 1..10 -> enter gate source.Token ]
        source.Cancel()

        for wait in waits do
            Within.error "A cancelled wait" wait |> ignore

        Assert.True gate.IsHeld
        first.Dispose()
        Assert.False gate.IsHeld
        (hold gate).Dispose()

    [<Fact>]
    let ``a release does not run the waiter's code`` () =
        let gate = new AsyncLock()
        let first = hold gate
        use go = new ManualResetEventSlim(false)

        let visit =
            pooledTask {
                use! _ = gate.Enter never
                // inside the release this would never end
                go.Wait()
                return Thread.CurrentThread.ManagedThreadId
            }

        first.Dispose()
        go.Set()
        Assert.NotEqual(Thread.CurrentThread.ManagedThreadId, Within.result "The visit" visit)

    [<Fact>]
    let ``a hundred thousand waits end without a deep stack`` () =
        let gate = new AsyncLock()
        let first = hold gate
        let mutable count = 0

        let visits =
            [|
                for _ in 1..100_000 ->
                    (pooledTask {
                        use! _ = gate.Enter never
                        count <- count + 1
                    })
                    :> Task
            |]

        // a stack that is small
        Within.thread "The release" (128 * 1024) first.Dispose
        Within.ended "All visits" (Task.WhenAll visits)
        Assert.Equal(100_000, count)
        Assert.False gate.IsHeld

    [<Fact>]
    let ``many threads exclude each other, with cancellations between`` () =
        let gate = new AsyncLock()
        let mutable inside = 0
        let mutable wrong = 0
        let mutable entered = 0

        let visit (random: Random) (token: CancellationToken) : Task =
            task {
                use! _ = gate.Enter token

                if Interlocked.Increment &inside <> 1 then
                    Interlocked.Increment &wrong |> ignore

                entered <- entered + 1

                if random.Next 8 = 0 then
                    do! Task.Yield()

                Interlocked.Decrement &inside |> ignore
            }

        let given = Contention.run 8 2_000 4 visit
        Assert.Equal(0, wrong)
        Assert.Equal(16_000, entered + given)
        Assert.False gate.IsHeld

    [<Fact>]
    let ``an operation that enters twice waits until another one releases`` () =
        let gate = new AsyncLock()
        let outer = hold gate

        let inner =
            (pooledValueTask {
                use! _ = gate.Enter never
                return 1
            })
                .AsTask()

        Assert.False inner.IsCompleted
        outer.Dispose()
        Assert.Equal(1, Within.result "The inner one" inner)

    [<Fact>]
    let ``a waiter continues in its own context, with its own AsyncLocals`` () =
        let local = AsyncLocal<int>()

        let isHome, value =
            HomeContext.Run(
                "The visit",
                fun home ->
                    let gate = new AsyncLock()
                    let first = hold gate
                    local.Value <- 5

                    let visit =
                        pooledTask {
                            use! _ = gate.Enter never
                            return home.IsHere, local.Value
                        }

                    Task.Run(fun () ->
                        local.Value <- 7
                        first.Dispose())
                    |> ignore

                    visit
            )

        Assert.True isHome
        Assert.Equal(5, value)

    [<Fact>]
    let ``the lock is released where the code inside throws`` () =
        let gate = new AsyncLock()

        let visit =
            pooledTask {
                use! _ = gate.Enter never
                do! Task.Yield()
                raise (FormatException())
            }

        Assert.IsType<FormatException>(Within.error "The visit" visit) |> ignore
        Assert.False gate.IsHeld

    [<Fact>]
    let ``a releaser that is disposed twice is an error, by a copy too, and the next holder keeps the lock``
        ()
        =
        let gate = new AsyncLock()
        let first = hold gate
        let copy = first
        let second = gate.Enter never
        first.Dispose()

        for again in [ first; copy ] do
            let error = Assert.Throws<InvalidOperationException>(fun () -> again.Dispose())
            Assert.Contains("second time", error.Message)
            Assert.Contains("docs/errors/released-twice.md", error.Message)

        Assert.True gate.IsHeld
        Assert.False(fst (gate.TryEnter()))
        second.Result.Dispose()
        Assert.False gate.IsHeld

    [<Fact>]
    let ``a default releaser is an error`` () =
        let error =
            Assert.Throws<InvalidOperationException>(fun () -> Unchecked.defaultof<AsyncReleaser>.Dispose())

        Assert.Contains("nothing was entered", error.Message)

    [<Fact>]
    let ``a lock is not disposed while it is in use, and later entries are refused`` () =
        let gate = new AsyncLock()
        let first = hold gate
        let error = Assert.Throws<InvalidOperationException>(fun () -> gate.Dispose())
        Assert.Contains("AsyncLock was disposed while", error.Message)
        let second = enter gate never
        Assert.Throws<InvalidOperationException>(fun () -> gate.Dispose()) |> ignore
        first.Dispose()
        Assert.Throws<InvalidOperationException>(fun () -> gate.Dispose()) |> ignore
        released second
        gate.Dispose()
        gate.Dispose()
        let refused = Within.error "The refused entry" (enter gate never)
        Assert.Equal("AsyncLock", (Assert.IsType<ObjectDisposedException> refused).ObjectName)
        Assert.Throws<ObjectDisposedException>(fun () -> gate.TryEnter() |> ignore) |> ignore
        Assert.False gate.IsHeld

    [<Fact>]
    let ``a wait is awaited once`` () =
        let gate = new AsyncLock()
        let first = hold gate
        let wait = gate.Enter never
        first.Dispose()
        use _ = wait.Result
        Assert.Throws<InvalidOperationException>(fun () -> wait.Result |> ignore) |> ignore

    /// Holds the lock until a release; whether it is held then.
    let private builders: (string * (AsyncLock -> Task -> Task<bool>)) list =
        let noted (holds: AsyncLock -> Task -> (bool -> unit) -> Task) gate release =
            let mutable isHeld = false
            let visit = holds gate release (fun held -> isHeld <- held)
            visit.ContinueWith(fun (_: Task) -> isHeld)

        [
            "strand", (fun gate release -> asTask (Strand.Consumed.holds gate release))
            "Guarded.strand", (fun gate release -> asTask (GuardedStrand.Consumed.holds gate release))
            "Unsafe.strand", (fun gate release -> asTask (UnsafeStrand.Consumed.holds gate release))
            "Unsafe.Bare.strand", (fun gate release -> asTask (BareStrand.Consumed.holds gate release))
            "NonAffine.strand", (fun gate release -> asTask (NonAffineStrand.Consumed.holds gate release))
            "pooledValueTask", (fun gate release -> asTask (PooledValueTasks.Consumed.holds gate release))
            "valueTask", (fun gate release -> asTask (ValueTasks.Consumed.holds gate release))
            "pooledTask", PooledTasks.Consumed.holds
            "pooledTaskUnit", noted PooledTaskUnits.Consumed.holds
            "Plait.Tasks.task", PlaitTasks.Consumed.holds
            "Plait.Tasks.backgroundTask", BackgroundTasks.Consumed.holds
            "FSharp.Core's task",
            fun gate release ->
                task {
                    use! _ = gate.Enter never
                    do! release
                    return gate.IsHeld
                }
            "async",
            fun gate release ->
                async {
                    use! _ = (gate.Enter never).AsTask() |> Async.AwaitTask
                    do! Async.AwaitTask release
                    return gate.IsHeld
                }
                |> Async.StartAsTask
        ]

    let builderNames: TheoryData<string> =
        let names = TheoryData<string>()

        for name, _ in builders do
            names.Add name

        names

    [<Theory; MemberData(nameof builderNames)>]
    let ``every builder holds the lock under use! until its scope ends`` (name: string) =
        let visit = builders |> List.find (fst >> (=) name) |> snd
        let gate = new AsyncLock()

        // entered at once, and after a wait
        for waits in [ false; true ] do
            let first = if waits then Some(hold gate) else None
            let release = TaskCompletionSource()
            let visiting = visit gate release.Task

            match first with
            | Some first ->
                Assert.False visiting.IsCompleted
                first.Dispose()
            | None -> ()

            Within.comes "the lock is held" (fun () -> gate.IsHeld)
            Assert.False visiting.IsCompleted
            release.SetResult()
            Assert.True(Within.result "The visit" visiting)
            Within.comes "the lock is free" (fun () -> not gate.IsHeld)
