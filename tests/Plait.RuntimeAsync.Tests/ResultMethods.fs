// Under test: the IL that F# 11 makes of the builders of results, and their bytes beside those of the builders without results.
module Plait.RuntimeAsync.Tests.ResultMethods

open System
open System.Threading.Tasks
open Xunit

open Plait.RuntimeAsync.Tests

let private perOperation = Bytes.perOperation
let private items = [ 2; 4; 6 ]
let private evens = [| 2; 4 |]
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
            about "steps", ok, (fun () -> ResultShapes.steps (if ok then evens else odd))
            about "ten levels", ok, (fun () -> ResultShapes.deep 10 n)
        "return! of a value", true, (fun () -> ResultShapes.returnsValue 2)
        "loops that an Error ends", false, (fun () -> ResultShapes.endedLoops items)
    ]

let private shapes =
    [|
        for name, _, _ in free |> List.distinctBy (fun (name, _, _) -> name) -> TheoryDataRow [| box name |]
    |]

[<Collection("alone")>]
type Bytes() =
    static member Shapes = shapes

    [<Theory; MemberData(nameof Bytes.Shapes)>]
    member _.``an operation that completes at once with an Ok or an Error allocates nothing``(shape: string) =
        let _, ok, run = free |> List.find (fun (name, _, _) -> name = shape)
        Assert.Equal(ok, run().Result.IsOk)
        Assert.Equal(0.0, perOperation (fun () -> run().Result |> ignore))

    [<Fact>]
    member _.``a validation without an Error allocates nothing``() =
        Assert.Equal(0.0, perOperation (fun () -> ResultShapes.validated(2).Result |> ignore))

    [<Fact>]
    member _.``use of an IAsyncDisposable allocates nothing in the other builders too``() =
        Assert.Equal(0.0, perOperation (fun () -> ResultShapes.Without.asyncUse(2).Result |> ignore))

    [<Fact>]
    member _.``a Task holds the Result and nothing else is made``() =
        // numbers whose Tasks the runtime does not keep
        let plain =
            perOperation (fun () -> ResultShapes.Without.smallTask(2000).Result |> ignore)

        Assert.Equal(72.0, plain)

        for run in [ ResultShapes.smallTask; ResultShapes.checkedTask ] do
            for n in [ 2000; 2001 ] do
                // beside the int a Result has the error, and which of them there is
                Assert.Equal(plain + 8.0, perOperation (fun () -> (run n).Result |> ignore))

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

        let turns n =
            Bytes.OfAll(fun () -> ResultShapes.yieldsInALoop n)

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
