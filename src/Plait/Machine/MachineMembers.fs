// Layer: machine. What every resumable builder has, whatever it binds: its statements, and the one wait.
//
// InlineIfLambda stands on `condition` and `compensation` only, as in FSharp.Core. Elsewhere the optimiser would copy
// the lambda into both branches of every `if __useResumableCode`, at each level of nesting: compile time grows
// exponentially (14 binds: 34 s instead of 2).
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// The statements of the resumable builders, whatever their machines carry; but for those whose types stand in the messages
/// of the compiler, which each builder has under the name of its own code.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type MachineStatements() =

    /// `while`.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, body: ResumableCode<'D, unit>)
        : ResumableCode<'D, unit> =
        ResumableCode.While(condition, body)

    /// `try/with`.
    member inline _.TryWith
        (body: ResumableCode<'D, 'U>, handler: exn -> ResumableCode<'D, 'U>)
        : ResumableCode<'D, 'U> =
        ResumableCode.TryWith(body, handler)

    /// `try/finally`.
    member inline _.TryFinally
        (body: ResumableCode<'D, 'U>, [<InlineIfLambda>] compensation: unit -> unit)
        : ResumableCode<'D, 'U> =
        ResumableCode.TryFinally(
            body,
            ResumableCode<_, _>(fun _ ->
                compensation ()
                true)
        )

    /// Runs the body for each number of a range.
    member inline _.EachIndex(range: Range, body: int -> ResumableCode<'D, unit>) : ResumableCode<'D, unit> =
        ResumableCode<'D, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable index = Ranges.First range
                let limit = Ranges.Limit range

                while __stack_go && index < limit do
                    let __stack_step = (body index).Invoke(&machine)

                    if __stack_step then
                        index <- index + 1

                    __stack_go <- __stack_step

                __stack_go
            else
                (ResumableCode.For(Ranges.Items range, body)).Invoke &machine)

    /// `try/finally` whose end may suspend. Its error surfaces and wins, as in C#.
    member inline _.Finish
        (body: ResumableCode<'D, 'U>, [<InlineIfLambda>] compensation: unit -> ResumableCode<'D, unit>)
        : ResumableCode<'D, 'U> =
        ResumableCode.TryFinallyAsync(
            body,
            ResumableCode<'D, unit>(fun machine -> (compensation ()).Invoke(&machine))
        )

    /// Runs the body for each item of a cursor, waiting for each.
    member inline this.EachItem
        (
            cursor: AsyncSequenceCursor<'a>,
            [<InlineIfLambda>] move: (bool -> ResumableCode<'D, unit>) -> ResumableCode<'D, unit>,
            [<InlineIfLambda>] dispose: unit -> ResumableCode<'D, unit>,
            body: 'a -> ResumableCode<'D, unit>
        ) : ResumableCode<'D, unit> =
        this.Finish(
            this.While(
                (fun () -> cursor.More),
                ResumableCode<'D, unit>(fun machine ->
                    (move (fun more ->
                        ResumableCode<'D, unit>(fun machine ->
                            cursor.More <- more

                            if more then (body cursor.Current).Invoke(&machine) else true)))
                        .Invoke(&machine))
            ),
            dispose
        )

/// The statements of the builders with pooled machines, and the one wait.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type MachineMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit MachineStatements()

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

    /// Waits for a source, then runs the rest.
    member inline _.Await(source: 'S, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> when 'S :> ISource<'a> =
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

    /// Waits for a source, whose result is the result.
    member inline this.Forward(source: 'S) : Code<'T, 'T> when 'S :> ISource<'T> =
        this.Await(source, (fun value -> this.Return value))

    /// `try/finally` whose end is a source.
    member inline this.End
        (body: Code<'T, 'U>, [<InlineIfLambda>] compensation: unit -> 'S)
        : Code<'T, 'U> when 'S :> ISource<unit> =
        this.Finish(body, (fun () -> this.Await(compensation (), (fun () -> ResumableCode.Zero()))))

    /// `try/finally` whose end may suspend.
    member inline this.TryFinallyAsync
        (body: Code<'T, 'U>, [<InlineIfLambda>] compensation: unit -> ValueTask)
        : Code<'T, 'U> =
        this.End(body, (fun () -> UnitValueTaskSource<unit, 'Affinity>(compensation ())))

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Code<'T, 'U>)
        : Code<'T, 'U> when 'r :> IAsyncDisposable | null =
        this.TryFinallyAsync(
            Code<'T, 'U>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// Runs the body for each item, awaiting each step as the builder does.
    member inline this.EachAsync(items: IAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.EachItem(
                cursor,
                (fun rest -> this.Await(ValueTaskSource<bool, 'Affinity>(cursor.MoveNext()), rest)),
                (fun () ->
                    this.Await(
                        UnitValueTaskSource<unit, 'Affinity>(cursor.Dispose()),
                        (fun () -> ResumableCode.Zero())
                    )),
                body
            ))
                .Invoke(&machine))

    /// Runs the body for each item, awaiting each step as ConfigureAwait says.
    member inline this.EachConfigured
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>)
        : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.EachItem(
                cursor,
                (fun rest ->
                    this.Await(AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter()), rest)),
                (fun () ->
                    this.Await(
                        AwaiterPattern.Critical<_, unit>(cursor.Dispose().GetAwaiter()),
                        (fun () -> ResumableCode.Zero())
                    )),
                body
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module MachineFallbacks =
    type MachineMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> Code<'T, 'U>)
            : Code<'T, 'U> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)
