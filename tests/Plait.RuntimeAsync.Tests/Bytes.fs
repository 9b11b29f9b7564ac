// Under test: bytes where everything completes at once. The project is compiled without tiers, so that the first call is measured as
// the last one is.
module Plait.RuntimeAsync.Tests.Bytes

open System
open System.Threading.Tasks
open Xunit

open Plait.RuntimeAsync

/// Bytes of one operation on this thread.
let perOperation (operation: unit -> unit) : float =
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

let private some = Some 1
let private service: Shapes.Service = Shapes.Implementation 1
let private middleware: Shapes.IMiddleware = Shapes.Implementation 1
let private none = Threading.CancellationToken.None
let private key = "key"
let private unionKey = Shapes.Costly.Key key
let private order: Shapes.Order = { Key = key; Count = 1 }
let private costly: Shapes.Service = Shapes.Costly.Implementation 1
let private costlyMiddleware: Shapes.IMiddleware = Shapes.Costly.Implementation 1
let private objectExpression = Shapes.Costly.objectExpression 1
let private lambdaOf = Shapes.Costly.lambdaOf 1
let private lambda = Shapes.Costly.lambda 100
let private scale = LocalBlocks.Scale 3
let private blockInAnObjectExpression = LocalBlocks.objectExpression 1
let private blockInALambda = LocalBlocks.lambda 1

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
        "a match inside", (fun () -> Shapes.matchedInside(some).Result |> ignore)
        "an override", (fun () -> service.Find(1).Result |> ignore)
        "an override that returns a Task", (fun () -> (service.Execute none).GetAwaiter().GetResult())
        "a member of an interface", (fun () -> (middleware.InvokeAsync 1).GetAwaiter().GetResult())
        "a static member", (fun () -> Shapes.Implementation.Static(1).Result |> ignore)
        "an inline function", (fun () -> Shapes.inlined(1).Result |> ignore)
        "a value", (fun () -> Shapes.kept.Result |> ignore)
        "a lazy value", (fun () -> Shapes.keptLazily.Value.Result |> ignore)
        "statements inside", (fun () -> (Shapes.insideAll key).Result |> ignore)
        "nothing before", (fun () -> (Shapes.nothingBefore key).Result |> ignore)
        "a local function that is no method", (fun () -> (Shapes.aLocalFunction order).Result |> ignore)
        "a statement before what takes nothing", (fun () -> (Shapes.nothingTaken key).Result |> ignore)
        "a branch that takes nothing", (fun () -> (Shapes.nothingTakenInBranches key true).Result |> ignore)
        "a branch that takes a constant", (fun () -> (Shapes.aConstantTaken key true).Result |> ignore)
        "a computed constant before", (fun () -> (Shapes.aComputedConstant 1).Result |> ignore)
        "a record before", (fun () -> (Shapes.aRecord key).Result |> ignore)
        "a tuple before, taken apart", (fun () -> (Shapes.aTupleTakenApart key 1).Result |> ignore)
        "let rec, called once", (fun () -> LocalBlocks.calledOnce(1).Result |> ignore)
        "let rec, called twice", (fun () -> (LocalBlocks.calledTwice 1 2).Result |> ignore)
        "let rec, called twice for a Task", (fun () -> (LocalBlocks.calledTwiceForATask 1 2).Result |> ignore)
        "let rec in a loop", (fun () -> (LocalBlocks.calledInALoop 1 numbers).Result |> ignore)
        "let rec of two arguments", (fun () -> (LocalBlocks.withSeveralArguments key 1).Result |> ignore)
        "let rec, generic", (fun () -> (LocalBlocks.generic key).Result |> ignore)
        "let rec, called by another", (fun () -> (LocalBlocks.calledByAnother 1 2).Result |> ignore)
        "a local function that gives a step", (fun () -> (LocalBlocks.asAStep 1 2).Result |> ignore)
        "a local function without a block", (fun () -> (LocalBlocks.withoutABlock 1 2).Result |> ignore)
        "let rec in place of an expression inside",
        (fun () -> LocalBlocks.inPlaceOfAnExpression(1).Result |> ignore)
        "let rec and and!", (fun () -> (LocalBlocks.together 1 2).Result |> ignore)
        "let rec and and! over results", (fun () -> (LocalBlocks.togetherOverResults 1 2).Result |> ignore)
        "let rec behind a statement", (fun () -> LocalBlocks.behindAStatement(1).Result |> ignore)
        "let rec in a branch", (fun () -> (LocalBlocks.inABranch some).Result |> ignore)
        "let rec before a try", (fun () -> LocalBlocks.inATry(1).Result |> ignore)
        "let rec behind a use", (fun () -> LocalBlocks.behindAUse(1).Result |> ignore)
        "let rec behind a pattern", (fun () -> (LocalBlocks.behindAPattern order).Result |> ignore)
        "let rec in an inline function", (fun () -> LocalBlocks.callsInlined(1).Result |> ignore)
        "let rec of a task as a Task", (fun () -> LocalBlocks.asATask(1).Wait())
        "let rec in a struct", (fun () -> scale.Apply(1).Result |> ignore)
        "let rec in an object expression", (fun () -> blockInAnObjectExpression.Invoke(1).Result |> ignore)
        "let rec in a lambda", (fun () -> blockInALambda.Invoke(1).Result |> ignore)
        "an if of ValueTasks", (fun () -> LocalBlocks.conditionalOfValueTasks(3).Result |> ignore)
        "an if in a step", (fun () -> LocalBlocks.conditionalStep(3).Result |> ignore)
        "a match with return! in its branches",
        (fun () -> (LocalBlocks.returnInBranches some).Result |> ignore)
        "a System.Range", (fun () -> LocalBlocks.range(3).Result |> ignore)
    ]

