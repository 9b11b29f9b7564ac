// Under test: `whenAll`, `whenAny`, `whenAllThrottled`, `sequential`, over every module.
// All orders of completion up to four operations.
module Plait.Tests.CombinatorsTogether

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading.Tasks
open Xunit

let families = Families.rowsWithUnits

let rec private permutations (items: int list) =
    match items with
    | [] -> [ [] ]
    | _ ->
        [
            for item in items do
                for rest in permutations (List.except [ item ] items) -> item :: rest
        ]

/// How many, and in which order they end.
let private orders =
    [
        for count in 1..4 do
            for order in permutations [ 0 .. count - 1 ] -> count, order
    ]

/// How an operation ends.
type private Ending =
    | Succeeds
    | Fails
    | Cancels

let private settle (source: Counted) (index: int) (ending: Ending) =
    match ending with
    | Succeeds -> source.Complete index
    | Fails -> source.Fail(InvalidOperationException $"of {index}")
    | Cancels -> source.Fail(OperationCanceledException $"of {index}")

let private takenOnce (sources: Counted list) =
    Within.comes "every operation is consumed" (fun () ->
        sources |> List.forall (fun source -> source.Taken > 0))

    for source in sources do
        Assert.Equal(1, source.Taken)

/// Each operation succeeding, or one of them failing or cancelled, or all of them failing.
let private endings (count: int) =
    let all ending = List.replicate count ending

    [
        all Succeeds
        all Fails
        for index in 0 .. count - 1 do
            List.updateAt index Fails (all Succeeds)
            List.updateAt index Cancels (all Succeeds)
            List.updateAt index Cancels (all Fails)
    ]

[<Theory; MemberData(nameof families)>]
let ``whenAll awaits all, in every order, and gives the results or the first error in order`` (name: string) =
    let family = Families.named name

    for count, order in orders do
        for endings in endings count do
            // some have ended before the call
            for before in 0..count do
                let sources = List.init count (fun _ -> Counted())
                let early, late = List.splitAt before order

                for index in early do
                    settle sources[index] index endings[index]

                let task = family.WhenAll(sources |> List.map _.Operation)

                for index in late do
                    Assert.False task.IsCompleted
                    settle sources[index] index endings[index]

                Within.ended "whenAll" task
                takenOnce sources

                let first =
                    match List.tryFindIndex (fun ending -> ending = Fails) endings with
                    | Some index when name = "Task" -> Some index // the BCL's rule: no cancellation hides a failure
                    | _ -> List.tryFindIndex (fun ending -> ending <> Succeeds) endings

                match first with
                | None -> Assert.Equal<int>([| 0 .. count - 1 |], task.Result)
                | Some index ->
                    Assert.Equal($"of {index}", (Within.error "whenAll" task).Message)
                    Assert.Equal((endings[index] = Cancels), task.IsCanceled)

[<Theory; MemberData(nameof families)>]
let ``whenAny gives the first to end, well or not, and consumes the losers`` (name: string) =
    let family = Families.named name

    for count, order in orders do
        for endings in endings count do
            let sources = List.init count (fun _ -> Counted())
            let task = family.WhenAny(sources |> List.map _.Operation)
            Assert.False task.IsCompleted
            let winner = order.Head
            settle sources[winner] winner endings[winner]
            Within.ended "whenAny" task

            for index in order.Tail do
                settle sources[index] index endings[index]

            takenOnce sources

            match endings[winner] with
            | Succeeds -> Assert.Equal(winner, task.Result)
            | ending ->
                Assert.Equal($"of {winner}", (Within.error "whenAny" task).Message)
                Assert.Equal((ending = Cancels), task.IsCanceled)

