// Under test: the part before the first suspension.
module Plait.Tests.Start

open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs

let private manner name suspends =
    { Name = name; Suspends = (fun _ -> suspends); Fails = 0; Cancels = false }

let builders = Cases.builders
let resultBuilders = Cases.resultBuilders

[<Theory; MemberData(nameof builders)>]
let ``the code before the first await has run once when the call returns`` (builder: string) =
    let subject = Cases.subject builder
    let given = Given(manner "yields" true)
    let started = snd subject.Units.Head given
    Assert.Equal<string list>([ "source 1" ], given.Entries)
    Within.ended "The program" started
    Assert.Equal<string list>([ "source 1" ], given.Entries)

[<Theory; MemberData(nameof builders)>]
let ``a program whose sources are done is complete when the call returns, one that waits is not``
    (builder: string)
    =
    let subject = Cases.subject builder

    for name, program in subject.Values do
        Assert.True((program (Given(manner "done" false))).IsCompleted, name)

    let left = TaskCompletionSource<int>()
    let operation = subject.Tasks left.Task (Task.FromResult 2) ignore
    Assert.False operation.IsCompleted
    left.SetResult 1
    Within.ended "It" operation

[<Theory; MemberData(nameof resultBuilders)>]
let ``a continuation runs once, on the thread that completes the source`` (builder: string) =
    let subject = Cases.result builder
    let source = TaskCompletionSource<int>()
    let mutable runs = 0

    let operation =
        subject.After(
            source.Task,
            fun () ->
                runs <- runs + 1
                System.Threading.Thread.CurrentThread.Name
        )

    Assert.False operation.IsCompleted
    Foreign.Run(fun () -> source.SetResult 1)
    Assert.Equal("foreign", Within.result "It" operation)
    Assert.Equal(1, runs)

[<Theory; MemberData(nameof resultBuilders)>]
let ``an exception before the first await is part of the result, or surfaces where it is documented to``
    (builder: string)
    =
    let subject = Cases.result builder
    let error = System.InvalidOperationException "before"

    if subject.Promise.Captures then
        let operation = subject.Fails(error, 0)
        Assert.True operation.IsFaulted
        Assert.Same(error, Within.error "It" operation)
    else
        Assert.Same(
            error,
            Assert.Throws<System.InvalidOperationException>(fun () -> subject.Fails(error, 0) |> ignore)
        )

[<Fact>]
let ``a strand that fails at once is complete, faulted and handled without a hop`` () =
    let failing () : Strand<int> = strand { return failwith "at once" }
    let operation = failing ()
    Assert.True operation.IsCompleted
    Assert.True operation.IsFaulted
    Assert.False operation.IsCompletedSuccessfully
    let here = System.Environment.CurrentManagedThreadId

    let handled =
        strand {
            try
                let! x = failing ()
                return x
            with error ->
                return if System.Environment.CurrentManagedThreadId = here then error.Message.Length else -1
        }

    Assert.True handled.IsCompleted
    Assert.Equal(7, handled.Result)

[<Fact>]
let ``a machine that fails at once is complete and faulted`` () =
    let operation: ValueTask<int> = pooledValueTask { return failwith "at once" }
    Assert.True operation.IsCompleted
    Assert.True operation.IsFaulted
    let unitary: ValueTask = pooledValueTaskUnit { failwith "at once" }
    Assert.True unitary.IsFaulted
    Assert.Equal("at once", (Within.error "It" (operation.AsTask())).Message)
    Assert.Equal("at once", (Within.error "It" (unitary.AsTask())).Message)
