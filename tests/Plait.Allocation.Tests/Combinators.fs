// Combinators: nothing beside the array of results, where the operations have ended and, pooled, where they are pending.
module Plait.Allocation.Tests.Combinators

open System
open System.Threading
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

/// Widths of a call.
let widths: TheoryData<int> = TheoryData<int>(2, 4, 16)

let private consume (task: ValueTask<'T>) = task.Result |> ignore<'T>

/// As many bytes, but for the object that is retired once in 65,536 uses.
let private equal (expected: float) (bytes: float) =
    Assert.InRange(bytes, expected, expected + 0.1)

/// What an array of results costs.
let private arrayOf (width: int) =
    Bytes.perOperation (fun () -> GC.KeepAlive(Array.zeroCreate<int> width))

/// Operations that wait, in memory that is used again.
type private Waiting(width: int) =
    let sources = Array.init width (fun _ -> Source())
    let operations: ValueTask<int>[] = Array.zeroCreate width

    member _.Next() =
        for index in 0 .. width - 1 do
            operations[index] <- sources[index].Next()

        operations

    member _.Complete() =
        for source in sources do
            source.Complete()

[<Theory; MemberData(nameof widths)>]
let ``whenAll of operations that have ended allocates the array of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let ended = Array.init width ValueTask<int>
    let tasks = Array.init width Task.FromResult
    let strands = Array.init width Strand<int>.Of
    let expected = arrayOf width

    equal expected (Bytes.perOperation (fun () -> consume (PooledValueTask.whenAll ended)))
    equal expected (Bytes.perOperation (fun () -> consume (ValueTask.whenAll ended)))

    equal expected (Bytes.perOperation (fun () -> (Strand.whenAll strands).Result |> ignore<int[]>))

    // and the Task itself
    Assert.InRange(
        Bytes.perOperation (fun () -> (Plait.Task.whenAll tasks).Result |> ignore<int[]>),
        expected,
        expected + 72.
    )

[<Theory; MemberData(nameof widths)>]
let ``whenAll of pending operations, pooled, allocates the array of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Waiting width

    let bytes =
        Bytes.perOperation (fun () ->
            let all = PooledValueTask.whenAll (waiting.Next())
            waiting.Complete()
            consume all)

    equal (arrayOf width) bytes

[<Theory; MemberData(nameof widths)>]
let ``whenAll of pending tasks allocates less than Task.WhenAll`` (width: int) =
    Bytes.onlyWhenOptimised ()

    let measured (whenAll: Task<int>[] -> Task<int[]>) =
        Bytes.perOperation (fun () ->
            let sources = Array.init width (fun _ -> TaskCompletionSource<int>())
            let all = whenAll (sources |> Array.map _.Task)

            for source in sources do
                source.SetResult 1

            all.Result |> ignore<int[]>)

    let ours = measured Plait.Task.whenAll
    let theirs = measured Task.WhenAll

    TestContext.Current.TestOutputHelper
    |> Option.ofObj
    |> Option.iter _.WriteLine($"{ours} of {theirs}")

    Assert.True(ours <= theirs, $"{ours} B, and Task.WhenAll {theirs} B")

[<Theory; MemberData(nameof widths)>]
let ``sixty-four whenAll in flight allocate their arrays of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Array.init 64 (fun _ -> Waiting width)
    let all: ValueTask<int[]>[] = Array.zeroCreate 64

    let bytes =
        Bytes.perOperation (fun () ->
            for index in 0..63 do
                all[index] <- PooledValueTask.whenAll (waiting[index].Next())

            for index in 0..63 do
                waiting[index].Complete()
                consume all[index])

    equal (64. * arrayOf width) (bytes)

[<Theory; MemberData(nameof widths)>]
let ``whenAny, its losers and all, allocates nothing`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Waiting width

    let pending =
        Bytes.perOperation (fun () ->
            let any = PooledValueTask.whenAny (waiting.Next())
            waiting.Complete()
            consume any)

    let ended = Array.init width ValueTask<int>
    equal 0. pending
    equal 0. (Bytes.perOperation (fun () -> consume (PooledValueTask.whenAny ended)))

[<Theory; MemberData(nameof widths)>]
let ``a throttle allocates the array of results and the enumerator`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let source = Source()
    let starts = Array.init width (fun _ -> fun () -> source.Next())

    let enumerator =
        Bytes.perOperation (fun () -> (starts :> seq<_>).GetEnumerator().Dispose())

    let bytes =
        Bytes.perOperation (fun () ->
            let all = PooledValueTask.sequential starts

            for _ in 1..width do
                source.Complete()

            consume all)

    equal (arrayOf width + enumerator) bytes

/// An operation allocates nothing, neither one that has ended nor one that the source completes.
let private nothingOf title (source: Source) (take: 'O -> unit) (ended: unit -> 'O) (pending: unit -> 'O) =
    let bytes = Bytes.perOperation (fun () -> take (ended ()))
    Assert.True(bytes < 0.1, $"{title}, ended: {bytes} B")

    let bytes =
        Bytes.perOperation (fun () ->
            let task = pending ()
            source.Complete()
            take task)

    Assert.True(bytes < 0.1, $"{title}, pending: {bytes} B")

let private nothing (title: string) (start: ValueTask<int> -> ValueTask<'T>) =
    let source = Source()
    nothingOf title source consume (fun () -> start (ValueTask<int> 1)) (fun () -> start (source.Next()))

[<Fact>]
let ``the combinators of one operation allocate nothing, whether it has ended or is pending`` () =
    Bytes.onlyWhenOptimised ()
    nothing "map" (PooledValueTask.map ((+) 1))
    nothing "bind" (PooledValueTask.bind (fun value -> ValueTask<int> value))
    nothing "zip" (fun operation -> PooledValueTask.zip operation (ValueTask<int> 1))
    nothing "ignore" PooledValueTask.ignore
    nothing "catch" PooledValueTask.catch
    nothing "catchWith" (PooledValueTask.catchWith (fun _ -> 0))
    nothing "no timeout" (PooledValueTask.timeout Timeout.InfiniteTimeSpan)

    Assert.True(
        Bytes.perOperation (fun () ->
            consume (PooledValueTask.timeout (TimeSpan.FromHours 1.) (ValueTask<int> 1)))
            <
            0.1
    )

[<Fact>]
let ``a time limit of pooled work allocates nothing: its source is used again, link and timer too`` () =
    Bytes.onlyWhenOptimised ()
    use caller = new CancellationTokenSource()
    let hour = TimeSpan.FromHours 1.
    let tomorrow = DateTimeOffset.UtcNow.AddDays 1.
    let source = Source()
    let ended: CancellationToken -> ValueTask<int> = fun _ -> ValueTask<int> 1
    let pending: CancellationToken -> ValueTask<int> = fun _ -> source.Next()

    let limits: (string * ((CancellationToken -> ValueTask<int>) -> ValueTask<int>)) list =
        [
            "timeout", PooledValueTask.withTimeout hour
            "no timeout", PooledValueTask.withTimeout Timeout.InfiniteTimeSpan
            "linked", PooledValueTask.withTimeoutLinked caller.Token hour
            "deadline", PooledValueTask.withDeadline tomorrow
            "linked deadline", PooledValueTask.withDeadlineLinked caller.Token tomorrow
        ]

    for title, limit in limits do
        nothingOf title source consume (fun () -> limit ended) (fun () -> limit pending)

    let strands: CancellationToken -> Strand<int> = fun _ -> Strand.result 1

    equal
        0.
        (Bytes.perOperation (fun () ->
            (Strand.withTimeoutLinked caller.Token hour strands).Result |> ignore<int>))

[<Fact>]
let ``an attempt that succeeds allocates nothing`` () =
    Bytes.onlyWhenOptimised ()
    use caller = new CancellationTokenSource()
    let policy = RetryPolicy()
    let source = Source()
    let ended: int -> CancellationToken -> ValueTask<int> = fun _ _ -> ValueTask<int> 1
    let pending: int -> CancellationToken -> ValueTask<int> = fun _ _ -> source.Next()

    let retries: (string * ((int -> CancellationToken -> ValueTask<int>) -> ValueTask<int>)) list =
        [
            "retry", PooledValueTask.retry policy
            "linked", PooledValueTask.retryLinked caller.Token policy
            "until", PooledValueTask.retryUntil (fun _ -> true) policy
        ]

    for title, retry in retries do
        nothingOf title source consume (fun () -> retry ended) (fun () -> retry pending)

[<Theory; MemberData(nameof widths)>]
let ``mapThrottled allocates the array of results and the enumerator, and no byte for an item`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let source = Source()
    let items = Array.init width id
    let mapping: int -> ValueTask<int> = fun _ -> source.Next()

    let enumerator =
        Bytes.perOperation (fun () -> GC.KeepAlive((items :> seq<_>).GetEnumerator()))

    let bytes =
        Bytes.perOperation (fun () ->
            let all = PooledValueTask.mapThrottled 1 mapping items

            for _ in 1..width do
                source.Complete()

            consume all)

    equal (arrayOf width + enumerator) bytes

[<Fact>]
let ``whenEach allocates as much for sixteen operations as its queue, and no byte for an item`` () =
    Bytes.onlyWhenOptimised ()

    let each (width: int) =
        let waiting = Waiting width

        Bytes.perOperation (fun () ->
            let items = (PooledValueTask.whenEach (waiting.Next())).GetAsyncEnumerator()
            let mutable step = items.MoveNextAsync()
            waiting.Complete()

            while step.Result do
                step <- items.MoveNextAsync())

    // the array of the queue, which grows by doubling: 4, 8 and 16 references
    let queue = float (3 * 24 + 8 * (4 + 8 + 16))
    Assert.InRange(each 16 - each 1, 0., queue)

let private consumeUnit (task: ValueTask) = task.GetAwaiter().GetResult()

/// The next operation of a source, without its result.
let private unitOf (source: Source) : ValueTask =
    PooledValueTask.toUnit (PooledValueTask.ignore (source.Next()))

[<Fact>]
let ``combinators, limits and attempts without a result allocate nothing, whether the work has ended or is pending``
    ()
    =
    Bytes.onlyWhenOptimised ()
    use caller = new CancellationTokenSource()
    let hour = TimeSpan.FromHours 1.
    let tomorrow = DateTimeOffset.UtcNow.AddDays 1.
    let policy = RetryPolicy()
    let source = Source()
    let operations: ValueTask[] = Array.zeroCreate 1

    let uses: (string * ((unit -> ValueTask) -> ValueTask)) list =
        let all (combine: ValueTask[] -> ValueTask) (start: unit -> ValueTask) =
            operations[0] <- start ()
            combine operations

        [
            "catchWith", (fun start -> PooledValueTaskUnit.catchWith ignore (start ()))
            "no timeout", (fun start -> PooledValueTaskUnit.timeout Timeout.InfiniteTimeSpan (start ()))
            "whenAll", all PooledValueTaskUnit.whenAll
            "whenAny", all PooledValueTaskUnit.whenAny
        ]

    let ended: unit -> ValueTask = fun () -> ValueTask()
    let pending: unit -> ValueTask = fun () -> unitOf source
    let endedWork: CancellationToken -> ValueTask = fun _ -> ValueTask()
    let pendingWork: CancellationToken -> ValueTask = fun _ -> unitOf source

    let limits: (string * ((CancellationToken -> ValueTask) -> ValueTask)) list =
        [
            "withTimeout", PooledValueTaskUnit.withTimeout hour
            "withTimeoutLinked", PooledValueTaskUnit.withTimeoutLinked caller.Token hour
            "withDeadline", PooledValueTaskUnit.withDeadline tomorrow
        ]

    let endedAttempt: int -> CancellationToken -> ValueTask = fun _ _ -> ValueTask()
    let pendingAttempt: int -> CancellationToken -> ValueTask = fun _ _ -> unitOf source

    let nothing title = nothingOf title source consumeUnit

    for title, run in uses do
        nothing title (fun () -> run ended) (fun () -> run pending)

    for title, limit in limits do
        nothing title (fun () -> limit endedWork) (fun () -> limit pendingWork)

    nothing "retry" (fun () -> PooledValueTaskUnit.retry policy endedAttempt) (fun () ->
        PooledValueTaskUnit.retryLinked caller.Token policy pendingAttempt)

[<Fact>]
let ``iterThrottled allocates the enumerator alone, however many items there are`` () =
    Bytes.onlyWhenOptimised ()
    let source = Source()

    for count in [ 1; 16 ] do
        let items = Array.init count id
        let ended: int -> ValueTask = fun _ -> ValueTask()
        let pending: int -> ValueTask = fun _ -> unitOf source

        let enumerator =
            Bytes.perOperation (fun () -> GC.KeepAlive((items :> seq<_>).GetEnumerator()))

        // the object of an item is retired once in 65,536 uses
        let within (bytes: float) =
            Assert.InRange(bytes, enumerator, enumerator + 0.1 + 0.02 * float count)

        within (Bytes.perOperation (fun () -> consumeUnit (PooledValueTaskUnit.iterThrottled 4 ended items)))

        let bytes =
            Bytes.perOperation (fun () ->
                let all = PooledValueTaskUnit.iterThrottled 1 pending items

                for _ in 1..count do
                    source.Complete()

                consumeUnit all)

        within bytes

    // one call over many items: a reference to each would be 160,000 bytes
    let items = Array.init 20_000 id
    let ended: int -> ValueTask = fun _ -> ValueTask()
    let before = GC.GetAllocatedBytesForCurrentThread()
    consumeUnit (PooledValueTaskUnit.iterThrottled 4 ended items)
    Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0L, 2_000L)
