// Under test: that the other tests really run both forms: a state machine where the compiler makes one, closures where it
// does not.
module Plait.Tests.StaticAndDynamic

open System
open Microsoft.FSharp.Core.CompilerServices
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
