// Under test: the modules over operations without a result, where they are not as those with one.
module Plait.Tests.UnitCombinators

open System
open System.IO
open System.Threading.Tasks
open Plait
open Xunit

let families = [| for m in UnitModules.all -> TheoryDataRow(box m.Name) |]

let private named name =
    UnitModules.all |> List.find (fun m -> m.Name = name)

let private ended (task: Task) = Within.ended "It" task

[<Fact>]
let ``all of a TaskUnit that have succeeded are the BCL's completed Task`` () =
    Assert.Same(Task.CompletedTask, TaskUnit.whenAll [ Task.CompletedTask; Task.FromResult 1 ])
    Assert.Same(Task.CompletedTask, TaskUnit.whenAll [])

[<Fact>]
let ``null in place of a Task is a failure among the others`` () =
    let nothing = Unchecked.defaultof<Task>
    let first = TaskCompletionSource()
    let all = TaskUnit.whenAll [ nothing; first.Task ]
    Assert.False all.IsCompleted
    first.SetResult()

    for task in
        [
            all
            TaskUnit.whenAny [ nothing ]
            TaskUnit.timeout TimeSpan.Zero nothing
            TaskUnit.catchWith raise nothing
            TaskUnit.withTimeout (TimeSpan.FromHours 1.) (fun _ -> nothing)
            TaskUnit.iterThrottled 1 (fun _ -> nothing) [ 1 ]
        ] do
        Assert.IsType<ArgumentException>(Within.error "It" task) |> ignore

[<Fact>]
let ``functions that return a Task with a result are work without one`` () =
    let reads = ResizeArray<int>()

    let read (item: int) =
        reads.Add item
        Task.FromResult item

    ended (TaskUnit.iterThrottled 2 (fun item -> read item) [ 1; 2; 3 ])
    Assert.Equal<int>([ 1; 2; 3 ], reads)
    ended (TaskUnit.retry (RetryPolicy()) (fun attempt _ -> read attempt))
    ended (TaskUnit.withTimeout (TimeSpan.FromHours 1.) (fun _ -> read 4))
    Assert.Equal<int>([ 1; 2; 3; 1; 4 ], reads)

[<Theory; MemberData(nameof families)>]
let ``many attempts without a delay do not grow the stack`` (name: string) =
    let policy = RetryPolicy(FirstDelay = TimeSpan.Zero, Attempts = 2_000)
    let error = Task.FromException(IOException())
    let mutable attempts = 0

    let run =
        (named name).Retry policy (fun attempt _ ->
            attempts <- attempt
            if attempt < 2_000 then ValueTask error else ValueTask())

    ended run
    Assert.Equal(2_000, attempts)

[<Theory; MemberData(nameof families)>]
let ``many items pass by a few slots, and the first failure in their order is the result`` (name: string) =
    let mutable seen = 0

    let numbers =
        stream {
            for number in 0..50_000 do
                yield number
        }

    ended (
        (named name).IterAsync
            3
            (fun _ ->
                seen <- seen + 1
                ValueTask())
            numbers
    )

    Assert.Equal(50_001, seen)

    // three in flight: the last fails first
    let sources = List.init 3 (fun _ -> Counted())

    let task =
        (named name).Iter 3 (fun item -> sources[item].UnitOperation) (Seq.initInfinite id)

    for index in [ 2; 1; 0 ] do
        Assert.False task.IsCompleted
        sources[index].Fail(InvalidOperationException $"of {index}")

    Assert.Equal("of 0", (Within.error "It" task).Message)

    for source in sources do
        Assert.Equal(1, source.Taken)

[<Fact>]
let ``results of ValueTaskUnit may be awaited many times, those of PooledValueTaskUnit once`` () =
    let source = Counted()
    let many = ValueTaskUnit.whenAny [ source.UnitOperation ]
    source.Complete 1
    many.GetAwaiter().GetResult()
    many.GetAwaiter().GetResult()

    let source = Counted()
    let once = PooledValueTaskUnit.whenAny [ source.UnitOperation ]
    source.Complete 1
    once.GetAwaiter().GetResult()

    Assert.Throws<InvalidOperationException>(fun () -> once.GetAwaiter().GetResult())
    |> ignore
