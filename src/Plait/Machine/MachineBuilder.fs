// Layer: machine. The resumable builders that bind by `Source`: every type with a source can be bound, returned and
// merged.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// Every member of the resumable builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type MachineBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit MachineStatements()

    interface ISources<'Affinity>

    /// Defers a part.
    member inline _.Delay(part: unit -> Code<'T, 'U>) : Code<'T, 'U> =
        Code<'T, 'U>(fun machine -> (part ()).Invoke &machine)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : Code<'T, unit> = ResumableCode.Zero()

    /// One statement after another.
    member inline _.Combine(first: Code<'T, unit>, second: Code<'T, 'U>) : Code<'T, 'U> =
        ResumableCode.Combine(first, second)

    /// The result.
    member inline _.Return(value: 'T) : Code<'T, 'T> =
        Code<'T, 'T>(fun machine ->
            machine.Data.Result <- value
            true)

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

    /// `try/finally` whose end may suspend.
    member inline this.TryFinallyAsync
        (body: Code<'T, 'U>, [<InlineIfLambda>] compensation: unit -> ValueTask)
        : Code<'T, 'U> =
        this.Finish(
            body,
            (fun () ->
                this.Bind(
                    UnitValueTaskSource<unit, 'Affinity>(compensation ()),
                    (fun () -> ResumableCode.Zero())
                ))
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Code<'T, 'U>)
        : Code<'T, 'U> when 'r :> IAsyncDisposable | null =
        this.TryFinallyAsync(
            Code<'T, 'U>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// `and!`.
    member inline _.MergeSources
        (first: 'A, second: 'B)
        : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
        Pair<'A, 'B, 'a, 'b>(first, second)

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

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline this.For(range: Range, body: int -> Code<'T, unit>) : Code<'T, unit> =
        this.EachIndex(range, body)

    /// `for` over an asynchronous sequence.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.EachItem(
                cursor,
                (fun rest -> this.Bind(ValueTaskSource<bool, 'Affinity>(cursor.MoveNext()), rest)),
                (fun () ->
                    this.Bind(
                        UnitValueTaskSource<unit, 'Affinity>(cursor.Dispose()),
                        (fun () -> ResumableCode.Zero())
                    )),
                body
            ))
                .Invoke(&machine))

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>)
        : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.EachItem(
                cursor,
                (fun rest ->
                    this.Bind(AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter()), rest)),
                (fun () ->
                    this.Bind(
                        AwaiterPattern.Critical<_, unit>(cursor.Dispose().GetAwaiter()),
                        (fun () -> ResumableCode.Zero())
                    )),
                body
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module MachineFallbacks =
    type MachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> Code<'T, 'U>)
            : Code<'T, 'U> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)

/// `for` over a value that is no sequence: chosen if nothing else fits, and a compile-time error.
[<AutoOpen>]
module MachineRefusal =
    type MachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the loop, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For
            (_source: 'S, _body: 'a -> Code<'T, unit>)
            : Code<'T, unit> when 'S :> ISource<'a> =
            raise (NotSupportedException())

/// The operands that the builders of this file bind besides the sources that all share.
[<AutoOpen>]
module MachineSources =
    type MachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand
