// Layer: builders. `strandResult`: Strand<Result<'T, 'E>>.
namespace Plait

open Plait.Kernel

/// `strandResult` with a choice of context.
type StrandResultBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ResultStrandMembers<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(strand: Strand<Result<'a, 'E>>) =
        ResultOf<Strand<Result<'a, 'E>>, 'a, 'E> strand

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<Result<'T, 'E>>) : Strand<Result<'T, 'E>> =
        StrandStart.Run body

/// A strand of a Result: `let!` takes the value of an Ok, and an Error ends the code.
type StrandResultBuilder() =
    inherit StrandResultBuilder<OnCaptured>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module StrandResultBuilders =

    /// <summary>Async code as a <see cref="T:Plait.Strand`1" /> of a Result: <c>let!</c> takes the value of an Ok, of
    /// anything that is awaited and of a Result itself, and an Error ends the code without an exception. Costs little more
    /// than plain code if nothing suspends, and one small object per suspension.</summary>
    let strandResult = StrandResultBuilder()
