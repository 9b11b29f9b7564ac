// Under test: bytes where everything completes at once. The project is compiled without tiers, so that the first call is measured as
// the last one is.
module Plait.RuntimeAsync.Tests.Bytes

open System
open System.Threading.Tasks
open Xunit

open Plait.RuntimeAsync

let private perOperation (operation: unit -> unit) : float =
    for _ in 1..2000 do
        operation ()

    let before = GC.GetAllocatedBytesForCurrentThread()

    for _ in 1..10000 do
        operation ()

    float (GC.GetAllocatedBytesForCurrentThread() - before) / 10000.0

let private receiver = Shapes.Member 3
let private numbers = [| 1..10 |]
let private numberList = [ 1..10 ]
let private one = Task.FromResult 1
let private two = Task.FromResult 2
let private named = AsyncFunc.ofFun (fun x -> Shapes.small x)
let private two' (a: int) (b: int) = valueTask { return a + b }
let private three' (a: int) (b: int) (c: int) = valueTask { return a + b + c }
let private named2 = AsyncFunc.ofFun2 (fun a b -> two' a b)
let private named3 = AsyncFunc.ofFun3 (fun a b c -> three' a b c)

let private free: (string * (unit -> unit)) list =
    [
        "small", (fun () -> Shapes.small(1).Result |> ignore)
        "generic", (fun () -> Shapes.generic("text").Result |> ignore)
        "unitary", (fun () -> (Shapes.unitary 1).GetAwaiter().GetResult())
        "one await", (fun () -> Shapes.oneAwait(1).Result |> ignore)
        "calls", (fun () -> (Shapes.calls receiver 10).Result |> ignore)
        "a last result in an addition", (fun () -> Shapes.added(1).Result |> ignore)
        "a result for a struct's method", (fun () -> (Shapes.onStruct DateTime.UnixEpoch).Result |> ignore)
        "branches", (fun () -> Shapes.branches(2).Result |> ignore)
        "guarded", (fun () -> Shapes.guarded(2).Result |> ignore)
        "off context", (fun () -> Shapes.offContext(2).Result |> ignore)
        "array", (fun () -> Shapes.array(numbers).Result |> ignore)
        "list", (fun () -> Shapes.list(numberList).Result |> ignore)
        "and!", (fun () -> (Shapes.together one two).Result |> ignore)
        "AsyncFunc", (fun () -> (Shapes.over named 10).Result |> ignore)
        "AsyncFunc of two", (fun () -> named2.Invoke(1, 2).Result |> ignore)
        "AsyncFunc of three", (fun () -> named3.Invoke(1, 2, 3).Result |> ignore)
        "steps", (fun () -> Shapes.steps(numbers).Result |> ignore)
        "a strand awaits it", (fun () -> Shapes.inStrand(1).Result |> ignore)
        "a pooledValueTask awaits it", (fun () -> Shapes.inPooled(1).Result |> ignore)
        "it awaits a strand and a pooledValueTask", (fun () -> Shapes.awaitsOthers(1).Result |> ignore)
        "a statement inside", (fun () -> Shapes.statementInside(1).Result |> ignore)
    ]

let cases = [| for name, _ in free -> TheoryDataRow [| box name |] |]

[<Collection("alone")>]
type Free() =
    static member Cases = cases

    [<Theory; MemberData(nameof Free.Cases)>]
    member _.``what completes at once allocates nothing``(name: string) =
        let operation = free |> List.find (fst >> (=) name) |> snd
        Assert.Equal(0.0, perOperation operation)

    [<Fact>]
    member _.``a statement before the expression costs the closure that the page says``() =
        Assert.Equal(24.0, perOperation (fun () -> Shapes.statementBefore(1).Result |> ignore))
