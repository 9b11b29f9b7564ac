// Under test: `Plait.Migration`. Code in the style of the readmes of Ply, TaskBuilder.fs and IcedTasks compiles and runs
// with nothing changed but its `open`, and the results are of the types that those libraries give.
namespace Plait.Tests.Migration

open System
open System.IO
open System.Linq
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Tests

/// One that counts as a context; an instance of the base class does not.
type PoolContext() =
    inherit SynchronizationContext()

module Home =

    /// Whether the code runs on a context.
    let isHere () =
        not (isNull SynchronizationContext.Current)

/// What a library of a user would hold, written for Ply.
module WrittenForPly =
    open Plait.Migration.Ply
    open Plait.Migration.Ply.Unsafe

    let later (x: int) : Task<int> =
        task {
            do! Task.Yield()
            return x
        }

    let nothing (done': int ref) : Task =
        unitTask {
            let! x = later 3
            done'.Value <- x
        }

    let counted (xs: int list) : ValueTask<int> =
        vtask {
            let mutable sum = 0

            for x in xs do
                let! y = later x
                sum <- sum + y

            return sum
        }

    let quiet (t: Task) : ValueTask = unitVtask { do! t }

    let rec eval (depth: int) : Ply<int> =
        uply {
            if depth = 0 then
                return 0
            else
                let! rest = eval (depth - 1)
                return rest + 1
        }

    let whole () : ValueTask<int> =
        uvtask {
            let! x = eval 10
            let! y = later 1
            return x + y
        }

    let failing () : ValueTask<int> = uvtask { return failwith "in uvtask" }
    let failingUnit () : Task = uunitTask { failwith "in uunitTask" }
    let failingPly () : Ply<int> = uply { return failwith "in uply" }
    let quietly (t: Task) : ValueTask = uunitVtask { do! t }

/// The same names off the captured context.
module WrittenForPlyOffContext =
    open Plait.Migration.Ply.NonAffine
    open Plait.Migration.Ply.NonAffine.Unsafe

    let context (t: Task) =
        task {
            do! t
            return Home.isHere ()
        }

    let contextOfUnit (t: Task) (seen: bool ResizeArray) =
        unitTask {
            do! t
            seen.Add(Home.isHere ())
        }

    let contextOfValue (t: Task) =
        vtask {
            do! t
            return Home.isHere ()
        }

    let contextOfPly (t: Task) =
        uply {
            do! t
            return Home.isHere ()
        }

    let contextOfUnsafe (t: Task) =
        uvtask {
            do! t
            return Home.isHere ()
        }

    let unitary (t: Task) : Task = uunitTask { do! t }

    let unitaryValues (t: Task) : ValueTask * ValueTask =
        unitVtask { do! t }, uunitVtask { do! t }

/// The names that Ply has in other modules too, and its builders as base classes.
module WrittenForPlysModules =
    open Plait.Migration.Ply

    let done' (x: int) : Ply<int> = Ply x

    let affine () : Task<int> =
        Affine.task {
            let! x = Affine.Unsafe.uply { return! done' 1 }
            let! y = NonAffine.vtask { return 2 }
            return x + y
        }

    module Old =
        open Plait.Migration.Ply.Builders
        open Plait.Migration.Ply.Builders.Unsafe

        let sum () : ValueTask<int> =
            vtask {
                let! x = uply { return 1 }
                let! y = task { return 2 }
                do! unitVtask { do! unitTask { () } }
                do! uunitVtask { do! uunitTask { () } }
                let! z = uvtask { return 3 }
                return x + y + z
            }

        type Derived() =
            inherit ValueTaskBuilder()

        type DerivedPly() =
            inherit UnsafePlyBuilder()

        let derived, derivedPly = Derived(), DerivedPly()

        let bySubclass () : ValueTask<int> =
            derived {
                let! x = derivedPly { return 1 }
                return x + 1
            }

/// The example of the readme of TaskBuilder.fs, which asks the console, with a reader and a writer for it.
module WrittenForTaskBuilder =
    open Plait.Migration.TaskBuilder

    type X(input: TextReader, output: TextWriter) =
        member _.WriteFile() =
            task {
                do! output.WriteLineAsync("Enter a filename:")
                let! name = input.ReadLineAsync()
                use file = File.CreateText(string name)

                for i in Enumerable.Range(0, 100) do
                    do! file.WriteLineAsync(String.Format("hello {0}", i))

                do! output.WriteLineAsync("Done")
                return name
            }

    let old (t: Task) =
        task {
            do! unitTask t
            let! x = async { return 2 }
            return! Task.FromResult(x + 1)
        }

module WrittenForContextInsensitive =
    open Plait.Migration.TaskBuilder.ContextInsensitive

    let context (t: Task) =
        task {
            do! unitTask t
            do! t
            return Home.isHere ()
        }

/// In the manner of the readme of IcedTasks.
module WrittenForIcedTasks =
    open Plait.Migration.IcedTasks

    let myValueTask =
        task {
            let! theAnswer = valueTask { return 42 }
            return theAnswer
        }

    let short (t: Task<int>) : ValueTask<int> =
        vTask {
            let! x = t
            and! y = valueTask { return 1 }
            return x + y
        }

    let pooled (t: Task<int>) : ValueTask<int> = poolingValueTask { return! t }
    let pooledShort (t: Task<int>) : ValueTask<int> = pvTask { return! t }
    let unitary (t: Task) : ValueTask = valueTaskUnit { do! t }

    let file (path: string) : Task =
        taskUnit {
            use stream = File.Create path
            do! stream.WriteAsync(ReadOnlyMemory [| 1uy; 2uy |])
        }

    let background (seen: bool ResizeArray) : Task =
        backgroundTaskUnit { seen.Add(Home.isHere ()) }

/// Functions and base classes of IcedTasks, behind one `open`.
module WrittenWithIcedTasksFunctions =
    open Plait.Migration.IcedTasks

    let computed (t: Task<int>) : ValueTask<string * int> =
        ValueTask.zip
            (ValueTask.ofTask t
             |> ValueTask.bind (fun x -> ValueTask.singleton (x + 1))
             |> ValueTask.map string)
            (ValueTask.apply (ValueTask.singleton ((+) 1)) (vTask { return 1 }))

    let started (t: Task<int>) : Task<unit> =
        let whole = ValueTask.toUnit (pvTask { return! t })
        ValueTask.ofUnit (ValueTask.ofTaskUnit (ValueTask.toTaskUnit whole)) |> ValueTask.toTask

    let inAsync (t: Task<int>) : ValueTask<int> =
        async {
            let! x = Async.AwaitValueTask(pvTask { return! t })
            do! Async.AwaitValueTask(vTaskUnit { do! (t :> Task) })
            return x
        }
        |> Async.AsValueTask

    let throughAsync (operation: ValueTask<int>) : Task =
        Async.StartAsTask(Async.AwaitValueTask operation)

    /// What a user's own awaitable may be.
    type Wrapped<'T> = Wrapped of Task<'T>

    type WrappedBuilder() =
        inherit ValueTaskBuilder()
        member inline _.Source(Wrapped task) = valueTask.Source(task: Task<'T>)

    type Background() =
        inherit BackgroundTaskUnitBuilder()

    let wrapped, background = WrappedBuilder(), Background()

    let bySubclass (t: Task<int>) : ValueTask<int> =
        wrapped {
            let! x = Wrapped t
            do! background { () }
            return x + 1
        }

module WrittenForPolyfill =
    open Plait.Migration.IcedTasks.Polyfill

    let sum (xs: seq<int>) : Task<int> =
        task {
            let mutable sum = 0

            for x in xs do
                let! y = Task.FromResult x
                sum <- sum + y

            return sum
        }

    let context () : Task<bool> =
        backgroundTask { return Home.isHere () }

module Tests =

    /// Runs the work under a context that posts to the pool, and ends it later.
    let private underContext (start: Task -> Task<bool>) =
        let gate = TaskCompletionSource()
        let before = SynchronizationContext.Current
        SynchronizationContext.SetSynchronizationContext(PoolContext())

        let pending =
            try
                start gate.Task
            finally
                SynchronizationContext.SetSynchronizationContext before

        gate.SetResult()
        Within.result "It" pending

    [<Fact>]
    let ``Ply: code of the safe builders has the same results`` () =
        let seen = ref 0
        Within.ended "unitTask" (WrittenForPly.nothing seen)
        Assert.Equal(3, seen.Value)
        Assert.Equal(6, Within.result "vtask" ((WrittenForPly.counted [ 1; 2; 3 ]).AsTask()))
        Assert.True((WrittenForPly.quiet Task.CompletedTask).IsCompletedSuccessfully)

    [<Fact>]
    let ``Ply: a vtask that waits may be awaited again`` () =
        let gate = TaskCompletionSource()
        let operation = WrittenForPly.quiet gate.Task
        let first, second = operation.AsTask(), operation.AsTask()
        gate.SetResult()
        Within.ended "The first" first
        Within.ended "The second" second

    [<Fact>]
    let ``Ply: unsafe builders bind each other`` () =
        Assert.Equal(11, Within.result "uvtask" ((WrittenForPly.whole ()).AsTask()))
        Assert.Equal(10, (WrittenForPly.eval 10).Result)
        Assert.True((WrittenForPly.quietly Task.CompletedTask).IsCompletedSuccessfully)

    [<Fact>]
    let ``Ply: an exception before the first wait is in the result of the unsafe ones too`` () =
        let failed = WrittenForPly.failing ()
        Assert.True failed.IsFaulted
        Assert.Equal("in uvtask", (Within.error "uvtask" (failed.AsTask())).Message)
        Assert.Equal("in uunitTask", (Within.error "uunitTask" (WrittenForPly.failingUnit ())).Message)
        Assert.Equal("in uply", (Within.error "uply" ((WrittenForPly.failingPly ()).AsTask())).Message)

    [<Fact>]
    let ``Ply: NonAffine goes on off the context`` () =
        Assert.False(underContext WrittenForPlyOffContext.context)
        Assert.False(underContext (fun t -> (WrittenForPlyOffContext.contextOfValue t).AsTask()))
        Assert.False(underContext (fun t -> (WrittenForPlyOffContext.contextOfPly t).AsTask()))
        Assert.False(underContext (fun t -> (WrittenForPlyOffContext.contextOfUnsafe t).AsTask()))
        let seen = ResizeArray()

        underContext (fun t ->
            let operation = WrittenForPlyOffContext.contextOfUnit t seen

            task {
                do! operation
                return false
            })
        |> ignore

        Assert.Equal<bool>([ false ], seen)
        Within.ended "uunitTask" (WrittenForPlyOffContext.unitary Task.CompletedTask)
        let one, other = WrittenForPlyOffContext.unitaryValues Task.CompletedTask
        Assert.True(one.IsCompletedSuccessfully && other.IsCompletedSuccessfully)

    [<Fact>]
    let ``Ply: code of its modules, old ones too, and subclasses of its builders have the same results`` () =
        Assert.Equal(3, Within.result "task" (WrittenForPlysModules.affine ()))
        Assert.Equal(6, Within.result "vtask" ((WrittenForPlysModules.Old.sum ()).AsTask()))
        Assert.Equal(2, Within.result "It" ((WrittenForPlysModules.Old.bySubclass ()).AsTask()))

    [<Fact>]
    let ``TaskBuilder.fs: the example of its readme runs`` () =
        let path = Path.GetTempFileName()

        try
            use output = new StringWriter()
            let example = WrittenForTaskBuilder.X(new StringReader(path + "\n"), output)
            Assert.Equal(path, Within.result "WriteFile" (example.WriteFile()))
            Assert.Equal("hello 99", File.ReadLines(path).Last())
            Assert.Equal(100, File.ReadLines(path).Count())
        finally
            File.Delete path

    [<Fact>]
    let ``TaskBuilder.fs: unitTask binds Async, and return! takes a Task`` () =
        Assert.Equal(3, Within.result "It" (WrittenForTaskBuilder.old Task.CompletedTask))

    [<Fact>]
    let ``TaskBuilder.fs: ContextInsensitive goes on off the context`` () =
        Assert.False(underContext WrittenForContextInsensitive.context)

    [<Fact>]
    let ``IcedTasks: code of value tasks has the same results`` () =
        Assert.Equal(42, Within.result "task" WrittenForIcedTasks.myValueTask)
        let gate = TaskCompletionSource<int>()
        let operation = WrittenForIcedTasks.short gate.Task
        let first, second = operation.AsTask(), operation.AsTask()
        gate.SetResult 2
        Assert.Equal(3, Within.result "The first" first)
        Assert.Equal(3, Within.result "The second" second)
        Assert.True((WrittenForIcedTasks.unitary Task.CompletedTask).IsCompletedSuccessfully)

    [<Fact>]
    let ``IcedTasks: poolingValueTask is awaited once`` () =
        for start in [ WrittenForIcedTasks.pooled; WrittenForIcedTasks.pooledShort ] do
            let gate = TaskCompletionSource<int>()
            let operation = start gate.Task
            let first = operation.AsTask()
            gate.SetResult 2
            Assert.Equal(2, Within.result "It" first)

            Assert.Throws<InvalidOperationException>(fun () -> operation.Result |> ignore) |> ignore

    [<Fact>]
    let ``IcedTasks: tasks without a result end, also off the caller's context`` () =
        let path = Path.GetTempFileName()
        let seen = ResizeArray()

        try
            Within.ended "taskUnit" (WrittenForIcedTasks.file path)
            Assert.Equal(2L, FileInfo(path).Length)
        finally
            File.Delete path

        Assert.Equal(6, Within.result "task" (WrittenForPolyfill.sum [ 1; 2; 3 ]))
        Assert.False(underContext (fun _ -> WrittenForPolyfill.context ()))

        underContext (fun _ ->
            let operation = WrittenForIcedTasks.background seen

            task {
                do! operation
                return false
            })
        |> ignore

        Assert.Equal<bool>([ false ], seen)

    /// Work that is given a Task that has completed, one that completes later, and one that fails later.
    let private whateverTheSource (work: Task<int> -> Task<'a>) (expected: 'a) =
        Assert.Equal<'a>(expected, Within.result "It" (work (Task.FromResult 2)))
        let gate = TaskCompletionSource<int>()
        let later = work gate.Task
        gate.SetResult 2
        Assert.Equal<'a>(expected, Within.result "It" later)
        let gate = TaskCompletionSource<int>()
        let failed = work gate.Task
        gate.SetException(InvalidOperationException "It broke.")

        match Within.error "It" failed with
        | :? AggregateException as error -> Assert.Equal("It broke.", (nonNull error.InnerException).Message)
        | error -> Assert.Equal("It broke.", error.Message)

    [<Fact>]
    let ``IcedTasks: the functions over ValueTask have the same results`` () =
        whateverTheSource (fun t -> (WrittenWithIcedTasksFunctions.computed t).AsTask()) ("3", 2)
        whateverTheSource WrittenWithIcedTasksFunctions.started ()

    [<Fact>]
    let ``IcedTasks: ValueTask.zip waits for both`` () =
        let first = TaskCompletionSource<int>()
        let second = TaskCompletionSource<int>()

        let both =
            (Plait.Migration.IcedTasks.ValueTask.zip (ValueTask<int> first.Task) (ValueTask<int> second.Task))
                .AsTask()

        first.SetException(InvalidOperationException "It broke.")
        Assert.False both.IsCompleted
        second.SetResult 1
        Assert.Equal("It broke.", (Within.error "It" both).Message)

    [<Fact>]
    let ``IcedTasks: a pooled operation is consumed by toUnit and by AwaitValueTask, once`` () =
        let consumed (consume: ValueTask<int> -> Task) =
            let gate = TaskCompletionSource<int>()
            let operation = WrittenForIcedTasks.pooled gate.Task
            gate.SetResult 2

            Within.comes "The operation" (fun () -> operation.IsCompleted)
            Within.ended "It" (consume operation)

            Assert.Throws<InvalidOperationException>(fun () -> operation.Result |> ignore) |> ignore

        consumed (fun it -> (Plait.Migration.IcedTasks.ValueTask.toUnit it).AsTask())
        consumed WrittenWithIcedTasksFunctions.throughAsync

    [<Fact>]
    let ``IcedTasks: AwaitValueTask and AsValueTask convert both ways`` () =
        whateverTheSource (fun t -> (WrittenWithIcedTasksFunctions.inAsync t).AsTask()) 2

    [<Fact>]
    let ``IcedTasks: subclasses of its builders have the same results`` () =
        whateverTheSource (fun t -> (WrittenWithIcedTasksFunctions.bySubclass t).AsTask()) 3
