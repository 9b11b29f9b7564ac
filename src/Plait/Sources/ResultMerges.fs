// Layer: sources. `and!` in the builders of results: of values, of Results and of both. The first Error is the result, or in the
// builders of validations all of them are. Modules are ranked as in SourceOverloads.
namespace Plait.Kernel

/// `and!` of operations without Results.
[<AutoOpen>]
module PlainMerges =
    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// `and!` of two values.
        member inline _.MergeSources
            (first: 'A, second: 'B)
            : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
            Pair<'A, 'B, 'a, 'b>(first, second)

/// Sources of Results as one.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module MergedResults =

    /// Both values, or the first Error.
    let inline firstError<'A, 'B, 'a, 'b, 'E
        when 'A :> ISource<Result<'a, 'E>> and 'B :> ISource<Result<'b, 'E>>>
        (first: 'A)
        (second: 'B)
        =
        ResultOf<_, struct ('a * 'b), 'E>(
            MappedSource<_, _, _, FirstError<'a, 'b, 'E>>(
                Pair<'A, 'B, Result<'a, 'E>, Result<'b, 'E>>(first, second)
            )
        )

    /// Both values, or the Errors of both.
    let inline allErrors<'A, 'B, 'a, 'b, 'E
        when 'A :> ISource<Result<'a, 'E list>> and 'B :> ISource<Result<'b, 'E list>>>
        (first: 'A)
        (second: 'B)
        =
        ResultOf<_, struct ('a * 'b), 'E list>(
            MappedSource<_, _, _, AllErrors<'a, 'b, 'E>>(
                Pair<'A, 'B, Result<'a, 'E list>, Result<'b, 'E list>>(first, second)
            )
        )

/// `and!` whose first Error is the result.
[<AutoOpen>]
module ResultMerges =

    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// `and!` of a Result and a value.
        member inline _.MergeSources(first: ResultOf<'A, 'a, 'E>, second: 'B) =
            MergedResults.firstError<_, _, 'a, 'b, 'E>
                first.Source
                (MappedSource<'B, 'b, Result<'b, 'E>, AsOk<'b, 'E>> second)

        /// `and!` of a value and a Result.
        member inline _.MergeSources(first: 'A, second: ResultOf<'B, 'b, 'E>) =
            MergedResults.firstError<_, _, 'a, 'b, 'E>
                (MappedSource<'A, 'a, Result<'a, 'E>, AsOk<'a, 'E>> first)
                second.Source

        /// `and!` of two Results.
        member inline _.MergeSources(first: ResultOf<'A, 'a, 'E>, second: ResultOf<'B, 'b, 'E>) =
            MergedResults.firstError<_, _, 'a, 'b, 'E> first.Source second.Source

/// `and!` whose result are all Errors.
[<AutoOpen>]
module ValidationMerges =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// `and!` of two validations.
        member inline _.MergeSources(first: ResultOf<'A, 'a, 'E list>, second: ResultOf<'B, 'b, 'E list>) =
            MergedResults.allErrors<_, _, 'a, 'b, 'E> first.Source second.Source
