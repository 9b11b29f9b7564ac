// Under test: every order of the atomic steps of two threads over one pooled operation, and over a pool; and that the
// exploration finds each compare-and-swap that is missing. Between two atomic steps the order of plain stores is taken to
// be the program's.
namespace Plait.Explorer

#nowarn "3261" // null: nothing in the pool

open System
open System.Threading.Tasks.Sources
open Xunit

open Plait.Kernel

[<Sealed>]
type internal Operation() =
    inherit PooledSource<int>()
    member val Recycled = 0 with get, set
    override _.Resume() = ()
    override _.Action = Action ignore
    override _.ClearMachine() = ()

    override operation.Recycle() =
        operation.Recycled <- operation.Recycled + 1

[<Sealed; AllowNullLiteral>]
type internal Item() = class end

module internal Scenarios =
    let private flags = ValueTaskSourceOnCompletedFlags.UseSchedulingContext

    /// The value, or -1 for an InvalidOperationException.
    let take (operation: Operation) token =
        try
            (operation :> IValueTaskSource<int>).GetResult token
        with :? InvalidOperationException ->
            -1

    let private subscribe (operation: Operation) token (called: int ref) =
        operation.Subscribe(Action<obj>(fun _ -> called.Value <- called.Value + 1), obj (), token, flags)

    let completedAndAwaited () =
        let operation = Operation()
        let seen = ResizeArray()

        let await () =
            operation.Subscribe(Action<obj>(fun _ -> seen.Add(take operation 0s)), obj (), 0s, flags)

        [ (fun () -> operation.Complete 7); await ],
        fun () ->
            Assert.Equal<int>([ 7 ], seen)
            Assert.Equal(1, operation.Recycled)

    let completedAndPolled () =
        let operation = Operation()
        let seen = ref 0

        [ (fun () -> operation.Complete 7); (fun () -> seen.Value <- take operation 0s) ],
        fun () ->
            Assert.True((seen.Value = 7 || seen.Value = -1), $"seen: {seen.Value}")
            Assert.Equal((if seen.Value = 7 then -1 else 7), take operation 0s)
            Assert.Equal(1, operation.Recycled)

    let awaitedTwice () =
        let operation = Operation()
        let first, second = ref 0, ref 0

        [ (fun () -> subscribe operation 0s first); (fun () -> subscribe operation 0s second) ],
        fun () ->
            operation.Complete 7
            Assert.Equal((1, 1), (first.Value, second.Value))
            Assert.Equal(7, take operation 0s)

    let consumedTwice () =
        let operation = Operation()
        operation.Complete 7
        let seen = [| 0; 0 |]

        [ (fun () -> seen[0] <- take operation 0s); (fun () -> seen[1] <- take operation 0s) ],
        fun () ->
            Assert.Equal<int>([ -1; 7 ], Array.sort seen)
            Assert.Equal(1, operation.Recycled)

    let reusedAndStale () =
        let operation = Operation()
        operation.Complete 7
        let first = ref 0
        let stale = ref 0
        let called = ref 0

        let reuse () =
            first.Value <- take operation 0s

            if first.Value = 7 then
                operation.Complete 8

        let late () =
            subscribe operation 0s called
            stale.Value <- take operation 0s

        [ reuse; late ],
        fun () ->
            Assert.Equal(1, called.Value)
            Assert.Equal<int>([ -1; 7 ], List.sort [ first.Value; stale.Value ])

            if first.Value = 7 then
                Assert.Equal(8, take operation 1s)

    let completedAsTask () =
        let operation = Operation()
        let task: System.Threading.Tasks.Task<int> ref = ref null

        [ (fun () -> operation.Complete 7); (fun () -> task.Value <- operation.ToTask()) ],
        fun () ->
            Assert.True task.Value.IsCompletedSuccessfully
            Assert.Equal(7, task.Value.Result)
            Assert.Equal(1, operation.Recycled)

    let rentedTwice () =
        let pool = Overflow<Item>(1, 1)
        let item = Item()
        pool.Return item
        let seen: Item[] = [| null; null |]

        [ (fun () -> seen[0] <- pool.Rent()); (fun () -> seen[1] <- pool.Rent()) ],
        fun () ->
            Assert.Equal(
                1,
                seen |> Array.filter (fun rented -> obj.ReferenceEquals(rented, item)) |> Array.length
            )

            Assert.Equal(0, pool.Count)

    let rentedAndReturned () =
        let pool = Overflow<Item>(1, 1)
        let held = [| Item(); Item() |]
        pool.Return(Item())
        let rented: Item[] = [| null; null |]

        let turn at () =
            pool.Return held[at]
            rented[at] <- pool.Rent()

        [ turn 0; turn 1 ],
        fun () ->
            let left = [ rented[0]; rented[1]; pool.Rent() ] |> List.filter (isNull >> not)
            Assert.Equal(left.Length, (List.distinctBy LanguagePrimitives.PhysicalHash left).Length)
            Assert.Null(pool.Rent())

[<Collection("alone")>]
type Schedules(output: ITestOutputHelper) =
    let explore scenario =
        Atomic.Plant <- Planted.Nothing
        let count = Schedule.All scenario
        output.WriteLine $"{count} schedules"
        Assert.True(count > 1, "There was nothing to choose.")

    let finds planted scenario =
        Atomic.Plant <- planted

        try
            Assert.ThrowsAny<exn>(fun () -> Schedule.All scenario |> ignore) |> ignore
        finally
            Atomic.Plant <- Planted.Nothing

    [<Fact>]
    member _.``an awaited operation calls its waiter once, with the value``() =
        explore Scenarios.completedAndAwaited

    [<Fact>]
    member _.``a pending operation that is read throws and completes all the same``() =
        explore Scenarios.completedAndPolled

    [<Fact>]
    member _.``two awaits of one operation are both called once``() = explore Scenarios.awaitedTwice

    [<Fact>]
    member _.``one of two consumers has the value``() = explore Scenarios.consumedTwice

    [<Fact>]
    member _.``a stale handle sees nothing of the next operation``() = explore Scenarios.reusedAndStale

    [<Fact>]
    member _.``a Task in place of the operation is settled once``() = explore Scenarios.completedAsTask

    [<Fact>]
    member _.``one of two renters has the item``() = explore Scenarios.rentedTwice

    [<Fact>]
    member _.``rents beside returns never hand out an item twice``() = explore Scenarios.rentedAndReturned

    [<Fact>]
    member _.``a torn claim is found``() =
        finds Planted.Claim Scenarios.awaitedTwice

    [<Fact>]
    member _.``a torn claim beside a completion is found``() =
        finds Planted.Claim Scenarios.completedAndAwaited

    [<Fact>]
    member _.``a torn claim for a Task is found``() =
        finds Planted.Claim Scenarios.completedAsTask

    [<Fact>]
    member _.``a torn completion is found``() =
        finds Planted.Completion Scenarios.completedAndAwaited

    [<Fact>]
    member _.``a torn consumption is found``() =
        finds Planted.Consumption Scenarios.consumedTwice

    [<Fact>]
    member _.``a torn slot of the pool is found``() =
        finds Planted.Slot Scenarios.rentedTwice
