// Layer: strand. The statements of the strand builders but loops over items: plain inline F#, no resumable code.
//
// A continuation appears exactly twice in a member, once called and once inside an object expression on the cold path,
// and is never InlineIfLambda: so the compiler can lift it to a static method, and the fast path has neither closure
// nor machine nor store. They stand in one file because they are one type: as extensions they would rank below
// `StrandFallbacks`.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading.Tasks
open Plait

/// The statements of the strand builders.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type StrandStatements<'Affinity when 'Affinity :> IAffinity>() =

    interface ISources<'Affinity>

    /// The type of an unannotated `let!`.
    member inline _.Source(strand: Strand<'a>) : Strand<'a> = strand

    /// Defers the body to Run.
    member inline _.Delay(body: unit -> Strand<'T>) = body

    /// A value.
    member inline _.Return(value: 'T) = Strand<'T>.Of value

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() = Strand<unit>.Of(())

    /// `let!` of a strand.
    member inline _.Bind(strand: Strand<'a>, rest: 'a -> Strand<'T>) : Strand<'T> =
        if isNull strand.Node then
            rest strand.Value
        else
            SuspendedPath.BindStrand<'a, 'T, 'Affinity>(
                strand.Node,
                { new StrandContinuation<'a, 'T>() with
                    member _.Invoke child = rest (child.Get())
                }
            )

    /// `return!` of a strand: the strand itself.
    member inline _.ReturnFrom(strand: Strand<'T>) = strand

    /// One statement after another.
    member inline _.Combine(first: Strand<unit>, rest: unit -> Strand<'T>) : Strand<'T> =
        if isNull first.Node then
            rest ()
        else
            SuspendedPath.Follow(
                first.Node,
                { new StatementContinuation<'T>() with
                    member _.Rest() = rest ()
                }
            )

    /// `while`.
    member inline _.While(condition: unit -> bool, body: unit -> Strand<unit>) : Strand<unit> =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && condition () do
            turn <- body ()

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new LoopNode() with
                    member _.Next() =
                        let mutable turn = Strand<unit>.Of(())

                        while isNull turn.Node && condition () do
                            turn <- body ()

                        turn
                }
            )

    /// `try/with`. A body that suspended is followed by the handler; a handler that suspended is not handled again.
    member inline _.TryWith(body: unit -> Strand<'T>, handler: exn -> Strand<'T>) : Strand<'T> =
        let mutable handled = false

        let strand =
            try
                body ()
            with error ->
                handled <- true
                handler error

        if handled || isNull strand.Node then
            strand
        else
            SuspendedPath.Follow(
                strand.Node,
                { new TryNode<'T>() with
                    member _.Handle error = handler error
                }
            )

    /// A body and an end that always runs, once, and may suspend. The error of the end wins.
    member inline _.EndAsync(body: unit -> Strand<'T>, finish: unit -> ValueTask) : Strand<'T> =
        let mutable error: exn = null
        let mutable strand = Unchecked.defaultof<Strand<'T>>

        try
            strand <- body ()
        with caught ->
            error <- caught

        if isNull error && not (isNull strand.Node) then
            SuspendedPath.Follow(
                strand.Node,
                { new FinallyNode<'T>() with
                    member _.End() =
                        finish().ConfigureAwait 'Affinity.Captures
                }
            )
        else
            let ending = finish ()

            if ending.IsCompletedSuccessfully then
                ending.GetAwaiter().GetResult()

                if not (isNull error) then
                    ExceptionDispatchInfo.Throw error

                strand
            else
                SuspendedPath.End(
                    error,
                    strand.Value,
                    { new FinallyNode<'T>() with
                        member _.End() =
                            ending.ConfigureAwait 'Affinity.Captures
                    }
                )

    /// The same with an end that sets how it is awaited.
    member inline _.EndConfigured
        (body: unit -> Strand<'T>, finish: unit -> ConfiguredValueTaskAwaitable)
        : Strand<'T> =
        let mutable error: exn = null
        let mutable strand = Unchecked.defaultof<Strand<'T>>

        try
            strand <- body ()
        with caught ->
            error <- caught

        let node =
            { new FinallyNode<'T>() with
                member _.End() = finish ()
            }

        if isNull error && not (isNull strand.Node) then
            SuspendedPath.Follow(strand.Node, node)
        else
            SuspendedPath.End(error, strand.Value, node)

    /// `try/finally`.
    member inline this.TryFinally(body: unit -> Strand<'T>, compensation: unit -> unit) : Strand<'T> =
        this.EndAsync(
            body,
            (fun () ->
                compensation ()
                ValueTask())
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Strand<'T>)
        : Strand<'T> when 'r :> IAsyncDisposable | null =
        this.EndAsync(
            (fun () -> body resource),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// `and!`.
    member inline _.MergeSources
        (first: 'A, second: 'B)
        : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
        Pair<'A, 'B, 'a, 'b>(first, second)
