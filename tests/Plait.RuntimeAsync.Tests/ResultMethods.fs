// Under test: builders of results. The IL that F# 11 makes of them, their bytes beside those of the builders without results, depth,
// cancellation and errors. What they do with an Error is in ErrorFlow, over the programs of Plait's own.
module Plait.RuntimeAsync.Tests.ResultMethods

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.RuntimeAsync
open Plait.RuntimeAsync.Tests
open Plait.Tests

let private perOperation = Bytes.perOperation
let private items = [ 2; 4; 6 ]
let private more = [| 2; 4 |]
let private odd = [| 3 |]

let private free: (string * bool * (unit -> ValueTask<Result<int, string>>)) list =
    [
        "small", true, (fun () -> ResultShapes.small 2)
        for n in [ 2; 3 ] do
            let ok = n = 2
            let about name = $"{name}, {n}"
            about "a Result", ok, (fun () -> ResultShapes.result n)
            about "a checked call", ok, (fun () -> ResultShapes.checkedEven n)
            about "calls", ok, (fun () -> ResultShapes.calls n)
            about "calls off the context", ok, (fun () -> ResultShapes.callsOffContext n)
            about "return!", ok, (fun () -> ResultShapes.returns n)
            about "a branch", ok, (fun () -> ResultShapes.branch n)
            about "an option", ok, (fun () -> ResultShapes.option n)
            about "loops", ok, (fun () -> ResultShapes.loops n)
            about "use and try", ok, (fun () -> ResultShapes.blocks n)
            about "and!", ok, (fun () -> ResultShapes.together n)
            about "guarded", ok, (fun () -> ResultShapes.guarded n)
            about "steps", ok, (fun () -> ResultShapes.steps (if ok then more else odd))
            about "ten levels", ok, (fun () -> ResultShapes.deep 10 n)
        "return! of a value", true, (fun () -> ResultShapes.returnsValue 2)
        "loops that an Error ends", false, (fun () -> ResultShapes.endedLoops items more)
    ]

let private shapes =
    [|
        for name, _, _ in free |> List.distinctBy (fun (name, _, _) -> name) -> TheoryDataRow [| box name |]
    |]

[<Collection("alone")>]
type Bytes() =
    static member Shapes = shapes

    [<Theory; MemberData(nameof Bytes.Shapes)>]
    member _.``an Ok and an Error that come at once allocate nothing``(shape: string) =
        let _, ok, run = free |> List.find (fun (name, _, _) -> name = shape)
        Assert.Equal(ok, run().Result.IsOk)
        Assert.Equal(0.0, perOperation (fun () -> run().Result |> ignore))

    [<Fact>]
    member _.``a validation without an Error allocates nothing``() =
        Assert.Equal(0.0, perOperation (fun () -> ResultShapes.validated(2).Result |> ignore))

    [<Fact>]
    member _.``a Task holds the Result and nothing else is made``() =
        let plain = perOperation (fun () -> ResultShapes.Without.smallTask(2).Result |> ignore)
        let held = float sizeof<Result<int, string>> - float sizeof<int>

        // fields are laid out by words
        for run in [ ResultShapes.smallTask; ResultShapes.checkedTask ] do
            for n in [ 2; 3 ] do
                let bytes = perOperation (fun () -> (run n).Result |> ignore)
                Assert.InRange(bytes, plain, plain + held + 8.0)

    /// Bytes of all threads for each operation, the least of some runs: the pool's threads have their own.
    static member private OfAll(operation: unit -> Task) : float =
        let run () =
            let before = GC.GetTotalAllocatedBytes true

            for _ in 1..2000 do
                operation().Wait()

            float (GC.GetTotalAllocatedBytes true - before) / 2000.0

        List.min [ for _ in 1..5 -> run () ]

    [<Fact>]
    member _.``an operation that suspends costs the bytes of the Result more, and a turn of a loop none``() =
        let plain = Bytes.OfAll(fun () -> ResultShapes.Without.yields 2)
        Assert.InRange(Bytes.OfAll(fun () -> ResultShapes.yields 2) - plain, 0.0, 40.0)
        let turns n = Bytes.OfAll(fun () -> ResultShapes.yieldsInALoop n)
        Assert.InRange(turns 20 - turns 2, -4.0, 4.0)

[<Theory>]
[<InlineData "small"; InlineData "smallTask"; InlineData "checkedEven"; InlineData "calls">]
[<InlineData "callsOffContext"; InlineData "returns"; InlineData "result"; InlineData "branch">]
[<InlineData "option"; InlineData "loops"; InlineData "endedLoops"; InlineData "blocks">]
[<InlineData "together"; InlineData "validated"; InlineData "guarded"; InlineData "steps"; InlineData "yields">]
let ``a function over results is one async method without a closure`` (name: string) =
    Assert.True(Methods.isAsync (Methods.functionOf "ResultShapes" name))
    Assert.Empty(Methods.closuresOf "ResultShapes" |> List.filter ((=) name))

