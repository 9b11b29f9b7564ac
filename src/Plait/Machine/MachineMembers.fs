// Layer: machine. Every member of the resumable builders but Run.
//
// InlineIfLambda stands on `condition` and `compensation` only, as in FSharp.Core. Elsewhere the optimiser would copy
// the lambda into both branches of every `if __useResumableCode`, at each level of nesting: compile time grows
// exponentially (14 binds: 34 s instead of 2).
namespace Plait.Kernel

#nowarn "3261" // null is nothing to dispose

open System
open System.Collections.Generic
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// Every member of the resumable builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type MachineMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit SourceBuilder<'Affinity>()

    /// Defers a part.
    member inline _.Delay(part: unit -> Code<'T, 'U>) : Code<'T, 'U> =
        Code<'T, 'U>(fun machine -> (part ()).Invoke &machine)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : Code<'T, unit> = ResumableCode.Zero()

    /// The result.
    member inline _.Return(value: 'T) : Code<'T, 'T> =
        Code<'T, 'T>(fun machine ->
            machine.Data.Result <- value
            true)

    /// One statement after another.
    member inline _.Combine(first: Code<'T, unit>, second: Code<'T, 'U>) : Code<'T, 'U> =
        ResumableCode.Combine(first, second)

    /// `while`.
    member inline _.While([<InlineIfLambda>] condition: unit -> bool, body: Code<'T, unit>) : Code<'T, unit> =
        ResumableCode.While(condition, body)

    /// `try/with`.
    member inline _.TryWith(body: Code<'T, 'U>, handler: exn -> Code<'T, 'U>) : Code<'T, 'U> =
        ResumableCode.TryWith(body, handler)

    /// `try/finally`.
    member inline _.TryFinally
        (body: Code<'T, 'U>, [<InlineIfLambda>] compensation: unit -> unit)
        : Code<'T, 'U> =
        ResumableCode.TryFinally(
            body,
            ResumableCode<_, _>(fun _ ->
                compensation ()
                true)
        )

    /// `let!` of any source.
    member inline _.Bind(source: 'S, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> when 'S :> ISource<'a> =
        Code<'T, 'U>(fun machine ->
            if __useResumableCode then
                // `mutable`: else the parameter is hoisted into the machine in its place, and the time doubles
                let mutable __stack_source = source
                let mutable __stack_done = true
                let mutable __stack_result = Unchecked.defaultof<'a>

                if __stack_source.IsCompleted then
                    __stack_result <- __stack_source.GetResult()
                else
                    let __stack_resumed = ResumableCode.Yield().Invoke(&machine)

                    if __stack_resumed then
                        __stack_result <- Suspend.Take<'T, 'S, 'a>(machine.Data.Box)

                    __stack_done <- __stack_resumed

                if __stack_done then
                    (rest __stack_result).Invoke(&machine)
                else
                    Suspend.On<_, 'T, 'S, 'a>(&machine, &machine.Data, __stack_source)
                    false
            else
                Dynamic.Bind<'T, 'U, 'S, 'a>(&machine, source, rest))

    /// `return!` of any source.
    member inline this.ReturnFrom(source: 'S) : Code<'T, 'T> when 'S :> ISource<'T> =
        this.Bind(source, (fun value -> this.Return value))

    /// `and!`.
    member inline _.MergeSources
        (first: 'A, second: 'B)
        : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
        Pair<'A, 'B, 'a, 'b>(first, second)

    /// `try/finally` whose end may suspend. Its error surfaces and wins, as in C#.
    member inline this.TryFinallyAsync
        (body: Code<'T, 'U>, [<InlineIfLambda>] compensation: unit -> ValueTask)
        : Code<'T, 'U> =
        ResumableCode.TryFinallyAsync(
            body,
            Code<'T, unit>(fun machine ->
                (this.Bind(
                    UnitValueTaskSource<unit, 'Affinity>(compensation ()),
                    (fun () -> ResumableCode.Zero())
                ))
                    .Invoke(&machine))
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Code<'T, 'U>)
        : Code<'T, 'U> when 'r :> IAsyncDisposable | null =
        this.TryFinallyAsync(
            Code<'T, 'U>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// `for` over any sequence.
    member inline _.For(items: seq<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        ResumableCode.For(items, body)

    /// `for` over an array.
    member inline _.For(items: 'a[], body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable index = 0

                while __stack_go && index < items.Length do
                    let __stack_step = (body items[index]).Invoke(&machine)

                    if __stack_step then
                        index <- index + 1

                    __stack_go <- __stack_step

                __stack_go
            else
                (ResumableCode.For(items, body)).Invoke &machine)

    /// `for` over a list.
    member inline _.For(items: 'a list, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable rest = items

                while __stack_go && not rest.IsEmpty do
                    let __stack_step = (body rest.Head).Invoke(&machine)

                    if __stack_step then
                        rest <- rest.Tail

                    __stack_go <- __stack_step

                __stack_go
            else
                (ResumableCode.For(items, body)).Invoke &machine)

    /// `for` over a ResizeArray.
    member inline _.For(items: ResizeArray<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable cursor = items.GetEnumerator()

                while __stack_go && cursor.MoveNext() do
                    let __stack_step = (body cursor.Current).Invoke(&machine)
                    __stack_go <- __stack_step

                __stack_go
            else
                (ResumableCode.For(items, body)).Invoke &machine)

    /// `for` over a sequence that must be waited for.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            let position = AsyncItems<'a>(items.GetAsyncEnumerator())

            (this.TryFinallyAsync(
                this.While(
                    (fun () -> position.More),
                    Code<'T, unit>(fun machine ->
                        (this.Bind(
                            ValueTaskSource<bool, 'Affinity>(position.MoveNext()),
                            (fun more ->
                                Code<'T, unit>(fun machine ->
                                    position.More <- more

                                    if more then (body position.Current).Invoke(&machine) else true))
                        ))
                            .Invoke(&machine))
                ),
                (fun () -> position.Dispose())
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module MachineFallbacks =
    type MachineMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> Code<'T, 'U>)
            : Code<'T, 'U> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)
