// Under test: AsyncLazy: one attempt for all that await, failures that are kept or tried again, cancellation, every builder.
namespace Plait.Tests

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait

module LazyValues =

    [<Fact>]
    let ``the function is called when the value is first awaited, and once`` () =
        let mutable calls = 0
        let gate = TaskCompletionSource<int>()

        let value =
            AsyncLazy(fun () ->
                calls <- calls + 1
                gate.Task)

        Assert.Equal(0, calls)
        Assert.False value.IsStarted

        let readers =
            [
                (strand {
                    let! one = value
                    return one
                })
                    .AsTask()
                (pooledValueTask {
                    let! one = value
                    return one
                })
                    .AsTask()
                (valueTask {
                    let! one = value
                    return one
                })
                    .AsTask()
                pooledTask { return! value }
                Plait.Tasks.task {
                    let! one = value
                    return one
                }
                task {
                    let! one = value
                    return one
                }
                async { return! Async.AwaitTask value.Task } |> Async.StartAsTask
            ]

        Within.comes "it is called" (fun () -> calls = 1)
        Assert.True value.IsStarted
        gate.SetResult 7

        for reader in readers do
            Assert.Equal(7, Within.result "A reader" reader)

        Assert.Equal(7, value.Task.Result)
        Assert.Equal(1, calls)

    [<Fact>]
    let ``a failure is kept by default`` () =
        let mutable calls = 0

        let value =
            AsyncLazy<int>(fun () ->
                calls <- calls + 1
                task { return raise (FormatException()) })

        for _ in 1..3 do
            Assert.IsType<FormatException>(Within.error "An await" value.Task) |> ignore

        Assert.Equal(1, calls)

    [<Theory; InlineData false; InlineData true>]
    let ``the next await tries again after a failure`` (atOnce: bool) =
        let mutable calls = 0

        let value =
            AsyncLazy<int>(
                (fun () ->
                    calls <- calls + 1
                    let mine = calls

                    if mine < 3 && atOnce then
                        raise (FormatException())

                    task {
                        do! Task.Yield()

                        if mine < 3 then
                            raise (FormatException())

                        return mine
                    }),
                LazyFailure.Retry
            )

        for _ in 1..2 do
            Assert.IsType<FormatException>(Within.error "An await" value.Task) |> ignore
            Assert.False value.IsStarted

        Assert.Equal(3, Within.result "The third await" value.Task)
        Assert.Equal(3, value.Task.Result)
        Assert.Equal(3, calls)

    [<Fact>]
    let ``code that gets a failure may try again at once`` () =
        let mutable calls = 0
        let gate = TaskCompletionSource<int>()

        let value =
            AsyncLazy<int>(
                (fun () ->
                    calls <- calls + 1
                    if calls = 1 then gate.Task else Task.FromResult calls),
                LazyFailure.Retry
            )

        let reader =
            pooledTask {
                try
                    return! value
                with :? FormatException ->
                    return! value
            }

        gate.SetException(FormatException())
        Assert.Equal(2, Within.result "The reader" reader)

    [<Fact>]
    let ``a cancellation of the function is a failure, with its token`` () =
        use source = new CancellationTokenSource()
        source.Cancel()

        for failure in [ LazyFailure.Keep; LazyFailure.Retry ] do
            let value = AsyncLazy<int>((fun () -> Task.FromCanceled<int> source.Token), failure)
            let wait = value.Task
            let error = Within.error "The await" wait
            Assert.True wait.IsCanceled

            Assert.Equal(
                source.Token,
                (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken
            )

            Assert.Equal((failure = LazyFailure.Keep), value.IsStarted)

    [<Fact>]
    let ``each await gets the very exception of the function`` () =
        let thrown: exn list =
            [
                TaskCanceledException(
                    "of a request",
                    TimeoutException "it took too long",
                    CancellationToken.None
                )
                FormatException "mine"
            ]

        for error in thrown do
            for failure in [ LazyFailure.Keep; LazyFailure.Retry ] do
                for manner in [ "throws"; "gives"; "later" ] do
                    let gate = TaskCompletionSource()

                    let make () : Task<int> =
                        match manner with
                        | "throws" -> raise error
                        | "gives" -> Task.FromException<int> error
                        | _ ->
                            task {
                                do! gate.Task
                                return raise error
                            }

                    let value = AsyncLazy<int>(make, failure)

                    let waits =
                        [
                            value.Task
                            if manner = "later" then
                                value.Task
                        ]

                    gate.SetResult()

                    for wait in waits do
                        Assert.Same(error, Within.error manner wait)

    [<Theory; InlineData false; InlineData true>]
    let ``an await that comes while the function runs does not continue inside the read of another thread``
        (fails: bool)
        =
        for failure in [ LazyFailure.Keep; LazyFailure.Retry ] do
            let error = OperationCanceledException "mine"
            use begun = new ManualResetEventSlim()
            use joined = new ManualResetEventSlim()

            let value =
                AsyncLazy<int>(
                    (fun () ->
                        begun.Set()
                        joined.Wait()
                        if fails then raise error else Task.FromResult 1),
                    failure
                )

            use isRead = new ManualResetEventSlim()
            let mutable first = Unchecked.defaultof<Task<int>>

            let reader =
                Thread(fun () ->
                    first <- value.Task
                    isRead.Set())

            reader.Start()
            begun.Wait()
            let second = value.Task
            Assert.True value.IsStarted
            Assert.Same(second, value.Task)

            // would be for ever in the reader's thread, inside its read
            let rest =
                second.ContinueWith(
                    (fun (_: Task<int>) -> isRead.Wait()),
                    CancellationToken.None,
                    TaskContinuationOptions.ExecuteSynchronously,
                    TaskScheduler.Default
                )

            joined.Set()
            Within.ended "the continuation" rest
            reader.Join()

            for task in [ first; second ] do
                if fails then
                    Assert.Same(error, Within.error "a read" task)
                else
                    Assert.Equal(1, Within.result "a read" task)

            Assert.Equal((failure = LazyFailure.Keep || not fails), value.IsStarted)

    [<Fact>]
    let ``a token ends one wait, and not the function`` () =
        let gate = TaskCompletionSource<int>()
        let value = AsyncLazy<int>(fun () -> gate.Task)
        use source = new CancellationTokenSource()
        let impatient = value.WaitAsync source.Token
        let patient = value.WaitAsync CancellationToken.None
        source.Cancel()

        Assert.IsAssignableFrom<OperationCanceledException>(Within.error "The impatient one" impatient)
        |> ignore

        Assert.False patient.IsCompleted
        gate.SetResult 1
        Assert.Equal(1, Within.result "The patient one" patient)

    [<Fact>]
    let ``many threads get the value of one attempt`` () =
        for _ in 1..200 do
            let mutable calls = 0

            let value =
                AsyncLazy(fun () ->
                    Interlocked.Increment &calls |> ignore

                    task {
                        do! Task.Yield()
                        return obj ()
                    })

            use together = new Barrier(4)

            let readers =
                [
                    for _ in 1..4 ->
                        Task.Run<obj>(fun () ->
                            together.SignalAndWait()
                            value.Task)
                ]

            let values = Within.result "The readers" (Task.WhenAll readers)
            Assert.All(values, (fun one -> Assert.Same(values[0], one)))
            Assert.Equal(1, calls)

    [<Fact>]
    let ``a null function and a null Task are errors`` () =
        Assert.Throws<ArgumentNullException>(fun () ->
            AsyncLazy<int>(Unchecked.defaultof<Func<Task<int>>>) |> ignore)
        |> ignore

        let value = AsyncLazy<int>(Func<Task<int>>(fun () -> Unchecked.defaultof<_>))
        let error = Within.error "The await" value.Task

        Assert.Contains(
            "has returned null instead of a Task",
            (Assert.IsType<InvalidOperationException> error).Message
        )
