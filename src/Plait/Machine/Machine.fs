// Layer: machine. The body of every Run: one state machine for all builders.
namespace Plait.Kernel

#nowarn "3511" // the copy that is not inlined is the dynamic one, on purpose

open System.Threading
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers

/// Runs computations as pooled state machines. Called by the builders' Run only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type Machine =

    /// Runs a computation as a state machine that carries a token, unless that is cancelled. The machine is the same for every
    /// shape and safety, which are types that the JIT resolves.
    static member inline Run<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        (code: Code<'T, 'T>, token: CancellationToken)
        : 'Result =
        if __useResumableCode then
            __stateMachine<Data<'T>, 'Result>
                (MoveNextMethodImpl<_>(fun machine ->
                    __resumeAt machine.ResumptionPoint
                    let __stack_done = code.Invoke(&machine)

                    // a machine that never suspended leaves its result where it is, without a call
                    if __stack_done && not (isNull machine.Data.Box) then
                        Start.Finish(&machine.Data)))
                (SetStateMachineMethodImpl<_>(fun _ _ -> ()))
                (AfterCode<_, _>(fun machine ->
                    machine.Data.Settles <- Unchecked.defaultof<'Shape>.Settles
                    machine.Data.Token <- token

                    // one way out, and no call at its end: with the prefix for tail calls the JIT would compile this
                    // method once, without its profile of the running program
                    let error =
                        if token.IsCancellationRequested then
                            Start.Cancelled token
                        else
                            Start.First<_, 'Safety> &machine

                    Start.Result<'T, 'Result, 'Shape>(&machine.Data, error)))
        else
            Dynamic.Run<'T, 'Result, 'Shape, 'Safety>(code, token)

    /// Runs a computation as a state machine.
    static member inline Run<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        (code: Code<'T, 'T>)
        : 'Result =
        if __useResumableCode then
            __stateMachine<Data<'T>, 'Result>
                (MoveNextMethodImpl<_>(fun machine ->
                    __resumeAt machine.ResumptionPoint
                    let __stack_done = code.Invoke(&machine)

                    // a machine that never suspended leaves its result where it is, without a call
                    if __stack_done && not (isNull machine.Data.Box) then
                        Start.Finish(&machine.Data)))
                (SetStateMachineMethodImpl<_>(fun _ _ -> ()))
                (AfterCode<_, _>(fun machine ->
                    machine.Data.Settles <- Unchecked.defaultof<'Shape>.Settles
                    let error = Start.First<_, 'Safety> &machine
                    Start.Result<'T, 'Result, 'Shape>(&machine.Data, error)))
        else
            Dynamic.Run<'T, 'Result, 'Shape, 'Safety>(code, CancellationToken.None)
