// Layer: builders. `strand` and its forms, which differ in what Run keeps. The body is inlined into Run, and into its
// `try`, on purpose: a lifted body would be one more call with all its spills.
namespace Plait

open System
open System.ComponentModel
open System.Threading
open Plait.Kernel

/// The start of an exact strand. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type Exact =

    /// Runs the body; an exception becomes the result, both contexts of the caller are put back.
    static member inline Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> =
        let captured = ExecutionContext.Capture()

        let context =
            match captured with
            | null -> CallerContexts.Suppressed()
            | captured -> captured

        let synchronization = SynchronizationContext.Current

        try
            let strand = body ()

            if
                not (obj.ReferenceEquals(ExecutionContext.Capture(), context))
                || not (obj.ReferenceEquals(SynchronizationContext.Current, synchronization))
            then
                CallerContexts.Restore(context, synchronization)

            if not (isNull strand.Node) then
                strand.Node.Close()

            strand
        with error ->
            CallerContexts.Fault(error, context, synchronization)

/// Exact: exceptions in the result, both contexts of the caller as they were, as in a C# async method.
type StrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> = Exact.Run body

/// Exceptions in the result; what the body writes to an AsyncLocal before its first suspension may stay with the caller.
type UnsafeStrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> =
        try
            let strand = body ()

            if not (isNull strand.Node) then
                strand.Node.Close()

            strand
        with error ->
            SuspendedPath.Fault error

/// Nothing kept: synchronous exceptions surface at the call, and synchronous `return!` runs in constant stack.
type BareStrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> = body ()

/// Exact: see the type with the parameter.
type StrandBuilder() =
    inherit StrandBuilder<OnCaptured>()

/// The builder values that `open Plait` brings.
[<AutoOpen>]
module StrandBuilders =

    /// <summary>Async code as a <see cref="T:Plait.Strand`1" />: near the price of plain code while nothing suspends,
    /// one small object per suspension. Exceptions, ExecutionContext and SynchronizationContext behave as in a C# async
    /// method.</summary>
    let strand = StrandBuilder()
