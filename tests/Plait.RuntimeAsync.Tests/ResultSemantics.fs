// Under test: what the builders of results promise besides the programs over Errors (ErrorFlow), which they share with Plait's own: depth,
// cancellation, exceptions under `and!`, types of operands, and the functions of FsToolkit.ErrorHandling around them.
module Plait.RuntimeAsync.Tests.ResultSemantics

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.RuntimeAsync
open Plait.Tests

let private items = [ 2; 4; 6 ]

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

    let error =
        Assert.ThrowsAny<OperationCanceledException>(fun () -> running.GetAwaiter().GetResult() |> ignore)

    Assert.True running.IsCanceled
    Assert.Equal(source.Token, error.CancellationToken)
    Assert.Equal<string list>([ "finally" ], List.ofSeq finished)

[<Fact>]
let ``and! awaits all, and the first exception in order is thrown`` () =
    let first, second =
        TaskCompletionSource<Result<int, string>>(), TaskCompletionSource<int>()

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

            let! letters =
                [ name; "Bob" ] |> List.traverseTaskResultM (fun one -> taskResult { return one.Length })

            let! sum = items |> List.foldAsync (fun sum item -> step { return sum + item }) 0
            return $"Hello, {name}, {List.sum letters} {sum}"
        }

[<Fact>]
let ``the functions of FsToolkit are used with this taskResult`` () =
    Assert.Equal(Ok "Hello, Ann, 6 12", Within.result "It" (Toolkit.greeting 1))
    Assert.Equal(Error "unknown", Within.result "It" (Toolkit.greeting 2))

[<Fact>]
let ``the exception of a body keeps its trace where the end of a use awaits`` () =
    let throws (number: int) : int =
        if number > 0 then
            invalidOp "thrown by the test"

        number

    let run () : Task<Result<int, string>> =
        taskResult {
            use _held = ResultShapes.asyncResource
            do! Task.Yield()
            return throws 1
        }

    let error = Within.error "It" (run ())
    Assert.Contains("throws", string error.StackTrace)

[<Fact>]
let ``the error of an asynchronous disposal takes the place of an Error`` () =
    let resource =
        { new IAsyncDisposable with
            member _.DisposeAsync() =
                ValueTask(Task.FromException(InvalidOperationException "from the end"))
        }

    let run () : Task<Result<int, string>> =
        taskResult {
            use _held = resource
            return! Error "an Error"
        }

    Assert.Equal("from the end", (Within.error "It" (run ())).Message)

[<Fact>]
let ``backgroundTaskResult never runs on the caller's context, and starts at once where there is none`` () =
    let started =
        HomeContext.Run("it", (fun context -> backgroundTaskResult { return context.IsHere }))

    Assert.Equal(Ok false, started)

    let id = Environment.CurrentManagedThreadId

    let atOnce =
        backgroundTaskResult {
            let! same =
                if id = Environment.CurrentManagedThreadId then Ok true else Error "elsewhere"

            return same
        }

    Assert.True atOnce.IsCompleted
    Assert.Equal(Ok true, atOnce.Result)

let rec private validated (depth: int) (last: Result<int, string>) : ValueTask<Result<int, string list>> =
    Guarded.valueTaskValidation {
        if depth = 0 then
            do! Task.Yield()
            let! last = last
            and! _ = Error "and another"
            return last
        else
            let! below = validated (depth - 1) last
            return below
    }

[<Fact>]
let ``a validation of Guarded bears a million levels, and ends in the Errors of the last one`` () =
    let mutable ended = Ok 1

    let thread =
        Thread((fun () -> ended <- (validated 1_000_000 (Error "odd")).AsTask().Result), 256 * 1024)

    thread.Start()
    thread.Join()
    Assert.Equal(Error [ "odd"; "and another" ], ended)
