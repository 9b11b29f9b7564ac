// Under test: cold and cancellable functions. Each start runs the code anew with locals of its own; the token reaches all that
// the code binds, is asked before each bind, and ends in the exception; what the code holds is disposed whatever happens.
namespace Plait.Tests.Cancellation

#nowarn "3511" // the dynamic builders are not compiled as state machines, on purpose

open System
open System.Collections.Generic
open System.IO
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Kernel
open Plait.Tests
open Plait.Tests.Programs

/// A builder whose Run the compiler cannot look into: closures instead of machines.
type DynamicColdTaskBuilder() =
    inherit ColdTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Deferred<'T, 'T>) : ColdTask<'T> = base.Run code

/// A context of its own type, which counts as one.
type OwnContext() =
    inherit SynchronizationContext()

/// Disposed after a wait; the log says so.
type Held(name: string, log: List<string>) =
    interface IAsyncDisposable with
        member _.DisposeAsync() =
            ValueTask(
                task {
                    do! Task.Yield()
                    log.Add $"{name} disposed"
                }
            )

type HeldPlain(name: string, log: List<string>) =
    interface IDisposable with
        member _.Dispose() = log.Add $"{name} disposed"

/// An asynchronous sequence that remembers its token.
type Counted(count: int, move: int -> unit) =
    member val Token = CancellationToken.None with get, set
    member val Disposed = 0 with get, set

    interface IAsyncEnumerable<int> with
        member this.GetAsyncEnumerator(token) =
            this.Token <- token
            let mutable index = 0

            { new IAsyncEnumerator<int> with
                member _.Current = index

                member _.MoveNextAsync() =
                    index <- index + 1
                    move index

                    ValueTask<bool>(
                        task {
                            do! Task.Yield()
                            return index <= count
                        }
                    )

                member _.DisposeAsync() =
                    this.Disposed <- this.Disposed + 1
                    ValueTask(Task.Delay 1)
            }

