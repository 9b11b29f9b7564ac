// Layer: builders. `stream`: an IAsyncEnumerable<'T> whose enumerations are pooled machines.
namespace Plait.Kernel

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Collections.Generic
open System.Runtime.CompilerServices

/// The streams of sequences that are none of ours.
[<Sealed>]
type internal ForeignBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StreamMembers<'Affinity>()

    static member val Instance = ForeignBuilder<'Affinity>()

    member inline _.Run(code: StreamCode<'T>) : IAsyncEnumerable<'T> = StreamMachine.Run code

/// Begins the streams that another one yields. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type StreamYields<'Affinity when 'Affinity :> IAffinity> =

    static member private Foreign<'T>(items: IAsyncEnumerable<'T>) : IAsyncEnumerable<'T> =
        let builder = ForeignBuilder<'Affinity>.Instance

        builder {
            for item in items do
                yield item
        }

    /// Has the items of another sequence given next. `isLast`: nothing follows them.
    static member Begin<'T>(run: StreamRun<'T>, items: IAsyncEnumerable<'T>, isLast: bool) =
        run.ThrowIfCancelled()

        let inner =
            match items with
            | :? Stream<'T> as stream -> stream
            | foreign -> Unsafe.As<Stream<'T>>(StreamYields<'Affinity>.Foreign foreign)

        run.Enter(inner.NewRun(), 'Affinity.Captures, isLast)

namespace Plait

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait.Kernel

/// `stream` with a choice of context.
type StreamBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StreamMembers<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: Task<'a>) = TaskSource<'a, 'Affinity> task

    /// The items of another stream, or of any asynchronous sequence, which gets the token of this one.
    member inline _.YieldFrom(items: IAsyncEnumerable<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            StreamYields<'Affinity>.Begin(machine.Data.Run, items, false)

            if __useResumableCode then
                let __stack_resumed = ResumableCode.Yield().Invoke(&machine)

                if __stack_resumed then
                    machine.Data.Run.ThrowIfFailed()

                __stack_resumed
            else
                DynamicStreams.Leave(
                    &machine,
                    ResumptionFunc<_>(fun machine ->
                        machine.Data.Run.ThrowIfFailed()
                        true)
                ))

    /// As `YieldFrom`, as the last statement: this stream is over.
    member inline _.YieldFromFinal(items: IAsyncEnumerable<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            StreamYields<'Affinity>.Begin(machine.Data.Run, items, true)
            false)

    /// The items of an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.YieldFrom(items: ConfiguredCancelableAsyncEnumerable<'T>) : StreamCode<'T> =
        this.For(items, (fun item -> this.Yield item))

    /// The items of an array.
    member inline this.YieldFrom(items: 'T[]) : StreamCode<'T> =
        this.For(items, (fun item -> this.Yield item))

    /// The items of a list.
    member inline this.YieldFrom(items: 'T list) : StreamCode<'T> =
        this.For(items, (fun item -> this.Yield item))

    /// The items of a ResizeArray.
    member inline this.YieldFrom(items: ResizeArray<'T>) : StreamCode<'T> =
        this.For(items, (fun item -> this.Yield item))

    /// The items of any sequence.
    member inline this.YieldFrom(items: seq<'T>) : StreamCode<'T> =
        this.For(items, (fun item -> this.Yield item))

    /// `do!` as the last statement; the compiler looks for it here.
    member inline this.YieldFromFinal(source: 'S) : StreamCode<'T> when 'S :> ISource<unit> =
        this.Bind(source, (fun () -> this.Zero()))

    /// `do!` of an operation that is started here, as the last statement.
    member inline this.YieldFromFinal
        (operand: Startable<'X, 'K>)
        : StreamCode<'T> when 'K :> IStarted<'X, 'S> and 'S :> ISource<unit> =
        this.Bind(operand, (fun () -> this.Zero()))

    /// The items of an asynchronous sequence with ConfigureAwait or WithCancellation, as the last statement.
    member inline this.YieldFromFinal(items: ConfiguredCancelableAsyncEnumerable<'T>) : StreamCode<'T> =
        this.YieldFrom items

    /// The items of an array, as the last statement.
    member inline this.YieldFromFinal(items: 'T[]) : StreamCode<'T> = this.YieldFrom items

    /// The items of a list, as the last statement.
    member inline this.YieldFromFinal(items: 'T list) : StreamCode<'T> = this.YieldFrom items

    /// The items of a ResizeArray, as the last statement.
    member inline this.YieldFromFinal(items: ResizeArray<'T>) : StreamCode<'T> = this.YieldFrom items

    /// The items of any sequence, as the last statement.
    member inline this.YieldFromFinal(items: seq<'T>) : StreamCode<'T> = this.YieldFrom items

    /// An IAsyncEnumerable whose enumerations run this code.
    member inline _.Run(code: StreamCode<'T>) : IAsyncEnumerable<'T> = StreamMachine.Run code

/// Code that gives items, one each time that a consumer asks for one.
type StreamBuilder() =
    inherit StreamBuilder<OnCaptured>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module StreamBuilders =

    /// <summary>Code that gives items with <c>yield</c> and <c>yield!</c> and may await between them, as an
    /// <see cref="T:System.Collections.Generic.IAsyncEnumerable`1" />. It runs only while a consumer waits for the next item. An item
    /// allocates nothing, whether the code waits for it or not; a stream is one object.</summary>
    let stream = StreamBuilder()