[<Theory>]
[<InlineData("calls", 7); InlineData("callsOffContext", 4); InlineData("returns", 1)>]
[<InlineData("returnsValue", 1); InlineData("loops", 1); InlineData("endedLoops", 1); InlineData("guarded", 1)>]
let ``a bind of a call is the call and its await, as without results`` (name: string) (awaits: int) =
    let calls = Methods.callsAwaited (Methods.functionOf "ResultShapes" name)
    Assert.Equal(awaits, calls)

[<Fact>]
let ``20,000 levels end in an Error`` () =
    let mutable ended = Ok 1

    let thread =
        Thread((fun () -> ended <- (ResultShapes.deep 20_000 1).AsTask().Result), 32 * 1024 * 1024)

    thread.Start()
    thread.Join()
    Assert.Equal(Error "odd", ended)

[<Fact>]
let ``a million levels of Guarded end in an Error after a suspension`` () =
    let mutable ended = Ok 1

    let thread =
        Thread((fun () -> ended <- (ResultShapes.guardedDeep 1_000_000 1).AsTask().Result), 256 * 1024)

    thread.Start()
    thread.Join()
    Assert.Equal(Error "odd", ended)

[<Fact>]
let ``a cancelled operation ends the code canceled with its token, and is no Error`` () =
    use source = new CancellationTokenSource()

    let work (finish: ResizeArray<string>) =
        taskResult {
            try
                do! Task.Delay(Timeout.Infinite, source.Token)
                return! Error "not here"
            finally
                finish.Add "finally"
        }

    let finished = ResizeArray()
    let running: Task<Result<int, string>> = work finished
    Assert.False running.IsCompleted
    source.Cancel()
    let error = Assert.ThrowsAny<OperationCanceledException>(fun () -> running.GetAwaiter().GetResult() |> ignore)
    Assert.True running.IsCanceled
    Assert.Equal(source.Token, error.CancellationToken)
    Assert.Equal<string list>([ "finally" ], List.ofSeq finished)

[<Fact>]
let ``and! awaits all, and the first exception in order is thrown`` () =
    let first, second = TaskCompletionSource<Result<int, string>>(), TaskCompletionSource<int>()

    let run () : Task<Result<int, string>> =
        taskResult {
            let! a = first.Task
            and! b = second.Task
            return a + b
        }

    let failed = run ()
    first.SetException(InvalidOperationException "first")
    Assert.False failed.IsCompleted
    second.SetException(InvalidOperationException "second")
    Assert.Equal("first", (Within.error "It" failed).Message)

    // the exception of a later operation is thrown although an earlier one is an Error
    let error: Task<Result<int, string>> =
        taskResult {
            let! a = Task.FromResult(Error "an Error": Result<int, string>)
            and! b = Task.FromException<int>(InvalidOperationException "later")
            return a + b
        }

    Assert.Equal("later", (Within.error "It" error).Message)

[<Fact>]
let ``an operand without a type is a Task of a Result`` () =
    let first operation =
        taskResult {
            let! text = operation
            return (text: string).Length
        }

    let given: Task<Result<string, int>> = Task.FromResult(Ok "four")
    Assert.Equal(Ok 4, Within.result "It" (first given))

[<Fact>]
let ``a value that is awaited has its type in the code after it`` () =
    let length: Task<Result<int, string>> =
        taskResult {
            let! ofResult = Task.FromResult(Ok "four": Result<string, string>)
            let! ofValue = Task.FromResult "four"
            and! ofBoth = ValueTask<Result<string, string>>(Ok "four")
            return ofResult.Length + ofValue.Length + ofBoth.Length
        }

    Assert.Equal(Ok 12, Within.result "It" length)

/// The functions of Plait.Migration.FsToolkit around this `taskResult`.
module Toolkit =
    open Plait.Migration.FsToolkit
    open Plait.RuntimeAsync

    let find (id: int) : Task<string option> =
        Task.FromResult(if id = 1 then Some "Ann" else None)

    let greeting (id: int) =
        taskResult {
            let! name = find id |> TaskResult.requireSome "unknown"
            do! name <> "" |> Result.requireTrue "no name"
            let! letters = [ name; "Bob" ] |> List.traverseTaskResultM (fun one -> taskResult { return one.Length })
            let! sum = items |> List.foldAsync (fun sum item -> step { return sum + item }) 0
            return $"Hello, {name}, {List.sum letters} {sum}"
        }

[<Fact>]
let ``the functions of FsToolkit are used with this taskResult`` () =
    Assert.Equal(Ok "Hello, Ann, 6 12", Within.result "It" (Toolkit.greeting 1))
    Assert.Equal(Error "unknown", Within.result "It" (Toolkit.greeting 2))
