// Under test: what the tests over every builder do not say of these: depth, contexts, kinds of tasks that the JIT mixes up, functions as
// values and steps.
module Plait.RuntimeAsync.Tests.Semantics

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests
open Plait.Tests.Oracle
open Plait.RuntimeAsync

// depth

let rec private sum (bottom: unit -> ValueTask<int64>) (n: int) : ValueTask<int64> =
    Guarded.valueTask {
        if n = 0 then
            return! bottom ()
        else
            let! below = sum bottom (n - 1)
            return below + 1L
    }

let rec private sumOfTasks (n: int) : Task<int64> =
    Guarded.task {
        if n = 0 then
            do! Task.Yield()
            return 0L
        else
            let! below = sumOfTasks (n - 1)
            return below + 1L
    }

let private onSmallStack (start: unit -> 'T) : 'T =
    Within.thread "The way down" (256 * 1024) start

[<Fact>]
let ``a million levels fit on a small stack`` () =
    let operation =
        onSmallStack (fun () -> (sum (fun () -> ValueTask<int64> 0L) 1_000_000).AsTask())

    Assert.Equal(1_000_000L, Within.result "It" operation)

[<Fact>]
let ``a million levels over one that waits give the sum`` () =
    Assert.Equal(1_000_000L, Within.result "It" (onSmallStack (fun () -> sumOfTasks 1_000_000)))

[<Fact>]
let ``an error below more levels than a stack has arrives unchanged`` () =
    let error = InvalidOperationException "at the bottom"
    let onPool = ref false

    let bottom () =
        onPool.Value <- Thread.CurrentThread.IsThreadPoolThread
        ValueTask<int64>(Task.FromException<int64> error)

    // without optimisation each level throws it again, with a copy of its trace: the time grows with the square of the depth, or faster
    let levels =
#if DEBUG
        2_000
#else
        10_000
#endif

    let operation = onSmallStack (fun () -> (sum bottom levels).AsTask())
    Assert.Same(error, Within.error "It" operation)
    Assert.True(onPool.Value, "The levels fit on the small stack: use more.")

/// Runs what is posted to it at once, on the stack of whoever posts.
type private Immediate() =
    inherit SynchronizationContext()
    override _.Post(callback, state) = callback.Invoke state
    override context.CreateCopy() = context

[<Fact>]
let ``a SynchronizationContext that posts by calling does not overflow the stack`` () =
    let operation =
        onSmallStack (fun () ->
            SynchronizationContext.SetSynchronizationContext(Immediate())
            (sum (fun () -> ValueTask<int64> 0L) 100_000).AsTask())

    Assert.Equal(100_000L, Within.result "It" operation)

[<Fact>]
let ``levels on other stacks stay on the caller's SynchronizationContext`` () =
    let seen =
        HomeContext.Run(
            "it",
            fun context ->
                (sum (fun () -> ValueTask<int64>(if context.IsHere then 1L else 0L)) 100_000).AsTask()
        )

    Assert.Equal(100_001L, seen)

// contexts

/// Starts a program on a context of its own with a Task that completes elsewhere, and only after the program waits for it.
let private onContext (name: string) (program: HomeContext -> Task<int> -> Task<'T>) : 'T =
    HomeContext.Run(
        name,
        fun context ->
            let source = TaskCompletionSource<int>()
            let operation = program context source.Task
            Foreign.Run(fun () -> source.SetResult 1)
            operation
    )

[<Fact>]
let ``task continues on the captured context after every kind of await`` () =
    let kinds: (string * (HomeContext -> Task<int> -> Task<bool>)) list =
        [
            "Task<'T>",
            fun context source ->
                task {
                    let! _ = source
                    return context.IsHere
                }
            "Task",
            fun context source ->
                task {
                    do! (source :> Task)
                    return context.IsHere
                }
            "ValueTask<'T>",
            fun context source ->
                task {
                    let! _ = ValueTask<int> source
                    return context.IsHere
                }
            "ValueTask",
            fun context source ->
                task {
                    do! ValueTask(source :> Task)
                    return context.IsHere
                }
            "Yield",
            fun context source ->
                task {
                    do! Task.Yield()
                    return context.IsHere
                }
            "Strand",
            fun context source ->
                task {
                    let! _ = Plait.NonAffine.strand { return! source }
                    return context.IsHere
                }
            "Async",
            fun context source ->
                task {
                    let! _ = async { return! Async.AwaitTask source }
                    return context.IsHere
                }
            "function",
            fun context source ->
                task {
                    let! _ = fun () -> source
                    return context.IsHere
                }
            "and!",
            fun context source ->
                task {
                    let! _ = source
                    and! _ = ValueTask<int> source
                    return context.IsHere
                }
        ]

    let wrong =
        [
            for name, program in kinds do
                if not (onContext name program) then
                    name
        ]

    Assert.Empty wrong

[<Fact>]
let ``NonAffine leaves the captured context at every kind of await`` () =
    let kinds: (string * (HomeContext -> Task<int> -> Task<bool>)) list =
        [
            "Task<'T>",
            fun context source ->
                NonAffine.task {
                    let! _ = source
                    return context.IsHere
                }
            "Task",
            fun context source ->
                NonAffine.task {
                    do! (source :> Task)
                    return context.IsHere
                }
            "Task, configured",
            fun context source ->
                NonAffine.task {
                    do! (source :> Task).ConfigureAwait false
                    return context.IsHere
                }
            "ValueTask<'T>",
            fun context source ->
                NonAffine.task {
                    let! _ = ValueTask<int> source
                    return context.IsHere
                }
            "ValueTask",
            fun context source ->
                NonAffine.task {
                    do! ValueTask(source :> Task)
                    return context.IsHere
                }
            "Yield",
            fun context source ->
                NonAffine.task {
                    do! Task.Yield()
                    return context.IsHere
                }
            "Strand",
            fun context source ->
                NonAffine.task {
                    let! _ = Plait.NonAffine.strand { return! source }
                    return context.IsHere
                }
            "Async",
            fun context source ->
                NonAffine.task {
                    let! _ = async { return! Async.AwaitTask source }
                    return context.IsHere
                }
            "function",
            fun context source ->
                NonAffine.task {
                    let! _ = fun () -> source
                    return context.IsHere
                }
            "and!",
            fun context source ->
                NonAffine.task {
                    let! _ = source
                    and! _ = ValueTask<int> source
                    return context.IsHere
                }
        ]

    let wrong =
        [
            for name, program in kinds do
                if onContext name program then
                    name
        ]

    Assert.Empty wrong

[<Fact>]
let ``backgroundTask never runs on the caller's context, and starts at once where there is none`` () =
    let here =
        HomeContext.Run("it", (fun context -> backgroundTask { return context.IsHere }))

    Assert.False here

    let thread =
        Within.thread "The start" 0 (fun () ->
            let id = Environment.CurrentManagedThreadId
            backgroundTask { return id = Environment.CurrentManagedThreadId })

    Assert.True(Within.result "It" thread)

// tasks

/// Its Task has a result that the caller does not want.
let private counted (x: int) : Task<int> = task { return x + 1 }

[<Fact>]
let ``a Task<'T> as a Task, straight from a call, is awaited`` () =
    let once () =
        task {
            do! (counted 1 :> Task)
            return 1
        }

    let repeated () =
        valueTask {
            let mutable turns = 0

            for x in [ 1; 2; 3 ] do
                do! (counted x :> Task)
                turns <- turns + 1

            return turns
        }

    let offContext () =
        NonAffine.task {
            for x in [ 1; 2; 3 ] do
                do! (counted x :> Task)

            return 1
        }

    let configured () =
        task {
            for x in [ 1; 2; 3 ] do
                do! (counted x :> Task).ConfigureAwait false

            return 1
        }

    let returned () =
        taskUnit { return! (counted 1 :> Task) }

    Assert.Equal(1, Within.result "It" (once ()))
    Assert.Equal(3, Within.result "It" (repeated().AsTask()))
    Assert.Equal(1, Within.result "It" (offContext ()))
    Assert.Equal(1, Within.result "It" (configured ()))
    Within.ended "It" (returned ())

[<Fact>]
let ``a ValueTask that has suspended can be read twice, and a Task awaited often`` () =
    let start () =
        valueTask {
            do! Task.Yield()
            return 3
        }

    let operation = start ()
    Assert.Equal(3, Within.result "It" (operation.AsTask()))
    Assert.Equal(3, Within.result "It" (operation.AsTask()))

// functions as values

let private plusYielding (x: int) (y: int) : ValueTask<int> =
    valueTask {
        do! Task.Yield()
        return x + y
    }

let private plusTask (x: int) (y: int) : Task<int> = (plusYielding x y).AsTask()

[<Fact>]
let ``AsyncFunc.ofFun keeps the function, and toFun gives it back`` () =
    let f1 = AsyncFunc.ofFun (fun x -> plusYielding x 1)
    let f2 = AsyncFunc.ofFun2 (fun x y -> plusYielding x y)
    let f3 = AsyncFunc.ofFun3 (fun x y z -> plusYielding x (y + z))
    let t1 = AsyncFunc.ofTaskFun (fun x -> plusTask x 1)
    let t2 = AsyncFunc.ofTaskFun2 (fun x y -> plusTask x y)
    let t3 = AsyncFunc.ofTaskFun3 (fun x y z -> plusTask x (y + z))

    let all =
        task {
            let! a = f1.Invoke 2
            let! b = t1.Invoke 2
            let! c = f2.Invoke(1, 2)
            let! d = t2.Invoke(1, 2)
            let! e = f3.Invoke(1, 1, 1)
            let! f = t3.Invoke(1, 1, 1)
            let! g = AsyncFunc.toFun f1 2
            let! h = AsyncFunc.toTaskFun t1 2
            let! i = AsyncFunc.toFun2 f2 1 2
            let! j = AsyncFunc.toTaskFun2 f2 1 2
            let! k = AsyncFunc.toFun3 f3 1 1 1
            let! l = AsyncFunc.toTaskFun3 f3 1 1 1
            return [ a; b; c; d; e; f; g; h; i; j; k; l ]
        }

    Assert.Equal<int list>(List.replicate 12 3, Within.result "It" all)

// steps

let private started (start: unit -> Task<int>) : Task<int> = task { return! start }

[<Fact>]
let ``a function that starts a task is no step`` () =
    let bound () =
        task {
            let! (x: int) = fun () -> Task.FromResult 3
            return x
        }

    Assert.Equal(3, Within.result "It" (started (fun () -> Task.FromResult 3)))
    Assert.Equal(3, Within.result "It" (bound ()))

[<Fact>]
let ``steps run in order, suspend, and read the variables around them`` () =
    let log = List<int>()

    let all (k: int) =
        task {
            let! mapped =
                [ 1; 2; 3 ]
                |> List.mapAsync (fun x ->
                    step {
                        log.Add x
                        let! y = plusYielding x k
                        return y
                    })

            let! even =
                mapped |> List.filterAsync (fun x -> step { return! valueTask { return x % 2 = 0 } })

            let! total =
                mapped |> List.foldAsync (fun sum x -> step { return! plusYielding sum x }) 0

            let! array =
                [| 1; 2 |] |> Array.mapAsync (fun x -> step { return! plusYielding x k })

            do!
                seq {
                    7
                    8
                }
                |> Seq.iterAsync (fun x -> step { log.Add x })

            let! some = Some 1 |> Option.mapAsync (fun x -> step { return! plusYielding x k })
            let! none = (None: int option) |> Option.bindAsync (fun x -> step { return Some x })
            let! ok = Ok 1 |> Result.mapAsync (fun x -> step { return! plusYielding x k })
            let! error = Error "no" |> Result.bindAsync (fun (x: int) -> step { return Ok x })
            return mapped, even, total, List.ofArray array, some, none, (ok: Result<int, string>), error
        }

    let mapped, even, total, array, some, none, ok, error = Within.result "It" (all 10)
    Assert.Equal<int list>([ 11; 12; 13 ], mapped)
    Assert.Equal<int list>([ 12 ], even)
    Assert.Equal(36, total)
    Assert.Equal<int list>([ 11; 12 ], array)
    Assert.Equal(Some 11, some)
    Assert.Equal(None, none)
    Assert.Equal(Ok 11, ok)
    Assert.Equal(Error "no", error)
    Assert.Equal<int seq>([ 1; 2; 3; 7; 8 ], log)

[<Fact>]
let ``List, Array and Seq have the same functions`` () =
    let log = List<int>()
    let even x = x % 2 = 0

    let all () =
        task {
            do! [ 1; 2 ] |> List.iterAsync (fun x -> step { log.Add x })
            do! [| 3 |] |> Array.iterAsync (fun x -> step { log.Add x })
            let! array = [| 1; 2; 4 |] |> Array.filterAsync (fun x -> step { return even x })
            let! items = Seq.init 4 id |> Seq.filterAsync (fun x -> step { return even x })

            let! mapped =
                Seq.init 3 id |> Seq.mapAsync (fun x -> step { return! plusYielding x 1 })

            let! sum =
                Seq.init 4 id |> Seq.foldAsync (fun sum x -> step { return! plusYielding sum x }) 0

            return List.ofArray array, items, mapped, sum
        }

    let array, items, mapped, sum = Within.result "It" (all ())
    Assert.Equal<int list>([ 2; 4 ], array)
    Assert.Equal<int list>([ 0; 2 ], items)
    Assert.Equal<int list>([ 1; 2; 3 ], mapped)
    Assert.Equal(6, sum)
    Assert.Equal<int seq>([ 1; 2; 3 ], log)

/// A context that counts what is posted to it, and runs it elsewhere.
type private Counted() =
    inherit SynchronizationContext()
    let mutable posts = 0
    member _.Posts = posts

    override context.Post(callback, state) =
        Interlocked.Increment &posts |> ignore

        ThreadPool.QueueUserWorkItem(fun _ ->
            SynchronizationContext.SetSynchronizationContext context
            callback.Invoke state)
        |> ignore

    override context.CreateCopy() = context

let private posts (program: unit -> Task<'T>) =
    let context = Counted()

    let operation =
        Within.thread "The start" 0 (fun () ->
            SynchronizationContext.SetSynchronizationContext context
            program ())

    let result = Within.result "It" operation
    result, context.Posts

[<Fact>]
let ``NonAffine builders run steps, and steps of NonAffine post nothing to the captured context`` () =
    let offContext () =
        NonAffine.task {
            let! mapped =
                [ 1; 2; 3 ]
                |> List.mapAsync (fun x ->
                    NonAffine.step {
                        do! Task.Yield()
                        do! Task.Delay 1
                        let! y = plusYielding x 1
                        return y
                    })

            do! mapped |> Seq.iterAsync (fun _ -> NonAffine.step { do! Task.Yield() })
            return! mapped |> List.foldAsync (fun sum x -> NonAffine.step { return! plusYielding sum x }) 0
        }

    let ofValue () =
        NonAffine.valueTask {
            return!
                [ 1 ]
                |> List.foldAsync
                    (fun sum x ->
                        NonAffine.step {
                            do! Task.Yield()
                            return sum + x
                        })
                    0
        }

    let onContext () =
        task {
            let! mapped = [ 1; 2 ] |> List.mapAsync (fun x -> step { return! plusYielding x 1 })
            return mapped.Length
        }

    Assert.Equal((9, 0), posts offContext)
    Assert.Equal((1, 0), posts (fun () -> ofValue().AsTask()))
    let length, posted = posts onContext
    Assert.Equal(2, length)
    Assert.True(posted > 0, "`step` continues on the captured context")

[<Fact>]
let ``an error in a step ends the function, and the rest does not run`` () =
    let log = List<int>()

    let all () =
        task {
            do!
                [ 1; 2; 3 ]
                |> Seq.iterAsync (fun x ->
                    step {
                        do! Task.Yield()
                        log.Add x

                        if x = 2 then
                            invalidOp "two"
                    })
        }

    Assert.Equal("two", (Within.error "It" (all ())).Message)
    Assert.Equal<int seq>([ 1; 2 ], log)

/// Operations that end when they are let go, in the order in which they were started.
type private Held() =
    let starts = Channel.CreateUnbounded<struct (int * TaskCompletionSource<int>)>()
    let mutable underWay = 0
    let mutable most = 0

    /// The most that were under way when one was started.
    member _.Most = most

    /// Starts the operation of an item. Its result is the item and 100.
    member _.Start(item: int) : Task<int> =
        let held =
            TaskCompletionSource<int> TaskCreationOptions.RunContinuationsAsynchronously

        lock starts (fun () ->
            underWay <- underWay + 1
            most <- max most underWay)

        Assert.True(starts.Writer.TryWrite(struct (item, held)))
        held.Task

    /// Waits until the next is started.
    member _.Next(number: int) : struct (int * TaskCompletionSource<int>) =
        Within.result $"The start of operation {number}" (starts.Reader.ReadAsync().AsTask())

    /// Ends an operation.
    member _.LetGo(struct (item, held): struct (int * TaskCompletionSource<int>)) =
        lock starts (fun () -> underWay <- underWay - 1)
        held.SetResult(item + 100)

let private throttles (start: Held -> int list -> Task<int[]>) =
    let limit, count = 3, 10
    let held = Held()
    let operation = start held [ 1..count ]

    // all of the first are started although none has ended, and each further one when one has
    let waiting = Queue [ for number in 1..limit -> held.Next number ]
    let started = List<int>(seq { for struct (item, _) in waiting -> item })

    for number in limit + 1 .. count do
        held.LetGo(waiting.Dequeue())
        let (struct (item, _) as next) = held.Next number
        started.Add item
        waiting.Enqueue next

    Seq.iter held.LetGo waiting
    Assert.Equal<int seq>([ 101 .. 100 + count ], Within.result "It" operation)
    Assert.Equal<int seq>([ 1..count ], started)
    Assert.Equal(limit, held.Most)

[<Fact>]
let ``throttled steps run so many at a time and no more, in order, and give their results in order`` () =
    throttles (fun held items ->
        task { return! items |> Seq.mapThrottled 3 (fun item -> step { return! held.Start item }) })

[<Fact>]
let ``an AsyncFunc is called for so many items at a time and no more, in order`` () =
    throttles (fun held items ->
        AsyncFunc.mapThrottled 3 (AsyncFunc.ofTaskFun (fun item -> held.Start item)) items)

[<Fact>]
let ``a limit below one is refused`` () =
    let plusOne = AsyncFunc.ofFun (fun x -> plusYielding x 1)
    let steps = [ 1 ] |> Seq.mapThrottled 0 (fun x -> step { return x })

    Assert.IsType<ArgumentOutOfRangeException>(Within.error "It" (AsyncFunc.mapThrottled 0 plusOne [ 1 ]))
    |> ignore

    Assert.IsType<ArgumentOutOfRangeException>(Within.error "It" steps) |> ignore

[<Fact>]
let ``null items are an error of the result`` () =
    let plusOne = AsyncFunc.ofFun (fun x -> plusYielding x 1)
    let none = Unchecked.defaultof<seq<int>>

    for all in
        [ AsyncFunc.mapThrottled 1 plusOne none; none |> Seq.mapThrottled 1 (fun x -> step { return x }) ] do
        Assert.Equal("items", Assert.IsType<ArgumentNullException>(Within.error "It" all).ParamName)

[<Fact>]
let ``after an error in a throttled step no other is started`` () =
    let started = List<int>()

    let all () =
        NonAffine.task {
            return!
                [ 1; 2; 3 ]
                |> Seq.mapThrottled 1 (fun x ->
                    NonAffine.step {
                        started.Add x
                        do! Task.Yield()

                        if x = 2 then
                            invalidOp "two"

                        return x
                    })
        }

    Assert.Equal("two", (Within.error "It" (all ())).Message)
    Assert.Equal<int seq>([ 1; 2 ], started)

// traces

let rec private broken (level: int) : Task<int> =
    task {
        do! Task.Yield()

        if level = 0 then
            return invalidOp "broken"
        else
            let! below = broken (level - 1)
            return below + 1
    }

[<Fact>]
let ``the trace of an error names every function on its way`` () =
    let trace = string (Within.error "It" (broken 3)).StackTrace

    let levels =
        trace.Split '\n' |> Array.filter _.Contains("Semantics.broken") |> Array.length

    Assert.True((levels = 4), trace)