let private costs: (string * float * (unit -> unit)) list =
    [
        "a statement before", 24.0, (fun () -> Shapes.Costly.statementBefore(1).Result |> ignore)
        "an expression inside", 24.0, (fun () -> Shapes.Costly.nested(1).Result |> ignore)
        "a task inside", 96.0, (fun () -> Shapes.Costly.nestedTask(1).Result |> ignore)
        "a local function called once", 24.0, (fun () -> Shapes.Costly.calledOnce(1).Result |> ignore)
        "a local function before, called once",
        24.0,
        (fun () -> Shapes.Costly.calledOnceBefore(1).Result |> ignore)
        "an object expression", 24.0, (fun () -> (objectExpression.Invoke 1).Result |> ignore)
        "a lambda with the code in ofFun", 24.0, (fun () -> (lambdaOf.Invoke 1).Result |> ignore)
        "a lambda that returns a Task", 72.0, (fun () -> (Shapes.Costly.through lambda 1).Result |> ignore)
        "a task as a Task", 96.0, (fun () -> Shapes.Costly.asTask(100).Wait())
        "a task without a result as a Task", 24.0, (fun () -> Shapes.Costly.asTaskOfUnit(1).Wait())
        "an override whose task is a Task", 32.0, (fun () -> costly.Execute(none).Wait())
        "a member whose task is a Task", 32.0, (fun () -> costlyMiddleware.InvokeAsync(1).Wait())
        "a match before the braces", 24.0, (fun () -> Shapes.Costly.matched(some).Result |> ignore)
        "an if before the braces", 24.0, (fun () -> Shapes.Costly.chosen(1).Result |> ignore)
        "an if with a call in the other branch",
        24.0,
        (fun () -> Shapes.Costly.besideACall(1).Result |> ignore)
        "an if that raises", 24.0, (fun () -> Shapes.Costly.raising(1).Result |> ignore)
        "a try around the braces", 24.0, (fun () -> Shapes.Costly.inATry(1).Result |> ignore)
        "a use before", 24.0, (fun () -> Shapes.Costly.ofAResource(1).Result |> ignore)
        "a union's pattern in the head",
        24.0,
        (fun () -> (Shapes.Costly.byPatternOfAUnion unionKey).Result |> ignore)
        "a recursive function before",
        24.0,
        (fun () -> Shapes.Costly.aFunctionThatCallsItself(1).Result |> ignore)
        "a function with a loop before",
        24.0,
        (fun () -> Shapes.Costly.aFunctionThatLoops(3).Result |> ignore)
        "two calls of an inline function", 48.0, (fun () -> Shapes.Costly.callsInlined(1).Result |> ignore)
        "a pattern in the head", 32.0, (fun () -> (Shapes.Costly.byPattern order).Result |> ignore)
        "a field under a name", 24.0, (fun () -> (Shapes.Costly.aName order).Result |> ignore)
        "a range", 80.0, (fun () -> (Shapes.Costly.range 3).Result |> ignore)
        "for to", 80.0, (fun () -> LocalBlocks.Costly.upTo(3).Result |> ignore)
        "for downto", 96.0, (fun () -> LocalBlocks.Costly.downTo(3).Result |> ignore)
        "a range with a step", 96.0, (fun () -> LocalBlocks.Costly.byTwo(3).Result |> ignore)
        "two calls of a local function",
        48.0,
        (fun () -> (LocalBlocks.Costly.calledTwice 1 2).Result |> ignore)
        "two calls of a local function that returns a Task",
        192.0,
        (fun () -> (LocalBlocks.Costly.calledTwiceForATask 1 2).Result |> ignore)
        "a local function called in a loop of ten",
        240.0,
        (fun () -> (LocalBlocks.Costly.calledInALoop 1 numbers).Result |> ignore)
        "a local function that uses three values",
        32.0,
        (fun () -> (LocalBlocks.Costly.withSeveralValues key 1 2).Result |> ignore)
        "an expression behind and!", 24.0, (fun () -> LocalBlocks.Costly.together(2).Result |> ignore)
        "an expression behind and! over results",
        24.0,
        (fun () -> LocalBlocks.Costly.togetherOverResults(2).Result |> ignore)
        "the await of an if", 72.0, (fun () -> LocalBlocks.Costly.conditional(3).Result |> ignore)
        "the await of a match", 72.0, (fun () -> (LocalBlocks.Costly.matched some).Result |> ignore)
        "return! of an if", 72.0, (fun () -> LocalBlocks.Costly.returned(3).Result |> ignore)
    ]

