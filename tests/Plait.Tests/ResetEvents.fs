// Under test: AsyncManualResetEvent and AsyncAutoResetEvent: who goes through, in which order, cancellation, many threads, wrong
// use.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait

module ResetEvents =
    let private never = CancellationToken.None

    [<Fact>]
    let ``a manual-reset event lets all through while it is set`` () =
        let event = new AsyncManualResetEvent()
        Assert.False event.IsSet
        let waits = [ for _ in 1..5 -> event.Wait never ]
        Assert.All(waits, (fun wait -> Assert.False wait.IsCompleted))
        event.Set()
        event.Set()

        for wait in waits do
            Assert.True wait.IsCompletedSuccessfully
            wait.GetAwaiter().GetResult()

        Assert.True((event.Wait()).IsCompletedSuccessfully)
        event.Reset()
        Assert.False event.IsSet
        let behind = event.Wait()
        Assert.False behind.IsCompleted
        event.Set()
        behind.GetAwaiter().GetResult()
        Assert.True((new AsyncManualResetEvent(true)).IsSet)

    [<Fact>]
    let ``an auto-reset event lets one through each time that it is set, the oldest first`` () =
        let event = new AsyncAutoResetEvent()
        let waits = [ for _ in 1..3 -> (event.Wait never).AsTask() ]

        for me in 0..2 do
            event.Set()
            Within.ended $"Wait {me}" waits[me]
            Assert.Equal(me + 1, waits |> List.filter _.IsCompleted |> List.length)

        Assert.False event.IsSet
        event.Set()
        event.Set()
        Assert.True event.IsSet
        Assert.True((event.Wait()).IsCompletedSuccessfully)
        let next = event.Wait()
        Assert.False next.IsCompleted
        event.Set()
        next.GetAwaiter().GetResult()

    [<Fact>]
    let ``the signal of an auto-reset event is taken back`` () =
        let event = new AsyncAutoResetEvent(true)
        Assert.True(event.Reset())
        Assert.False(event.Reset())
        Assert.False((event.Wait()).IsCompleted)

    [<Fact>]
    let ``waits that a manual-reset event lets through continue in their order`` () =
        let order: int list =
            HomeContext.Run(
                "The visits",
                fun _ ->
                    let event = new AsyncManualResetEvent()
                    let order = List<int>()

                    let visit me =
                        pooledTask {
                            do! event.Wait never
                            order.Add me
                        }

                    let visits = [ for me in 1..50 -> visit me :> Task ]
                    event.Set()

                    task {
                        do! Task.WhenAll visits
                        return List.ofSeq order
                    }
            )

        Assert.Equal<int list>([ 1..50 ], order)

    [<Fact>]
    let ``a cancelled wait uses up no signal`` () =
        let auto = new AsyncAutoResetEvent()
        let manual = new AsyncManualResetEvent()
        use source = new CancellationTokenSource()

        let cancelled =
            [ (auto.Wait source.Token).AsTask(); (manual.Wait source.Token).AsTask() ]

        let behind = (auto.Wait never).AsTask()
        source.Cancel()

        for wait in cancelled do
            let error = Within.error "A cancelled wait" wait

            Assert.Equal(
                source.Token,
                (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken
            )

        auto.Set()
        Within.ended "The wait behind" behind
        Assert.False auto.IsSet
        manual.Set()

        let set = new AsyncAutoResetEvent(true)

        let refused =
            Within.error "A cancelled token" ((set.Wait(CancellationToken true)).AsTask())

        Assert.IsAssignableFrom<OperationCanceledException> refused |> ignore
        Assert.True set.IsSet

    [<Fact>]
    let ``a set does not run the waiter's code`` () =
        let event = new AsyncAutoResetEvent()
        use go = new ManualResetEventSlim(false)

        let visit =
            pooledTask {
                do! event.Wait never
                // inside Set this would never end
                go.Wait()
            }

        event.Set()
        go.Set()
        Within.ended "The visit" visit

    [<Fact>]
    let ``two operations that alternate by two events lose no signal`` () =
        let ping = new AsyncAutoResetEvent()
        let pong = new AsyncAutoResetEvent()
        let mutable turns = 0

        let first =
            task {
                for _ in 1..20_000 do
                    ping.Set()
                    do! pong.Wait never
            }

        let second =
            task {
                for _ in 1..20_000 do
                    do! ping.Wait never
                    turns <- turns + 1
                    pong.Set()
            }

        Within.ended "Both" (Task.WhenAll [ first :> Task; second ])
        Assert.Equal(20_000, turns)

    [<Fact>]
    let ``an event with a wait is not disposed, and a disposed one refuses later waits`` () =
        let auto = new AsyncAutoResetEvent()
        let manual = new AsyncManualResetEvent()

        for name, dispose, wait, set in
            [
                "AsyncAutoResetEvent", auto.Dispose, (fun () -> auto.Wait never), auto.Set
                "AsyncManualResetEvent", manual.Dispose, (fun () -> manual.Wait never), manual.Set
            ] do
            let pending = wait ()
            let error = Assert.Throws<InvalidOperationException>(dispose)
            Assert.Contains($"{name} was disposed while", error.Message)
            set ()
            pending.GetAwaiter().GetResult()
            dispose ()
            dispose ()
            let refused = Within.error "A refused wait" ((wait ()).AsTask())
            Assert.Equal(name, (Assert.IsType<ObjectDisposedException> refused).ObjectName)
            Assert.Throws<ObjectDisposedException>(set) |> ignore
