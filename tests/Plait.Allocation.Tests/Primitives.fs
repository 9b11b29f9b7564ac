// Locks, semaphores, events and lazy values: who enters at once allocates nothing, nor does who waits, alone or among ten
// thousand; and a token adds nothing.
module Plait.Allocation.Tests.Primitives

open System
open System.Threading
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

let private never = CancellationToken.None

[<Fact>]
let ``a free lock or permit is entered and released without an allocation`` () =
    Bytes.onlyWhenOptimised ()
    let gate = new AsyncLock()
    Assert.Equal(0.0, Bytes.perOperation (fun () -> (gate.Enter never).Result.Dispose()))

    Assert.Equal(
        0.0,
        Bytes.perOperation (fun () ->
            match gate.TryEnter() with
            | true, releaser -> releaser.Dispose()
            | _ -> failwith "The lock is held.")
    )

    let semaphore = new AsyncSemaphore(2)

    Assert.Equal(
        0.0,
        Bytes.perOperation (fun () ->
            let first = (semaphore.Enter never).Result
            (semaphore.Enter never).Result.Dispose()
            first.Dispose()
            (semaphore.Wait never).GetAwaiter().GetResult()
            semaphore.Release())
    )

[<Fact>]
let ``events that are set are waited for without an allocation, and so is a lazy value that is there`` () =
    Bytes.onlyWhenOptimised ()
    let manual = new AsyncManualResetEvent(true)
    let auto = new AsyncAutoResetEvent()

    Assert.Equal(
        0.0,
        Bytes.perOperation (fun () ->
            auto.Set()
            (auto.Wait never).GetAwaiter().GetResult()
            (manual.Wait never).GetAwaiter().GetResult())
    )

    let value = AsyncLazy(fun () -> Task.FromResult 1)
    Assert.Equal(0.0, Bytes.perOperation (fun () -> value.GetAwaiter().GetResult() |> ignore))

/// The releaser is a struct that nobody boxes.
[<Fact>]
let ``a use! of a releaser allocates nothing`` () =
    Bytes.onlyWhenOptimised ()
    let gate = new AsyncLock()

    let visit () =
        pooledValueTask {
            use! _ = gate.Enter never
            return 1
        }

    Assert.Equal(0.0, Bytes.perOperation (fun () -> (visit ()).Result |> ignore))

    let strand () =
        strand {
            use! _ = gate.Enter never
            return 1
        }

    Assert.Equal(0.0, Bytes.perOperation (fun () -> (strand ()).Result |> ignore))

let widths: TheoryData<int, bool> =
    let widths = TheoryData<int, bool>()

    for width in [ 1; 64; 10_000 ] do
        for cancellable in [ false; true ] do
            widths.Add(width, cancellable)

    widths

/// Bytes of one wait, when so many begin before the first one ends. Nobody waits for the wait here: what is counted is its own.
let private waiting (width: int) (wait: unit -> unit) (release: unit -> unit) =
    let run count =
        for _ in 1 .. count / width do
            for _ in 1..width do
                wait ()

            release ()

    Bytes.perOperationOfAll 40_000 run

[<Theory; MemberData(nameof widths)>]
let ``a wait for a lock allocates nothing, however many are in flight`` (width: int) (cancellable: bool) =
    Bytes.onlyWhenOptimised ()
    let gate = new AsyncLock()
    use source = new CancellationTokenSource()
    let token = if cancellable then source.Token else never
    let pending = Array.zeroCreate<ValueTask<AsyncReleaser>> width
    let mutable holder = (gate.Enter never).Result
    let mutable count = 0

    let wait () =
        pending[count] <- gate.Enter token
        count <- count + 1

    let release () =
        holder.Dispose()

        for at in 0 .. width - 2 do
            pending[at].Result.Dispose()

        holder <- pending[width - 1].Result
        count <- 0

    Assert.InRange(waiting width wait release, -1.0, 1.0)

[<Theory; MemberData(nameof widths)>]
let ``a wait for a permit allocates nothing, however many are in flight`` (width: int) (cancellable: bool) =
    Bytes.onlyWhenOptimised ()
    let semaphore = new AsyncSemaphore(0, width)
    use source = new CancellationTokenSource()
    let token = if cancellable then source.Token else never
    let pending = Array.zeroCreate<ValueTask<AsyncReleaser>> width
    let mutable count = 0

    let wait () =
        pending[count] <- semaphore.Enter token
        count <- count + 1

    let release () =
        semaphore.Release width

        // the permits stay out: what would make `width` of them free takes them back
        for at in 0 .. width - 1 do
            pending[at].Result.Dispose()

        for _ in 1..width do
            semaphore.TryWait() |> ignore

        count <- 0

    Assert.InRange(waiting width wait release, -1.0, 1.0)

[<Theory; MemberData(nameof widths)>]
let ``a wait for an event allocates nothing, however many are in flight`` (width: int) (cancellable: bool) =
    Bytes.onlyWhenOptimised ()
    let manual = new AsyncManualResetEvent()
    let auto = new AsyncAutoResetEvent()
    use source = new CancellationTokenSource()
    let token = if cancellable then source.Token else never
    let pending = Array.zeroCreate<ValueTask> width
    let mutable count = 0

    let run (begin': unit -> ValueTask) (set: unit -> unit) =
        let wait () =
            pending[count] <- begin' ()
            count <- count + 1

        let release () =
            set ()

            for at in 0 .. width - 1 do
                pending[at].GetAwaiter().GetResult()

            count <- 0

        waiting width wait release

    Assert.InRange(
        run (fun () -> manual.Wait token) (fun () ->
            manual.Set()
            manual.Reset()),
        -1.0,
        1.0
    )

    Assert.InRange(
        run (fun () -> auto.Wait token) (fun () ->
            for _ in 1..width do
                auto.Set()),
        -1.0,
        1.0
    )

/// Code that waits, too: its machine is pooled as far as the pool of its type goes. The first one holds the lock over a yield,
/// and the others wait.
[<Theory; InlineData 1; InlineData 64; InlineData 4000>]
let ``operations that wait for a lock allocate nothing`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let gate = new AsyncLock()

    let visit () =
        pooledValueTask {
            use! _ = gate.Enter never
            do! Task.Yield()
            return 1
        }

    let pending = Array.zeroCreate<ValueTask<int>> width
    let operation = Func<ValueTask<int>> visit

    let run count =
        Loops.RunInFlight(operation, pending, count).Wait()

    Assert.InRange(Bytes.perOperationOfAll 40_000 run, -1.0, 1.0)
