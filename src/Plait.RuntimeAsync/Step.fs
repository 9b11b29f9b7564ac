// Layer: members. Code that becomes part of the async method around it, without a method, a closure or a Task of its own.
namespace Plait.RuntimeAsync

open Plait.Kernel
open Plait.RuntimeAsync.Kernel

/// <summary>A part of an async method, made by <c>step { }</c>. It has no code of its own: bound by <c>let!</c> in a builder of this
/// namespace, it is compiled into the method there. Elsewhere, kept in a value for example, its awaits are error FS3918.</summary>
/// <typeparam name="Affinity">Where its awaits continue: only a builder that continues there binds it.</typeparam>
/// <typeparam name="T">The type of its result.</typeparam>
type Step<'Affinity, 'T> = delegate of unit -> 'T

/// A step that continues on the captured context, as `step { }` makes it.
type Step<'T> = Step<OnCaptured, 'T>

/// A part of an async method, from the same code as the builders.
type StepBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// The code, not started.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Step<'T> = Step<'T>(fun () -> body ())

/// `step` itself.
[<AutoOpen>]
module Steps =

    /// A part of an async method, as the functions on List, Array, Seq, Option and Result take it. It continues on
    /// the captured context; in the builders of NonAffine write `NonAffine.step`.
    let step = StepBuilder()

namespace Plait.RuntimeAsync.Kernel

open Plait.Kernel
open Plait.RuntimeAsync

/// Steps, below the functions that start a task: a function could be either.
[<AutoOpen>]
module RuntimeSteps =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Runs the step here.
        member inline _.Bind
            ([<InlineIfLambda>] step: Step<'Affinity, 'a>, [<InlineIfLambda>] rest: 'a -> 'T)
            : 'T =
            Awaiters.next (fun () -> step.Invoke()) rest

        /// Runs the step here, for its result.
        member inline _.ReturnFrom([<InlineIfLambda>] step: Step<'Affinity, 'T>) : 'T = step.Invoke()
