// Layer: machine. The statements that every resumable builder has, for all operands and all data of a machine.
//
// InlineIfLambda stands on `condition` and `compensation` only, as in FSharp.Core. Elsewhere the optimiser would copy
// the lambda into both branches of every `if __useResumableCode`, at each level of nesting: compile time grows
// exponentially (14 binds: 34 s instead of 2).
namespace Plait.Kernel

open System
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers

/// The statements of the resumable builders, except the ones whose types stand in the messages of the compiler: each kind of
/// builder has these under the name of its own code.
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
