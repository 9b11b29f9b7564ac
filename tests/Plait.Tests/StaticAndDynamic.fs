// Under test: that the other tests really run both forms: a state machine where the compiler makes one, closures where it
// does not; and that closures inside of a state machine give their result or are refused.
module Plait.Tests.StaticAndDynamic

#nowarn "3511" // computations that are no state machine, on purpose

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Plait
open Plait.Kernel
open Xunit

open Plait.Tests.Programs

/// Not those of `task`, which the programs use too.
let private ofPlait (candidate: Type) =
    candidate.IsGenericType
    && candidate.GetGenericTypeDefinition() = typedefof<IResumableStateMachine<_>>
    && candidate.GenericTypeArguments[0].Namespace = "Plait.Kernel"

/// The state machines in a module and the types nested in it.
let private machines (name: string) =
    let assembly = typeof<Subject>.Assembly

    assembly.GetTypes()
    |> Array.filter (fun candidate ->
        candidate.IsValueType
        && candidate.GetInterfaces() |> Array.exists ofPlait
        && nonNull(candidate.FullName).StartsWith $"Plait.Tests.Programs.{name}+")
    |> Array.length

#if DEBUG && !ALWAYS_INLINE
let private inlined = false
#else
let private inlined = true
#endif

[<Theory>]
[<InlineData("PooledValueTasks")>]
[<InlineData("PlaitTasks")>]
let ``a pooled builder is a state machine wherever the compiler inlines`` (builder: string) =
    for programs in [ "Flow"; "Binding"; "Disposal"; "Together"; "Interpreted"; "Results"; "Contexts" ] do
        let count = machines $"{builder}.{programs}"

        if inlined then
            Assert.True(count > 2, $"{builder}.{programs} has {count} state machines.")
        else
            Assert.Equal(0, count)

#if !DEBUG
[<Fact>]
let ``a builder with a Run that is not inlined has no state machine`` () =
    for programs in [ "Flow"; "Disposal"; "Together"; "Interpreted"; "Results"; "Contexts" ] do
        Assert.Equal(0, machines $"DynamicPooledValueTasks.{programs}")
#endif

[<Fact>]
let ``a strand has no state machine`` () =
    for programs in [ "Flow"; "Disposal"; "Together"; "Interpreted"; "Results"; "Contexts" ] do
        Assert.Equal(0, machines $"Strand.{programs}")

/// A Run that the compiler cannot look into.
type OpaqueTaskBuilder() =
    inherit Plait.TaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: TaskCode<'T, 'T>) : Task<'T> =
        TaskMachine.Run<'T, Task<'T>, OnCallingThread> code

let private opaque = Builders.DynamicPooledValueTasks.co
let private opaqueTask = OpaqueTaskBuilder()

/// Computations inside others, each with the result 8, with the word whether they are closures inside a state machine.
let private nested: (string * bool * (unit -> Task<int>)) list =
    [
        "pooledValueTask in pooledTask",
        true,
        (fun () ->
            pooledTask {
                let! result = opaque { return 8 }
                return result
            })
        "pooledValueTask in FSharp.Core's task",
        true,
        (fun () ->
            task {
                let! result = opaque { return 8 }
                return result
            })
        "Plait.Tasks.task in pooledValueTask",
        true,
        (fun () ->
            (pooledValueTask {
                let! result = opaqueTask { return 8 }
                return result
            })
                .AsTask())
        "pooledValueTask in strand",
        false,
        (fun () ->
            (strand {
                let! result = opaque { return 8 }
                return result
            })
                .AsTask())
        "let rec: pooledTask in pooledValueTask",
        false,
        (fun () ->
            (pooledValueTask {
                let! result =
                    pooledTask {
                        let rec count n = if n = 0 then 8 else count (n - 1)
                        return count 3
                    }

                return result
            })
                .AsTask())
        "let rec: Plait.Tasks.task in FSharp.Core's task",
        false,
        (fun () ->
            task {
                let! result =
                    Plait.Tasks.task {
                        let rec count n = if n = 0 then 8 else count (n - 1)
                        return count 3
                    }

                return result
            })
#if !ALWAYS_INLINE
        "coldTask in pooledTask",
        false,
        (fun () ->
            pooledTask {
                let! result = coldTask { return 8 }
                return result
            })
        "cancellableTask in FSharp.Core's task",
        false,
        (fun () ->
            task {
                let! result = (cancellableTask { return 8 }) CancellationToken.None
                return result
            })
        "cancellableValueTask in Plait.Tasks.task",
        false,
        (fun () ->
            Plait.Tasks.task {
                let! result = (cancellableValueTask { return 8 }) CancellationToken.None
                return result
            })
#endif
    ]

let nesting = [| for name, _, _ in nested -> TheoryDataRow(box name) |]

[<Theory; MemberData(nameof nesting)>]
let ``a computation inside another gives its result, or is refused`` (name: string) =
    let _, isWrong, code = nested |> List.find (fun (found, _, _) -> found = name)

    let outcome =
        try
            Choice1Of2(Within.result name (code ()))
        with error ->
            Choice2Of2 error

    match outcome with
    | Choice1Of2 result -> Assert.Equal(8, result)
    | Choice2Of2 error ->
        Assert.True(isWrong && inlined, $"{error}")
        let refused = Assert.IsType<InvalidProgramException> error
        Assert.Contains("docs/errors/compiled-for-another.md", refused.Message)