[<Theory; MemberData(nameof families)>]
let ``whenAny of operations that have ended gives the first in order`` (name: string) =
    let family = Families.named name

    for winner in 0..3 do
        let sources = List.init 4 (fun _ -> Counted())

        for index in winner..3 do
            settle sources[index] index Succeeds

        let task = family.WhenAny(sources |> List.map _.Operation)
        Assert.Equal(winner, Within.result "whenAny" task)

        for index in 0 .. winner - 1 do
            settle sources[index] index Fails

        takenOnce sources

/// Starts that log, over sources that are settled by hand; counts those in flight.
type private Starts(count: int) =
    let sources = List.init count (fun _ -> Counted())
    let started = ConcurrentQueue<int>()

    member _.Sources = sources
    member _.Started = List.ofSeq started

    member _.Functions: (unit -> ValueTask<int>) list =
        [
            for index in 0 .. count - 1 ->
                fun () ->
                    started.Enqueue index
                    sources[index].Operation
        ]

[<Theory; MemberData(nameof families)>]
let ``whenAllThrottled starts in order, never more than its limit, and refills in every order``
    (name: string)
    =
    let family = Families.named name

    for limit in 1..5 do
        for order in permutations [ 0..3 ] do
            let starts = Starts 4
            let task = family.WhenAllThrottled limit starts.Functions
            let mutable ended = Set.empty

            while ended.Count < 4 do
                // as many as the limit allows are in flight, and not one more
                let expected = min 4 (ended.Count + limit)
                Within.comes "the window is full" (fun () -> starts.Started.Length >= expected)
                Assert.Equal<int list>([ 0 .. expected - 1 ], starts.Started)
                Assert.False task.IsCompleted

                let next =
                    order |> List.find (fun index -> index < expected && not (ended.Contains index))

                ended <- ended.Add next
                settle starts.Sources[next] next Succeeds

            Assert.Equal<int>([| 0..3 |], Within.result "It" task)
            takenOnce starts.Sources

[<Theory; MemberData(nameof families)>]
let ``after a failure nothing is started, and operations in flight are awaited first`` (name: string) =
    let family = Families.named name

    for limit in 1..3 do
        for failing in 0 .. limit - 1 do
            for ending in [ Fails; Cancels ] do
                let starts = Starts 6
                let task = family.WhenAllThrottled limit starts.Functions
                settle starts.Sources[failing] failing ending

                for index in 0 .. limit - 1 do
                    if index <> failing then
                        Assert.False task.IsCompleted
                        settle starts.Sources[index] index Fails

                Within.ended "It" task
                Assert.Equal<int list>([ 0 .. limit - 1 ], starts.Started)
                let error = Within.error "It" task
                Assert.Equal("of 0", error.Message)
                Assert.Equal((ending = Cancels && failing = 0), task.IsCanceled)
                takenOnce (List.take limit starts.Sources)

                for source in List.skip limit starts.Sources do
                    Assert.Equal(0, source.Taken)

[<Theory; MemberData(nameof families)>]
let ``a start that throws is a failure, and so is a sequence that throws`` (name: string) =
    let family = Families.named name
    let first = Counted()

    let starts =
        [
            fun () -> first.Operation
            fun () -> raise (InvalidOperationException "start")
            fun () -> failwith "not reached"
        ]

    let task = family.WhenAllThrottled 2 starts
    Assert.False task.IsCompleted
    first.Complete 1
    Assert.Equal("start", (Within.error "It" task).Message)
    takenOnce [ first ]

    let second = Counted()

    let torn =
        seq {
            yield fun () -> second.Operation
            raise (InvalidOperationException "sequence")
        }

    let task = family.WhenAllThrottled 2 torn
    Assert.False task.IsCompleted
    second.Complete 1
    Assert.Equal("sequence", (Within.error "It" task).Message)
    takenOnce [ second ]

