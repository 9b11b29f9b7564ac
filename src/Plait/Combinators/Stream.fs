// Layer: combinators. The functions over streams that the BCL does not have.
namespace Plait

open System.Collections.Generic
open System.Threading.Tasks
open Plait.Kernel

// ModuleSuffix: in C# a class of the name Stream would hide System.IO.Stream.

/// Functions over IAsyncEnumerable, beside those of System.Linq.AsyncEnumerable in .NET 10.
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module Stream =

    /// In a stream, `let! token = Stream.cancellationToken` gives the token of the enumeration: that of `WithCancellation`, or of
    /// the stream or the loop of a stream in which this one is enumerated.
    let cancellationToken = StreamToken()

    /// The items that a function makes: from a state it makes an item and the next state, or ValueNone, which ends the items.
    let unfold
        (next: 'State -> ValueTask<struct ('T * 'State) voption>)
        (state: 'State)
        : IAsyncEnumerable<'T> =
        stream {
            let mutable state = state
            let mutable goes = true

            while goes do
                match! next state with
                | ValueSome(struct (item, following)) ->
                    state <- following
                    yield item
                | ValueNone -> goes <- false
        }

    /// The states of a fold: the first one, and the state after each item.
    let scan
        (fold: 'State -> 'T -> ValueTask<'State>)
        (state: 'State)
        (items: IAsyncEnumerable<'T>)
        : IAsyncEnumerable<'State> =
        stream {
            let mutable state = state
            yield state

            for item in items do
                let! following = fold state item
                state <- following
                yield state
        }

    /// <summary>The items of several sequences, each when it comes. All are enumerated at once, on the consumer's call. When the
    /// consumer has taken an item and asks for another, the sequence of that item is asked for its next one. The first error is the
    /// error of all. At an error, or if the consumer stops, the token of the others is cancelled, and their steps and disposals are
    /// awaited.</summary>
    let merge (sequences: seq<IAsyncEnumerable<'T>>) : IAsyncEnumerable<'T> =
        stream {
            let! token = cancellationToken
            use merging = new Merging<'T>(sequences, token)

            while! merging.Next() do
                yield merging.Current
        }