/// Code under builders of cold functions; that under those of cancellable ones is a program.
module Bodies =
    /// Counts, with a mutable local, over two waits.
    let cold (runs: int ref) : (string * ColdTask<int>) list =
        let dynamicCold = DynamicColdTaskBuilder()

        [
            "coldTask",
            coldTask {
                let mutable mine = 0
                Interlocked.Increment runs |> ignore
                mine <- mine + 1
                do! Task.Yield()
                mine <- mine + 1
                do! fun () -> Task.Yield()
                return mine
            }
            "coldTask dynamic",
            dynamicCold {
                let mutable mine = 0
                Interlocked.Increment runs |> ignore
                mine <- mine + 1
                do! Task.Yield()
                mine <- mine + 1
                do! fun () -> Task.Yield()
                return mine
            }
            "backgroundColdTask",
            backgroundColdTask {
                let mutable mine = 0
                Interlocked.Increment runs |> ignore
                mine <- mine + 1
                do! Task.Yield()
                mine <- mine + 1
                do! fun () -> Task.Yield()
                return mine
            }
        ]

    /// A generic function, and a builder that is an argument.
    let generic (start: 'a -> CancellableTask<'a>) (value: 'a) : CancellableTask<'a list> =
        cancellableTask {
            let! first = start value
            do! Task.Yield()
            let! second = start first
            return [ first; second ]
        }

    /// Operands without a type: the builder's own kind.
    let unannotatedTask operation =
        cancellableTask {
            let! value = operation
            return value + 1
        }

    let unannotatedValue operation =
        cancellableValueTask {
            let! value = operation
            return value + 1
        }

    let unannotatedCold operation =
        coldTask {
            let! value = operation
            return value + 1
        }

    let given (builder: CancellableTaskBuilder) (value: string) : CancellableTask<string> =
        builder {
            do! Task.Yield()
            return value + "!"
        }

module Tests =

    let private cancelled (token: CancellationToken) (name: string) (operation: Task) =
        match Within.error name operation with
        | :? OperationCanceledException as error ->
            Assert.Equal(token, error.CancellationToken)
            Assert.True(operation.IsCanceled, name)
        | error -> Assert.Fail $"{name}: {error}"

    [<Fact>]
    let ``nothing runs before a start, and each start has locals of its own`` () =
        let runs = ref 0

        for subject in Catalogue.cancellables do
            let name, start = subject.Builder, subject.Counting runs
            runs.Value <- 0
            Assert.Equal(2, Within.result name (start CancellationToken.None))
            let both = [ start CancellationToken.None; start CancellationToken.None ]

            for operation in both do
                Assert.Equal(2, Within.result name operation)

            Assert.Equal(3, runs.Value)

        for name, start in Bodies.cold runs do
            runs.Value <- 0
            Assert.Equal(2, Within.result name (start ()))
            let both = [ start (); start () ]

            for operation in both do
                Assert.Equal(2, Within.result name operation)

            Assert.Equal(3, runs.Value)

    [<Fact>]
    let ``a token that is cancelled before the start lets nothing run`` () =
        let runs = ref 0
        use source = new CancellationTokenSource()
        source.Cancel()

        for subject in Catalogue.cancellables do
            cancelled source.Token subject.Builder (subject.Counting runs source.Token)

        Assert.Equal(0, runs.Value)

    [<Fact>]
    let ``a token that is cancelled between two binds ends the code at the second, and all is disposed`` () =
        let log = List<string>()

        for subject in Catalogue.cancellables do
            use source = new CancellationTokenSource()
            log.Clear()

            let start =
                subject.Cancelling (Held("outer", log)) (new HeldPlain("inner", log)) source.Cancel log

            cancelled source.Token subject.Builder (start source.Token)
            Assert.Equal<string>([ "before"; "finally"; "inner disposed"; "outer disposed" ], log)

    [<Fact>]
    let ``the token reaches all that is bound`` () =
        let seen = List<string * CancellationToken>()
        use source = new CancellationTokenSource()

        for subject in Catalogue.cancellables do
            seen.Clear()
            let items = Counted(2, ignore)
            Assert.Equal(11, Within.result subject.Builder (subject.Tokens seen items source.Token))

            Assert.Equal<string list>(
                [
                    "getCancellationToken"
                    "cancellableValueTask"
                    "nested"
                    "async"
                    "unit function"
                    "strand"
                    "yield"
                    "value"
                    "and! 1"
                    "and! 3"
                ],
                seen |> Seq.map fst |> List.ofSeq
            )

            Assert.All(seen, (fun (_, token) -> Assert.Equal(source.Token, token)))
            Assert.Equal(source.Token, items.Token)
            Assert.Equal(1, items.Disposed)

    [<Fact>]
    let ``a loop ends when its token is cancelled, and its sequence is disposed`` () =
        use source = new CancellationTokenSource()
        let mutable turns = 0

        let endless =
            cancellableTask {
                while true do
                    do! Task.CompletedTask
                    turns <- turns + 1

                    if turns = 100 then
                        source.Cancel()
            }

        cancelled source.Token "while" (endless source.Token)
        Assert.Equal(100, turns)

        use other = new CancellationTokenSource()

        let items =
            Counted(
                1000,
                (fun index ->
                    if index = 3 then
                        other.Cancel())
            )

        let mutable last = 0

        let loop =
            cancellableTask {
                for item in items do
                    last <- item
            }

        cancelled other.Token "for" (loop other.Token)
        Assert.Equal(3, last) // the step that had begun was awaited
        Assert.Equal(1, items.Disposed)

    [<Fact>]
    let ``a handler sees the cancellation, and the exception of a source is as it was thrown`` () =
        use source = new CancellationTokenSource()

        let handled =
            cancellableTask {
                try
                    do! fun token -> Task.Delay(Timeout.Infinite, token)
                    return "done"
                with :? OperationCanceledException as error when error.CancellationToken = source.Token ->
                    return "handled"
            }

        let operation = handled source.Token
        source.Cancel()
        Assert.Equal("handled", Within.result "handled" operation)
        let thrown = InvalidOperationException "mine"

        let failing: CancellableTask<int> = fun _ -> raise thrown
        let outer = cancellableTask { return! failing }
        Assert.Same(thrown, Within.error "failing" (outer CancellationToken.None))

    [<Fact>]
    let ``generic functions and builders that are arguments compile and run`` () =
        let start value : CancellableTask<_> = fun _ -> Task.FromResult value
        Assert.Equal<int list>([ 3; 3 ], Within.result "int" (Bodies.generic start 3 CancellationToken.None))

        Assert.Equal<string list>(
            [ "a"; "a" ],
            Within.result "string" (Bodies.generic start "a" CancellationToken.None)
        )


        let tasks: CancellableTask<int> = Bodies.unannotatedTask (CancellableTask.result 1)

        let values: CancellableValueTask<int> =
            Bodies.unannotatedValue (CancellableValueTask.result 1)

        let colds: ColdTask<int> = Bodies.unannotatedCold (ColdTask.result 1)
        Assert.Equal(2, Within.result "task" (tasks CancellationToken.None))
        Assert.Equal(2, Within.result "value" ((values CancellationToken.None).AsTask()))
        Assert.Equal(2, Within.result "cold" (colds ()))
        let builder = CancellableTaskBuilder()
        Assert.Equal("a!", Within.result "given" (Bodies.given builder "a" CancellationToken.None))

    [<Fact>]
    let ``background code leaves the context of each call`` () =
        let seen = List<SynchronizationContext | null>()

        let note () =
            lock seen (fun () -> seen.Add SynchronizationContext.Current)

        let cold =
            backgroundColdTask {
                note ()
                do! Task.Yield()
                note ()
            }

        let cancellable =
            backgroundCancellableTask {
                note ()
                do! Task.Yield()
                note ()
            }

        let value =
            backgroundCancellableValueTask {
                note ()
                do! Task.Yield()
                note ()
            }

        let all () =
            [ cold (); cancellable CancellationToken.None; (value CancellationToken.None).AsTask() ]

        let started =
            Within.thread "start" (1 <<< 20) (fun () ->
                let without = all ()
                SynchronizationContext.SetSynchronizationContext(OwnContext())
                without @ all ())

        for operation in started do
            Within.ended "background" operation

        Assert.Equal(12, seen.Count)
        Assert.All(seen, (fun context -> Assert.False(context :? OwnContext)))

    [<Fact>]
    let ``the functions start in order, at most so many at a time, and nothing once the token is cancelled``
        ()
        =
        let mutable running = 0
        let mutable most = 0

        let work index =
            cancellableTask {
                most <- max most (Interlocked.Increment &running)
                do! Task.Yield()
                Interlocked.Decrement &running |> ignore
                return index
            }

        let none = CancellationToken.None
        let all = [ for index in 1..20 -> work index ]
        let numbers = [| 1..20 |]
        Assert.Equal<int>(numbers, Within.result "throttled" (CancellableTask.whenAllThrottled 3 all none))
        Assert.InRange(most, 1, 3)
        most <- 0
        Assert.Equal<int>(numbers, Within.result "sequential" (CancellableTask.sequential all none))
        Assert.Equal(1, most)
        Assert.Equal<int>(numbers, Within.result "whenAll" (CancellableTask.whenAll all none))

        let struct (a, b) =
            Within.result "zip" (CancellableTask.parallelZip (work 1) (work 2) none)

        Assert.Equal(3, a + b)
        use source = new CancellationTokenSource()
        let mutable started = 0

        let cancels =
            cancellableTask {
                started <- started + 1

                if started = 2 then
                    source.Cancel()

                return ()
            }

        cancelled
            source.Token
            "sequential"
            (CancellableTask.sequential (List.replicate 5 cancels) source.Token)

        Assert.Equal(2, started)

        let text =
            CancellableTask.result 1
            |> CancellableTask.map string
            |> CancellableTask.bind (fun text -> CancellableTask.singleton (text + "0"))
            |> CancellableTask.apply (CancellableTask.result (fun text -> text + "!"))

        Assert.Equal("10!", Within.result "map, bind, apply" (text none))
        Within.ended "toUnit" (CancellableTask.toUnit text none)
        let viaAsync = CancellableTask.toAsync text |> CancellableValueTask.ofAsync
        Assert.Equal("10!", Within.result "async" ((viaAsync none).AsTask()))

        let cold =
            ColdTask.result 1
            |> ColdTask.map string
            |> ColdTask.bind (fun text -> ColdTask.result (text + "0"))
            |> ColdTask.apply (ColdTask.result (fun text -> text + "!"))

        Assert.Equal("10!", Within.result "cold" (cold ()))
        let struct (x, y) = Within.result "cold zip" (ColdTask.zip cold cold ())
        Assert.Equal(x, y)

    [<Fact>]
    let ``an operation that has started and is not awaited for a cancelled token is taken all the same`` () =
        let taken = List<string>()

        let operation name completed =
            { new System.Threading.Tasks.Sources.IValueTaskSource<int> with
                member _.GetStatus _ =
                    if completed then
                        System.Threading.Tasks.Sources.ValueTaskSourceStatus.Succeeded
                    else
                        System.Threading.Tasks.Sources.ValueTaskSourceStatus.Pending

                member _.OnCompleted(continuation, state, _, _) = continuation.Invoke state

                member _.GetResult _ =
                    taken.Add name
                    1
            }

        for name, completed in [ "completed", true; "pending", false ] do
            use source = new CancellationTokenSource()

            let start =
                cancellableTask {
                    source.Cancel()
                    return! ValueTask<int>(operation name completed, 0s)
                }

            cancelled source.Token name (start source.Token)

        Assert.Equal<string>([ "completed"; "pending" ], taken)

    [<Fact>]
    let ``a lock that was entered for a cancelled token is left, at once or after a wait`` () =
        for subject in Catalogue.cancellables do
            for form, acquiring in subject.Acquiring do
                for waits in [ false; true ] do
                    let name = $"{subject.Builder}, {form}, waits: {waits}"
                    let takesToken = form = "a function" || form = "entered with its token"
                    use source = new CancellationTokenSource()
                    let log = List<string>()
                    let gate = new AsyncLock()
                    let first = gate.Enter()
                    Assert.True(first.IsCompletedSuccessfully, name)
                    use cancelled = new ManualResetEventSlim()

                    if not waits then
                        first.Result.Dispose()

                    let operation =
                        acquiring
                            gate
                            (fun () ->
                                source.Cancel()
                                cancelled.Set())
                            log
                            source.Token

                    if waits then
                        cancelled.Wait()

                        if not takesToken then
                            Assert.False(operation.IsCompleted, name)

                        first.Result.Dispose()

                    let error =
                        Assert.IsAssignableFrom<OperationCanceledException>(Within.error name operation)

                    Assert.Equal(source.Token, error.CancellationToken)
                    Assert.False(gate.IsHeld, name)

                    // nothing is given by a wait that ends with its own token, or that does not begin
                    Assert.Equal<string>(
                        (if form = "a function" || waits && takesToken then [] else [ "held" ]),
                        log
                    )

    [<Fact>]
    let ``a loop whose binds give resources ends when its token is cancelled`` () =
        for subject in Catalogue.cancellables do
            for form, expected, looping in subject.Looping do
                let name = $"{subject.Builder}, {form}"
                use source = new CancellationTokenSource()
                let gate = new AsyncLock()
                let turns = Turns source

                cancelled source.Token name (looping gate turns.Next source.Token)
                Assert.Equal((name, expected), (name, turns.Count))
                Assert.False(gate.IsHeld, name)

    /// Whether code goes past a bind of the operation for a cancelled token.
    let private isBound (operation: Task<'T>) : bool =
        use source = new CancellationTokenSource()
        let mutable isPast = false

        let start =
            cancellableTask {
                source.Cancel()
                let! _ = operation
                isPast <- true
            }

        let bound = start source.Token

        if not isPast then
            cancelled source.Token "the bind" bound

        isPast

    [<Fact>]
    let ``a Task as a result is no resource, and an array of resources is one`` () =
        use memory = new MemoryStream()
        let opened = Task.FromResult memory
        Assert.True(isBound opened)
        Assert.True(isBound (Task.WhenAll [| opened |]))
        Assert.True(isBound (Task.FromResult(Ok memory: Result<MemoryStream, string>)))
        Assert.True(isBound (Task.FromResult [| struct (1, memory) |]))
        Assert.False(isBound (Task.WhenAny [| opened |]))
        Assert.False(isBound (Task.FromResult [| opened |]))
        Assert.False(isBound (Task.FromResult(ValueTask<MemoryStream> memory)))
        Assert.False(isBound (Task.FromResult(opened, 1)))
        Assert.False(isBound (Task.FromResult [| 1 |]))

    [<Fact>]
    let ``permits and locks survive cancellations in a race`` () =
        let gate = new AsyncLock()
        let slots = new AsyncSemaphore(2)

        for round in 1..300 do
            use source = new CancellationTokenSource()

            let body =
                cancellableTask {
                    let! token = CancellableTask.getCancellationToken ()

                    while true do
                        use! _ = gate.Enter token
                        use! _ = slots.Enter()
                        ()
                }

            let running = Task.Run<unit>(fun () -> body source.Token)
            Thread.SpinWait(round * 7 % 400)
            source.Cancel()
            cancelled source.Token "the loop" running
            Assert.False gate.IsHeld
            Assert.Equal(2, slots.CurrentCount)