[<Theory; MemberData(nameof families)>]
let ``sequential starts each after the one before, and ends with the first failure`` (name: string) =
    let family = Families.named name
    let starts = Starts 3
    let task = family.Sequential starts.Functions

    for index in 0..2 do
        Within.comes "the next is started" (fun () -> starts.Started.Length > index)
        Assert.Equal<int list>([ 0..index ], starts.Started)
        settle starts.Sources[index] index Succeeds

    Assert.Equal<int>([| 0; 1; 2 |], Within.result "It" task)
    takenOnce starts.Sources

    let starts = Starts 3
    let task = family.Sequential starts.Functions
    settle starts.Sources[0] 0 Fails
    Assert.Equal("of 0", (Within.error "It" task).Message)
    Assert.Equal<int list>([ 0 ], starts.Started)

[<Theory; MemberData(nameof families)>]
let ``operations that are done at once flow through a narrow window without depth`` (name: string) =
    let family = Families.named name
    let count = 20_000

    let task =
        family.WhenAllThrottled 2 (Seq.init count (fun index -> fun () -> ValueTask<int> index))

    Assert.Equal<int>([| 0 .. count - 1 |], Within.result "It" task)

[<Theory; MemberData(nameof families)>]
let ``the degree of a throttle holds when operations end on many threads`` (name: string) =
    let family = Families.named name
    let mutable flying = 0
    let mutable most = 0
    let gate = obj ()

    let change by =
        lock gate (fun () ->
            flying <- flying + by
            most <- max most flying)

    let work index () =
        change 1

        ValueTask<int>(
            task {
                do! Task.Yield()
                change -1
                return index
            }
        )

    let task = family.WhenAllThrottled 4 (Seq.init 5000 work)
    Assert.Equal<int>([| 0..4999 |], Within.result "It" task)
    Assert.InRange(most, 2, 4)

[<Theory; MemberData(nameof families)>]
let ``wrong arguments are errors of the result, and the given operations are consumed`` (name: string) =
    let family = Families.named name
    let error (task: Task) = Within.error "It" task
    let none = Unchecked.defaultof<seq<ValueTask<int>>>

    Assert.IsType<ArgumentNullException>(error (family.WhenAll none)) |> ignore
    Assert.IsType<ArgumentNullException>(error (family.WhenAny none)) |> ignore
    Assert.IsType<ArgumentException>(error (family.WhenAny [])) |> ignore

    Assert.IsType<ArgumentNullException>(error (family.WhenAllThrottled 1 Unchecked.defaultof<_>))
    |> ignore

    let started = Starts 1

    Assert.IsType<ArgumentOutOfRangeException>(error (family.WhenAllThrottled 0 started.Functions))
    |> ignore

    Assert.Empty started.Started
    Assert.Empty(Within.result "whenAll of none" (family.WhenAll []))
    Assert.Empty(Within.result "sequential of none" (family.Sequential []))

    let torn (sources: Counted list) =
        seq {
            for source in sources do
                yield source.Operation

            raise (InvalidOperationException "sequence")
        }

    let sources = [ Counted(); Counted() ]
    let task = family.WhenAll(torn sources)
    sources[1].Complete 1
    Assert.False task.IsCompleted
    sources[0].Complete 0
    Assert.Equal("sequence", (error task).Message)
    takenOnce sources

    let sources = [ Counted(); Counted() ]
    Assert.Equal("sequence", (error (family.WhenAny(torn sources))).Message)

    for source in sources do
        source.Fail(InvalidOperationException())

    takenOnce sources

[<Fact>]
let ``a pooled operation that was used up before is an error, and its neighbours are consumed`` () =
    let stale =
        let source = Counted()
        let operation = Plait.PooledValueTask.map id source.Operation
        source.Complete 1
        Assert.Equal(1, operation.Result)
        operation

    let uses: (ValueTask<int> -> ValueTask<int> -> Task) list =
        [
            fun first last -> (Plait.PooledValueTask.whenAll [ first; stale; last ]).AsTask()
            fun first last ->
                (Plait.PooledValueTask.zip stale (Plait.PooledValueTask.zip first last)).AsTask()
            fun first last -> (Plait.PooledValueTask.whenAny [ stale; first; last ]).AsTask()
            fun first last ->
                (Plait.PooledValueTask.whenAllThrottled
                    3
                    [ for one in [ first; last; stale ] -> fun () -> one ])
                    .AsTask()
        ]

    for start in uses do
        let sources = [ Counted(); Counted() ]
        let task = start sources[0].Operation sources[1].Operation

        for source in sources do
            source.Complete 1

        Assert.IsType<InvalidOperationException>(Within.error "It" task) |> ignore
        takenOnce sources

