// Layer: machine. The resumable builders that bind by `Source`: every type with a source can be bound, returned and
// merged.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.ComponentModel
open System.Runtime.CompilerServices
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// Every member of the resumable builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type MachineBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit MachineMembers<'Affinity>()

    interface ISources<'Affinity>

    /// `let!` of any source.
    member inline this.Bind(source: 'S, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> when 'S :> ISource<'a> =
        this.Await(source, rest)

    /// `return!` of any source.
    member inline this.ReturnFrom(source: 'S) : Code<'T, 'T> when 'S :> ISource<'T> = this.Forward source

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
        this.EachAsync(items, body)

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>)
        : Code<'T, unit> =
        this.EachConfigured(items, body)

/// `for` over what is no sequence: chosen if nothing else fits, and a compile-time error.
[<AutoOpen>]
module MachineRefusal =
    type MachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the loop, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For
            (_source: 'S, _body: 'a -> Code<'T, unit>)
            : Code<'T, unit> when 'S :> ISource<'a> =
            raise (NotSupportedException())

/// What the builders of this file bind besides the sources that all share.
[<AutoOpen>]
module MachineSources =
    type MachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand
