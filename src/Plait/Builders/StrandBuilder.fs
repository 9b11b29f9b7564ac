// Layer: builders. `strand` and its variants, whose Run restores different contexts and catches different exceptions.
// The body is inlined into Run, and into its `try`, on purpose: a lifted body would be one more call with all its
// spills.
namespace Plait

open System.Threading
open Plait.Kernel

/// The start of a strand that catches exceptions and restores contexts. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type StrandStart =

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

/// As a C# async method: exceptions are part of the result, and both contexts of the caller are restored.
type StrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> = StrandStart.Run body

/// Exceptions are part of the result; a write of the body to an AsyncLocal before its first suspension may reach the
/// caller.
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

/// Neither restores contexts nor catches exceptions: an exception before the first suspension is thrown at the call,
/// and a synchronous `return!` runs in constant stack.
type BareStrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> = body ()

/// As a C# async method: see the type with the parameter.
type StrandBuilder() =
    inherit StrandBuilder<OnCaptured>()

/// The builders, available after `open Plait`.
[<AutoOpen>]
module StrandBuilders =

    /// <summary>Async code as a <see cref="T:Plait.Strand`1" />: costs little more than plain code if nothing
    /// suspends, and one small object per suspension. Exceptions, ExecutionContext and SynchronizationContext behave
    /// as in a C# async method.</summary>
    let strand = StrandBuilder()