/// A ResizeArray that gives the operations in the opposite order.
type private Reversed(operations: seq<Task<int>>) =
    inherit ResizeArray<Task<int>>(operations)

    interface seq<Task<int>> with
        member this.GetEnumerator() : IEnumerator<Task<int>> =
            (this.ToArray() |> Seq.rev).GetEnumerator()

[<Fact>]
let ``a subclass of ResizeArray gives the operations that it enumerates`` () =
    let operations = Reversed(Seq.map Task.FromResult [ 1; 2; 3 ])
    Assert.Equal<int[]>([| 3; 2; 1 |], (Plait.Task.whenAll operations).Result)

[<Fact>]
let ``null in place of a Task is a failure among the others`` () =
    let first = TaskCompletionSource<int>()
    let last = TaskCompletionSource<int>()
    let nothing = Unchecked.defaultof<Task<int>>
    let task = Plait.Task.whenAll [| first.Task; nothing; last.Task |]
    first.SetResult 1
    Assert.False task.IsCompleted
    last.SetResult 1
    Assert.IsType<ArgumentException>(Within.error "whenAll" task) |> ignore

    for task in
        [
            Plait.Task.map id nothing
            Plait.Task.bind Task.FromResult nothing
            Plait.Task.whenAny [ nothing ]
            Plait.Task.timeout TimeSpan.Zero nothing
        ] do
        Assert.IsType<ArgumentException>(Within.error "It" task) |> ignore

[<Theory; MemberData(nameof families)>]
let ``races on many threads: each operation is consumed once, each result is of its own call``
    (name: string)
    =
    let family = Families.named name

    for round in 1..2000 do
        let sources = [ Counted(); Counted(); Counted() ]
        let all = family.WhenAll(sources |> List.take 2 |> List.map _.Operation)
        let others = [ Counted(); Counted(); Counted() ]
        let any = family.WhenAny(others |> List.map _.Operation)

        Parallel.Invoke(
            (fun () -> sources[0].Complete round),
            (fun () -> sources[1].Complete -round),
            (fun () -> others[0].Complete(3 * round)),
            (fun () -> others[1].Complete(3 * round + 1)),
            (fun () -> others[2].Complete(3 * round + 2))
        )

        Assert.Equal<int>([| round; -round |], Within.result "whenAll" all)
        Assert.Equal(round, Within.result "whenAny" any / 3)
        takenOnce (others @ List.take 2 sources)

[<Collection("alone")>]
type Unobserved() =

    static member Families = Families.rows

    [<Theory; MemberData(nameof Unobserved.Families)>]
    member _.``no failed operation is left unobserved``(name: string) =
        let family = Families.named name

        let fail () =
            let sources = List.init 3 (fun _ -> TaskCompletionSource<int>())

            let operations () =
                [ for source in sources -> ValueTask<int> source.Task ]

            let results: Task list =
                [
                    family.WhenAll(operations ())
                    family.WhenAny(operations ())
                    family.Zip (operations ()).[0] (operations ()).[1]
                    family.WhenAllThrottled 3 [ for operation in operations () -> fun () -> operation ]
                    family.Timeout TimeSpan.Zero (operations ()).[2]
                ]

            for source in sources do
                source.SetException(InvalidOperationException "of a combined operation")

            for result in results do
                Within.error "It" result |> ignore

        Observed.all "of a combined operation" fail