let private rows (names: string seq) =
    [| for name in names -> TheoryDataRow [| box name |] |]

let private freeRows = rows (List.map fst free)
let private costlyRows = rows [ for name, _, _ in costs -> name ]

[<Collection("alone")>]
type Bytes() =
    static member Free = freeRows
    static member Costly = costlyRows

    [<Theory; MemberData(nameof Bytes.Free)>]
    member _.``operations that complete at once allocate nothing``(name: string) =
        let operation = free |> List.find (fst >> (=) name) |> snd
        Assert.Equal(0.0, perOperation operation)

    [<Theory; MemberData(nameof Bytes.Costly)>]
    member _.``each row of the page on limits costs its bytes``(name: string) =
        let _, bytes, operation = costs |> List.find (fun (one, _, _) -> one = name)
        Assert.Equal(bytes, perOperation operation)

    /// Bytes of all threads, the least of some runs: the pool's threads have their own.
    static member private OfAll(loop: int -> Task<int>) : float =
        loop(20000).Wait()

        let run () =
            let before = GC.GetTotalAllocatedBytes true
            loop(20000).Wait()
            float (GC.GetTotalAllocatedBytes true - before) / 20000.0

        List.min [ for _ in 1..5 -> run () ]

    [<Fact>]
    member _.``two yields, called by name, cost 48 bytes and 8 for the argument that is kept``() =
        Assert.InRange(Bytes.OfAll Shapes.yieldsByName, 56.0, 57.0)

    [<Fact>]
    member _.``two yields of an operation of its own cost 176 bytes and 8 for the argument that is kept``() =
        let start = Func<int, Task<int>> Shapes.yieldsTwiceTask
        Assert.InRange(Bytes.OfAll(Shapes.yieldsThrough start), 184.0, 185.0)
