// Under test: what becomes of an exception: instance, type, stack, cancellation.
module Plait.Tests.Faults

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Programs

type Custom(data: int) =
    inherit Exception($"custom {data}")
    member _.Data = data

let faults =
    [|
        for subject in Catalogue.results do
            for yields in [ 0; 1; 2 ] do
                Cases.row subject.Promise [ yields ]
    |]

let private started (subject: ResultSubject) (error: exn) yields =
    try
        subject.Fails(error, yields)
    with error when not subject.Promise.Captures ->
        Task.FromException<int> error

[<Theory; MemberData(nameof faults)>]
let ``an exception comes out as the same instance, with the place of its throw``
    (builder: string)
    (yields: int)
    =
    let subject = Cases.result builder
    let error = Custom 7
    let operation = started subject error yields
    let caught = Within.error "It" operation
    Assert.Same(error, caught)
    Assert.True(operation.IsFaulted && not operation.IsCanceled)
    Assert.Contains("Results", caught.StackTrace)

[<Theory; MemberData(nameof faults)>]
let ``a cancellation keeps its token, and the operation counts as cancelled``
    (builder: string)
    (yields: int)
    =
    let subject = Cases.result builder

    if subject.Promise.Captures || yields > 0 then
        use source = new CancellationTokenSource()
        let error = OperationCanceledException source.Token
        let operation = started subject error yields
        let caught = Within.error "It" operation
        Assert.True(operation.IsCanceled && not operation.IsFaulted)
        Assert.Equal(source.Token, (Assert.IsType<OperationCanceledException> caught).CancellationToken)

[<Fact>]
let ``a strand reports its outcome`` () =
    let ended (strand: Strand<int>) =
        Within.comes "the strand ends" (fun () -> strand.IsCompleted)
        strand.IsCompletedSuccessfully, strand.IsFaulted, strand.IsCanceled

    let after (yields: int) (body: unit -> int) =
        strand {
            for _ in 1..yields do
                do! Task.Yield()

            return body ()
        }

    for yields in [ 0; 2 ] do
        Assert.Equal((true, false, false), ended (after yields (fun () -> 1)))
        Assert.Equal((false, true, false), ended (after yields (fun () -> failwith "no")))

        Assert.Equal(
            (false, false, true),
            ended (after yields (fun () -> raise (OperationCanceledException())))
        )

    let gate = TaskCompletionSource()
    let pending = strand { do! gate.Task }

    Assert.False(
        pending.IsCompleted
        || pending.IsCompletedSuccessfully
        || pending.IsFaulted
        || pending.IsCanceled
    )

    gate.SetResult()

[<Fact>]
let ``a failed strand can be made from an exception, and not from null`` () =
    let error = Custom 1
    let failed = Strand<int>.Failed error
    Assert.True failed.IsFaulted
    Assert.Same(error, Assert.Throws<Custom>(fun () -> failed.Result |> ignore))

    Assert.Throws<ArgumentNullException>(fun () -> Strand<int>.Failed(Unchecked.defaultof<exn>) |> ignore)
    |> ignore

    let cancelled = Strand<int>.Failed(TaskCanceledException())
    Assert.True(cancelled.IsCanceled && not cancelled.IsFaulted)
    Assert.True(cancelled.AsTask().IsCanceled)
    Assert.True(failed.AsTask().IsFaulted)
    Assert.True(failed.AsValueTask().IsFaulted)

[<Fact>]
let ``the default strand is complete`` () =
    let strand = Unchecked.defaultof<Strand<int>>
    Assert.True(strand.IsCompletedSuccessfully)
    Assert.Equal(0, strand.Result)
    Assert.Equal(5, (Strand<int>.Of 5).Result)
