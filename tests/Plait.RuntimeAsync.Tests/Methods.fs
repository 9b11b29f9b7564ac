// Under test: the IL that F# 11 makes of the builders: one async method of each function, a bind of a call that the JIT recognises, and
// no closure.
module Plait.RuntimeAsync.Tests.Methods

open System
open Mono.Cecil
open Mono.Cecil.Cil
open Xunit

let private assembly =
    lazy AssemblyDefinition.ReadAssembly(typeof<Shapes.Member>.Assembly.Location)

let private moduleNamed (name: string) =
    assembly.Value.MainModule.GetType $"Plait.RuntimeAsync.Tests.{name}"

let private shapes = lazy moduleNamed "Shapes"

/// MethodImplOptions.Async.
let isAsync (one: MethodDefinition) = int one.ImplAttributes &&& 0x2000 <> 0

/// A function of a module of these tests.
let functionOf (owner: string) (name: string) =
    (moduleNamed owner).Methods |> Seq.find (fun one -> one.Name = name)

let private functionNamed = functionOf "Shapes"

let private isAwait (instruction: Instruction | null) =
    match instruction with
    | null -> false
    | instruction ->
        match instruction.Operand with
        | :? MethodReference as called -> called.DeclaringType.Name = "AsyncHelpers" && called.Name = "Await"
        | _ -> false

/// How many calls of functions of the module itself have their await behind them, or ConfigureAwait and then the await.
let callsAwaited (one: MethodDefinition) : int =
    let rec awaited (instruction: Instruction | null) =
        isAwait instruction
        || match instruction with
           | null -> false
           | next ->
               match next.OpCode.Code with
               // a ValueTask is configured by its address
               | Code.Ldc_I4_0
               | Code.Stloc_0
               | Code.Stloc_1
               | Code.Stloc_2
               | Code.Stloc_3
               | Code.Stloc_S
               | Code.Ldloca_S -> awaited next.Next
               | _ ->
                   match next.Operand with
                   | :? MethodReference as called when called.Name = "ConfigureAwait" -> awaited next.Next
                   | _ -> false

    one.Body.Instructions
    |> Seq.filter (fun instruction ->
        match instruction.Operand with
        | :? MethodReference as called when
            called.DeclaringType.FullName = one.DeclaringType.FullName
            && called.ReturnType.Name.Contains "Task"
            ->
            awaited instruction.Next
        | _ -> false)
    |> Seq.length

/// The calls of the functions of Shapes, and of AsyncFuncs, that return a task or value task.
let private callsOfShapes (one: MethodDefinition) =
    [
        for instruction in one.Body.Instructions do
            match instruction.Operand with
            | :? MethodReference as called when
                (called.DeclaringType.FullName.StartsWith "Plait.RuntimeAsync.Tests.Shapes"
                 || called.DeclaringType.FullName.StartsWith "Plait.RuntimeAsync.AsyncFunc`")
                && called.ReturnType.Name.Contains "Task"
                ->
                instruction
            | _ -> ()
    ]

[<Theory>]
[<InlineData "small";
  InlineData "smallTask";
  InlineData "generic";
  InlineData "unitary";
  InlineData "oneAwait">]
[<InlineData "calls"; InlineData "branches"; InlineData "guarded"; InlineData "offContext"; InlineData "array">]
[<InlineData "list"; InlineData "together"; InlineData "local"; InlineData "over"; InlineData "steps">]
[<InlineData "statementInside"; InlineData "matchedInside"; InlineData "inlined">]
[<InlineData "insideAll"; InlineData "nothingBefore"; InlineData "aLocalFunction">]
[<InlineData "aComputedConstant"; InlineData "aRecord"; InlineData "aTupleTakenApart">]
let ``a function is one async method`` (name: string) =
    Assert.True(isAsync (functionNamed name))

[<Theory>]
[<InlineData("Member", "Add")>]
[<InlineData("Implementation", "Find"); InlineData("Implementation", "Execute")>]
[<InlineData("Implementation", "Plait.RuntimeAsync.Tests.Shapes.IMiddleware.InvokeAsync")>]
[<InlineData("Implementation", "Static")>]
let ``a member is one async method`` (owner: string) (name: string) =
    let kind = shapes.Value.NestedTypes |> Seq.find (fun kind -> kind.Name = owner)
    Assert.True(isAsync (kind.Methods |> Seq.find (fun one -> one.Name = name)))

[<Theory>]
[<InlineData("oneAwait", 1); InlineData("calls", 5); InlineData("branches", 3); InlineData("guarded", 1)>]
[<InlineData("array", 1); InlineData("list", 1); InlineData("over", 1); InlineData("steps", 1)>]
[<InlineData("added", 2); InlineData("onStruct", 1); InlineData("captured", 1)>]
let ``a bind of a call is the call and the await, with nothing between`` (name: string) (least: int) =
    let calls =
        callsOfShapes (functionNamed name)
        |> List.filter (fun call ->
            not ((call.Operand :?> MethodReference).ReturnType.FullName = "System.Threading.Tasks.ValueTask"))

    Assert.True(calls.Length >= least, $"{name} calls {calls.Length} functions.")

    for call in calls do
        Assert.True(isAwait call.Next, $"{call} is followed by {call.Next}")

/// The functions of a module whose code has closures.
let closuresOf (owner: string) : string list =
    [
        for kind in (moduleNamed owner).NestedTypes do
            if kind.Name.Contains '@' then
                kind.Name.Substring(0, kind.Name.IndexOf '@')
    ]
    |> List.distinct

[<Fact>]
let ``no closure is made`` () =
    let closures = closuresOf "Shapes"

    // two are Plait's builders, and one is written
    // the values of the module have one each, made once, and so have blocks that take nothing
    Assert.Equal<string list>(
        [
            "aConstantTaken"
            "captured"
            "inPooled"
            "inStrand"
            "kept"
            "keptLazily"
            "nothingTaken"
            "nothingTakenInBranches"
        ],
        List.sort closures
    )

[<Fact>]
let ``a small function has no instruction more than it needs`` () =
    let codes =
        [ for instruction in (functionNamed "small").Body.Instructions -> instruction.OpCode.Code ]

    Assert.Equal<Code list>(
        [ Code.Ldarg_0; Code.Ldc_I4_1; Code.Add; Code.Ret ],
        codes |> List.filter ((<>) Code.Nop)
    )

    Assert.True(codes |> List.filter ((=) Code.Nop) |> List.length <= 1)
