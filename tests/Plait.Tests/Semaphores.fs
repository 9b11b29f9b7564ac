// Under test: AsyncSemaphore: how many are inside, the order of those that wait, permits with a releaser and by hand,
// cancellation, many threads, wrong use.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait

module Semaphores =
    let private never = CancellationToken.None

    let private hold (semaphore: AsyncSemaphore) : AsyncReleaser =
        let entered = semaphore.Enter()
        Assert.True entered.IsCompletedSuccessfully
        entered.Result

    [<Fact>]
    let ``as many are inside as there are permits, and the next one waits`` () =
        let semaphore = new AsyncSemaphore(3)
        Assert.Equal(3, semaphore.MaxCount)
        let inside = [ for _ in 1..3 -> hold semaphore ]
        Assert.Equal(0, semaphore.CurrentCount)
        let fourth = semaphore.Enter never
        Assert.False fourth.IsCompleted
        inside[1].Dispose()
        Assert.True fourth.IsCompletedSuccessfully
        inside[0].Dispose()
        inside[2].Dispose()
        Assert.Equal(2, semaphore.CurrentCount)
        fourth.Result.Dispose()
        Assert.Equal(3, semaphore.CurrentCount)

    [<Fact>]
    let ``a release lets the longest wait go first, with a releaser or without`` () =
        let semaphore = new AsyncSemaphore(0, 10)
        let order = List<int>()

        let visits =
            [
                for me in 1..10 ->
                    (pooledTask {
                        if me % 2 = 0 then
                            do! semaphore.Wait never
                        else
                            let! _ = semaphore.Enter never
                            ()

                        lock order (fun () -> order.Add me)
                    })
                    :> Task
            ]

        semaphore.Release()
        Within.ended "The first" visits[0]
        semaphore.Release 2
        Within.ended "The second and the third" (Task.WhenAll [ visits[1]; visits[2] ])
        Assert.Equal<int>([ 1; 2; 3 ], Seq.sort order)
        Assert.False(visits[3].IsCompleted)
        semaphore.Release 7
        Within.ended "All" (Task.WhenAll visits)
        Assert.Equal(0, semaphore.CurrentCount)

    [<Fact>]
    let ``a release of more permits than waits leaves the rest free`` () =
        let semaphore = new AsyncSemaphore(0, 5)
        let first = semaphore.Wait never
        let second = semaphore.Wait never
        semaphore.Release 5
        Assert.True first.IsCompletedSuccessfully
        Assert.True second.IsCompletedSuccessfully
        Assert.Equal(3, semaphore.CurrentCount)
        first.GetAwaiter().GetResult()
        second.GetAwaiter().GetResult()

    [<Fact>]
    let ``TryWait and TryEnter take a free permit, and fail at once if none is free`` () =
        let semaphore = new AsyncSemaphore(2)
        Assert.True(semaphore.TryWait())

        match semaphore.TryEnter() with
        | true, releaser ->
            Assert.False(semaphore.TryWait())
            Assert.False(fst (semaphore.TryEnter()))
            releaser.Dispose()
        | _ -> Assert.Fail "A free permit was not taken."

        semaphore.Release()
        Assert.Equal(2, semaphore.CurrentCount)

    [<Fact>]
    let ``a cancelled wait takes no permit, and leaves its place to the next`` () =
        let semaphore = new AsyncSemaphore(1)
        let first = hold semaphore
        use source = new CancellationTokenSource()
        let cancelled = (semaphore.Enter source.Token).AsTask()
        let counted = (semaphore.Wait source.Token).AsTask()
        let behind = (semaphore.Enter never).AsTask()
        source.Cancel()

        for wait in [ cancelled :> Task; counted ] do
            let error = Within.error "A cancelled wait" wait

            Assert.Equal(
                source.Token,
                (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken
            )

        first.Dispose()
        (Within.result "The wait behind" behind).Dispose()
        Assert.Equal(1, semaphore.CurrentCount)

        let refused =
            Within.error "A wait with a cancelled token" ((semaphore.Enter(CancellationToken true)).AsTask())

        Assert.IsAssignableFrom<OperationCanceledException> refused |> ignore
        Assert.Equal(1, semaphore.CurrentCount)

    [<Fact>]
    let ``many threads keep the bound, with cancellations between, and no permit is lost`` () =
        let semaphore = new AsyncSemaphore(3)
        let mutable inside = 0
        let mutable most = 0
        let mutable wrong = 0
        let mutable entered = 0

        let visit (_: Random) (token: CancellationToken) : Task =
            task {
                use! _ = semaphore.Enter token
                let now = Interlocked.Increment &inside

                if now > 3 then
                    Interlocked.Increment &wrong |> ignore

                most <- max most now
                do! Task.Yield()
                Interlocked.Decrement &inside |> ignore
                Interlocked.Increment &entered |> ignore
            }

        let given = Contention.run 12 1_000 3 visit
        Assert.Equal(0, wrong)
        Assert.Equal(12_000, entered + given)
        Assert.Equal(3, semaphore.CurrentCount)

    [<Fact>]
    let ``a releaser that is disposed twice is an error, also when its object serves another holder`` () =
        let semaphore = new AsyncSemaphore(2)
        let first = hold semaphore
        first.Dispose()
        let second = hold semaphore
        let third = hold semaphore

        let error = Assert.Throws<InvalidOperationException>(fun () -> first.Dispose())
        Assert.Contains("second time", error.Message)
        Assert.Equal(0, semaphore.CurrentCount)
        second.Dispose()
        third.Dispose()
        Assert.Equal(2, semaphore.CurrentCount)

    [<Fact>]
    let ``a release without an entry is an error, and changes nothing`` () =
        let semaphore = new AsyncSemaphore(2)
        let error = Assert.Throws<SemaphoreFullException>(fun () -> semaphore.Release())
        Assert.Contains("Release without a Wait", error.Message)
        Assert.Contains("MaxCount, which is 2", error.Message)
        Assert.Equal(2, semaphore.CurrentCount)
        Assert.True(semaphore.TryWait())
        Assert.Throws<SemaphoreFullException>(fun () -> semaphore.Release 2) |> ignore
        Assert.Equal(1, semaphore.CurrentCount)

        for count in [ 0; -1 ] do
            let error =
                Assert.Throws<ArgumentOutOfRangeException>(fun () -> semaphore.Release count)

            Assert.Contains($"has {count}.", error.Message)

    [<Theory; InlineData(-1, 1); InlineData(0, 0); InlineData(3, 2)>]
    let ``counts out of range are refused`` (initial: int) (most: int) =
        let error =
            Assert.Throws<ArgumentOutOfRangeException>(fun () -> new AsyncSemaphore(initial, most) |> ignore)

        Assert.Contains($"they are {most} and {initial}", error.Message)

    [<Fact>]
    let ``a semaphore in use is not disposed, and a disposed one refuses later entries`` () =
        let semaphore = new AsyncSemaphore(2)
        let first = hold semaphore
        let error = Assert.Throws<InvalidOperationException>(fun () -> semaphore.Dispose())
        Assert.Contains("AsyncSemaphore was disposed while", error.Message)
        first.Dispose()
        semaphore.Dispose()

        for wait in [ (semaphore.Enter never).AsTask() :> Task; (semaphore.Wait never).AsTask() ] do
            let refused = Within.error "A refused wait" wait
            Assert.Equal("AsyncSemaphore", (Assert.IsType<ObjectDisposedException> refused).ObjectName)

        Assert.Throws<ObjectDisposedException>(fun () -> semaphore.Release()) |> ignore
        Assert.Throws<ObjectDisposedException>(fun () -> semaphore.TryWait() |> ignore) |> ignore

        // nothing is out, and one waits
        let signals = new AsyncSemaphore(0, 5)
        let wait = signals.Wait never
        Assert.Throws<InvalidOperationException>(fun () -> signals.Dispose()) |> ignore
        signals.Release()
        wait.GetAwaiter().GetResult()
        signals.Dispose()
