// Under test: the combinators over one or two operations, over every module: `result map bind apply zip parallelZip ignore
// catch catchWith ofUnit toUnit timeout`.
module Plait.Tests.CombinatorsAlone

open System
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

let families = Families.rows
let familiesWithUnits = Families.rowsWithUnits

/// A use of a combinator with one operation: what it is called, what it does, and what 5 becomes.
let private uses (family: Family) : (string * (Counted -> Task<int>) * int) list =
    let first (task: Task<struct (int * int)>) =
        task.ContinueWith(
            (fun (task: Task<struct (int * int)>) ->
                let struct (left, right) = task.GetAwaiter().GetResult()
                left * 10 + right),
            TaskContinuationOptions.ExecuteSynchronously
        )

    let done' = ValueTask<int> 1

    let ofAll: (string * (Counted -> Task<int>) * int) list =
        [
            "catchWith", (fun source -> family.CatchWith raise source.Operation), 5
            "timeout", (fun source -> family.Timeout (TimeSpan.FromHours 1.) source.Operation), 5
            "no timeout", (fun source -> family.Timeout Timeout.InfiniteTimeSpan source.Operation), 5
            "whenAny of one", (fun source -> family.WhenAny [ source.Operation ]), 5
        ]

    let ofValues: (string * (Counted -> Task<int>) * int) list =
        [
            "map", (fun source -> family.Map ((+) 1) source.Operation), 6
            "bind", (fun source -> family.Bind (fun value -> ValueTask<int>(value + 1)) source.Operation), 6
            "bind to it", (fun source -> family.Bind (fun _ -> source.Operation) done'), 5
            "apply to it", (fun source -> family.Apply ((*) 2) done' source.Operation), 12
            "apply it", (fun source -> family.Apply ((*) 2) source.Operation done'), 12
            "zip", (fun source -> first (family.Zip source.Operation done')), 51
            "parallelZip", (fun source -> first (family.ParallelZip done' source.Operation)), 15
        ]

    if family.HasValues then ofAll @ ofValues else ofAll

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``a combinator gives its value for a complete and for a pending operation`` (name: string) =
    for title, apply, expected in uses (Families.named name) do
        let ended = Counted()
        ended.Complete 5
        Assert.Equal(expected, Within.result title (apply ended))

        let pending = Counted()
        let task = apply pending
        Assert.False(task.IsCompleted, title)
        pending.Complete 5
        Assert.Equal(expected, Within.result title task)

        for source in [ ended; pending ] do
            Assert.Equal($"{title}: 1", $"{title}: {source.Taken}")

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``a combinator passes on the same exception, and a cancellation with its token`` (name: string) =
    use cancelled = new CancellationTokenSource()
    cancelled.Cancel()

    for title, apply, _ in uses (Families.named name) do
        for late in [ false; true ] do
            for error in
                [
                    InvalidOperationException "of the source" :> exn
                    OperationCanceledException cancelled.Token
                ] do
                let source = Counted()

                if not late then
                    source.Fail error

                let task: Task =
                    if title.Contains "ip" then
                        // the helper that reads the pair would wrap the error
                        (Families.named name).Zip source.Operation (ValueTask<int> 1)
                    else
                        apply source

                if late then
                    Assert.False(task.IsCompleted, title)
                    source.Fail error

                let seen = Within.error title task
                Assert.Equal($"{title}: 1", $"{title}: {source.Taken}")

                match seen with
                | :? OperationCanceledException as seen ->
                    Assert.True(task.IsCanceled, title)
                    Assert.Equal(cancelled.Token, seen.CancellationToken)
                | seen -> Assert.Same(error, seen)

[<Theory; MemberData(nameof families)>]
let ``ignore, ofUnit and toUnit consume their operation`` (name: string) =
    let family = Families.named name
    Assert.Equal(7, Within.result "result" (family.Result 7))
    let sources = List.init 3 (fun _ -> Counted())

    let tasks: Task list =
        [
            family.Ignore sources[0].Operation
            family.OfUnit sources[1].UnitOperation
            family.ToUnit sources[2].Operation
        ]

    for source, task in List.zip sources tasks do
        Assert.False task.IsCompleted
        source.Fail(InvalidOperationException "of the source")
        Assert.Equal("of the source", (Within.error "It" task).Message)
        Assert.Equal(1, source.Taken)

    let ended = Counted()
    ended.Complete 1
    Assert.True((family.ToUnit ended.Operation).IsCompletedSuccessfully)
    Assert.Equal(1, ended.Taken)

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``catch gives Ok or Error, of a cancellation too`` (name: string) =
    let family = Families.named name
    let good = Counted()
    let caught = family.Catch good.Operation
    good.Complete 3
    Assert.Equal(3, Within.result "catch" caught |> Result.defaultValue 0)

    for error in [ InvalidOperationException() :> exn; OperationCanceledException() ] do
        let bad = Counted()
        let caught = family.Catch bad.Operation
        bad.Fail error

        match Within.result "catch" caught with
        | Ok value -> Assert.Fail $"It gave {value}."
        | Error seen when (error :? OperationCanceledException) ->
            Assert.IsAssignableFrom<OperationCanceledException> seen |> ignore
        | Error seen -> Assert.Same(error, seen)

        Assert.Equal(1, bad.Taken)

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``catchWith answers an error with a value, or with another error`` (name: string) =
    let family = Families.named name

    for answer, expected in
        [
            (fun (_: exn) -> 9), Ok 9
            (fun (error: exn) -> raise (TimeoutException("instead", error))), Error "instead"
        ] do
        let source = Counted()
        let task = family.CatchWith answer source.Operation
        source.Fail(InvalidOperationException "of the source")

        match expected with
        | Ok value -> Assert.Equal(value, Within.result "catchWith" task)
        | Error message -> Assert.Equal(message, (Within.error "catchWith" task).Message)

[<Theory; MemberData(nameof families)>]
let ``a function that throws is an error of the result`` (name: string) =
    let family = Families.named name

    let thrown _ =
        raise (InvalidOperationException "of the function")

    for apply in [ family.Map thrown; family.Bind thrown; family.Apply thrown (ValueTask<int> 0) ] do
        for late in [ false; true ] do
            let source = Counted()

            if not late then
                source.Complete 1

            let task = apply source.Operation

            if late then
                source.Complete 1

            Assert.Equal("of the function", (Within.error "It" task).Message)
            Assert.Equal(1, source.Taken)

[<Theory; MemberData(nameof families)>]
let ``zip awaits both before the first error, and consumes both`` (name: string) =
    let family = Families.named name

    for zip in [ family.Zip; family.ParallelZip ] do
        for early, late in [ 0, 1; 1, 0 ] do
            let sources = [ Counted(); Counted() ]
            let task = zip sources[0].Operation sources[1].Operation
            sources[early].Fail(InvalidOperationException $"of {early}")
            Assert.False task.IsCompleted
            sources[late].Fail(InvalidOperationException $"of {late}")
            Assert.Equal("of 0", (Within.error "zip" task).Message)

            for source in sources do
                Assert.Equal(1, source.Taken)

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``when the time is up the answer is a TimeoutException, and the operation is consumed later``
    (name: string)
    =
    let family = Families.named name

    for time in [ TimeSpan.Zero; TimeSpan.FromMilliseconds 5. ] do
        for fails in [ false; true ] do
            let source = Counted()
            let task = family.Timeout time source.Operation
            Assert.IsType<TimeoutException>(Within.error "timeout" task) |> ignore
            Assert.True task.IsFaulted
            Assert.Equal(0, source.Taken)

            if fails then source.Fail(InvalidOperationException()) else source.Complete 1

            Assert.Equal(1, source.Taken)

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``a time out of range is an error of the result, and the operation is consumed`` (name: string) =
    let family = Families.named name

    for time in [ TimeSpan.FromMilliseconds -2.; TimeSpan.MaxValue ] do
        let source = Counted()

        Assert.IsType<ArgumentOutOfRangeException>(Within.error "It" (family.Timeout time source.Operation))
        |> ignore

        source.Complete 1
        Assert.Equal(1, source.Taken)

[<Fact>]
let ``a clock that makes no timer is an error of the result, and the operation is consumed`` () =
    let clock =
        { new TimeProvider() with
            override _.CreateTimer(_, _, _, _) =
                raise (NotSupportedException "no timers")
        }

    let time = TimeSpan.FromHours 1.

    for title, limit in
        [
            "ValueTask", (fun (source: Counted) -> source.Operation.Timeout(time, clock).AsTask())
            "Strand",
            (fun (source: Counted) ->
                let operation = strand { return! source.Operation }
                operation.Timeout(time, clock).AsTask())
        ] do
        for fails in [ false; true ] do
            let source = Counted()
            let error = Within.error title (limit source)
            Assert.Equal("no timers", Assert.IsType<NotSupportedException>(error).Message)

            if fails then source.Fail(InvalidOperationException()) else source.Complete 1

            Assert.Equal($"{title}: 1", $"{title}: {source.Taken}")

[<Theory; MemberData(nameof familiesWithUnits)>]
let ``functions run on the caller's SynchronizationContext`` (name: string) =
    let family = Families.named name

    let second (all: Task<int[]>) =
        all.ContinueWith(
            (fun (all: Task<int[]>) -> all.Result[1]),
            TaskContinuationOptions.ExecuteSynchronously
        )

    for title, apply in
        [
            if family.HasValues then
                "map", (fun read source -> family.Map read source)
                "bind", (fun read source -> family.Bind (read >> ValueTask<int>) source)
            "catchWith", (fun read source -> family.CatchWith (fun _ -> read 0) source)
            "starts",
            (fun read source ->
                second (family.WhenAllThrottled 1 [ (fun () -> source); (fun () -> ValueTask<int>(read 0)) ]))
        ] do
        let source = Counted()
        let mutable posts = 0

        let context =
            { new SynchronizationContext() with
                override this.Post(callback, state) =
                    Interlocked.Increment &posts |> ignore
                    let before = SynchronizationContext.Current
                    SynchronizationContext.SetSynchronizationContext this
                    callback.Invoke state
                    SynchronizationContext.SetSynchronizationContext before
            }

        let before = SynchronizationContext.Current

        let read _ =
            if obj.ReferenceEquals(SynchronizationContext.Current, context) then 1 else 0

        let task =
            try
                SynchronizationContext.SetSynchronizationContext context
                apply read source.Operation
            finally
                SynchronizationContext.SetSynchronizationContext before

        if title = "catchWith" then
            source.Fail(InvalidOperationException())
        else
            source.Complete 1

        Assert.Equal($"{title}: 1", $"{title}: {Within.result title task}")
        Assert.True(posts > 0, title)

[<Fact>]
let ``results of ValueTask may be awaited many times, those of PooledValueTask once`` () =
    let source = Counted()
    let many = ValueTask.map id source.Operation
    source.Complete 1
    Assert.Equal(1, many.Result)
    Assert.Equal(1, many.Result)

    let source = Counted()
    let once = PooledValueTask.map id source.Operation
    source.Complete 1
    Assert.Equal(1, once.Result)

    Assert.Throws<InvalidOperationException>(fun () -> once.Result |> ignore<int>) |> ignore
