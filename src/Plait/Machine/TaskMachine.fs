// Layer: machine. The machine of the builders that replace FSharp.Core's `task`: it lives in its Task, as that of C# does,
// and awaits by awaiters, which the BCL supports. Where a builder returns a Task anyway, this is faster than a pooled
// machine beside it.
namespace Plait.Kernel

#nowarn "3511" // the copy that is not inlined is the dynamic one, on purpose

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers

/// All that such a machine carries beside the user's own locals.
[<Struct; NoComparison; NoEquality; EditorBrowsable(EditorBrowsableState.Never)>]
type TaskData<'T> =
    /// The result, once there is one.
    [<DefaultValue(false)>]
    val mutable Result: 'T

    /// The Task.
    [<DefaultValue(false)>]
    val mutable Builder: AsyncTaskMethodBuilder<'T>

/// A part of a computation that ends in a Task<'T> and yields 'U here.
type TaskCode<'T, 'U> = ResumableCode<TaskData<'T>, 'U>

/// One wait of a computation that is no machine, kept until its step has unwound: on the way out the combinators still wrap
/// the rest of the code, and a wait that was registered earlier could be over before they have.
[<AbstractClass; AllowNullLiteral; StackTraceHidden>]
type internal TaskWait<'T>() =
    abstract Begin: machine: byref<ResumableStateMachine<TaskData<'T>>> -> unit

[<Sealed; StackTraceHidden>]
type internal TaskWait<'T, 'Awaiter when 'Awaiter :> ICriticalNotifyCompletion>(awaiter: 'Awaiter) =
    inherit TaskWait<'T>()

    override _.Begin machine =
        let mutable awaiter = awaiter
        machine.Data.Builder.AwaitUnsafeOnCompleted(&awaiter, &machine)

/// Runs the steps. One per start: a start shares nothing with another.
[<Sealed; StackTraceHidden>]
type internal TaskSteps<'T>(first: ResumptionFunc<TaskData<'T>>) =
    inherit ResumptionDynamicInfo<TaskData<'T>>(first)

    override info.MoveNext machine =
        info.ResumptionData <- null
        let mutable error: exn = null

        try
            if info.ResumptionFunc.Invoke &machine then
                machine.Data.Builder.SetResult machine.Data.Result
            else
                (Unsafe.As<TaskWait<'T>> info.ResumptionData).Begin &machine
        with caught ->
            error <- caught

        if not (isNull error) then
            machine.Data.Builder.SetException error

    override _.SetStateMachine(machine, state) =
        machine.Data.Builder.SetStateMachine state

/// Where a start runs: a flag for type arguments.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IStartPlace =
    /// True: never on the caller's SynchronizationContext or TaskScheduler.
    static abstract LeavesContext: bool

/// A start on the calling thread.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OnCallingThread =
    interface IStartPlace with
        static member LeavesContext = false

/// A start on the thread pool where the calling thread has a context, else on the calling thread.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OffCallersContext =
    interface IStartPlace with
        static member LeavesContext = true

/// Runs computations as machines in their Tasks. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type TaskMachine =

    /// Whether the calling thread has neither SynchronizationContext nor TaskScheduler.
    static member CallerHasNoContext: bool = isNull (SchedulingContext.Current())

    /// The first step, on the calling thread or, for a background start where that has a context, on the thread pool.
    /// 'Result is Task<'T> or Task.
    static member inline Start<'Machine, 'T, 'Result, 'Place
        when 'Machine :> IAsyncStateMachine and 'Result: not struct and 'Place :> IStartPlace>
        (machine: byref<'Machine>, data: byref<TaskData<'T>>)
        : 'Result =
        data.Builder <- AsyncTaskMethodBuilder<'T>.Create()

        if 'Place.LeavesContext && not TaskMachine.CallerHasNoContext then
            let mutable hop =
                Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding).GetAwaiter()

            data.Builder.AwaitUnsafeOnCompleted(&hop, &machine)
        else
            data.Builder.Start &machine

        Unsafe.As<'Result> data.Builder.Task

    /// A computation that the compiler did not flatten.
    static member RunDynamic<'T, 'Result, 'Place when 'Result: not struct and 'Place :> IStartPlace>
        (code: TaskCode<'T, 'T>)
        : 'Result =
        Closures.Check code
        let mutable machine = ResumableStateMachine<TaskData<'T>>()

        machine.ResumptionDynamicInfo <-
            TaskSteps<'T>(ResumptionFunc<TaskData<'T>>(fun machine -> code.Invoke &machine))

        TaskMachine.Start<_, 'T, 'Result, 'Place>(&machine, &machine.Data)

    /// Waits in a computation that the compiler did not flatten.
    static member Suspend<'T, 'Awaiter when 'Awaiter :> ICriticalNotifyCompletion>
        (
            machine: byref<ResumableStateMachine<TaskData<'T>>>,
            awaiter: 'Awaiter,
            rest: ResumptionFunc<TaskData<'T>>
        ) : bool =
        machine.ResumptionDynamicInfo.ResumptionData <- TaskWait<'T, 'Awaiter> awaiter
        machine.ResumptionDynamicInfo.ResumptionFunc <- rest
        false

    /// Runs a computation.
    static member inline Run<'T, 'Result, 'Place when 'Result: not struct and 'Place :> IStartPlace>
        (code: TaskCode<'T, 'T>)
        : 'Result =
        if __useResumableCode then
            __stateMachine<TaskData<'T>, 'Result>
                (MoveNextMethodImpl<_>(fun machine ->
                    __resumeAt machine.ResumptionPoint
                    let mutable __stack_error: exn = null

                    try
                        let __stack_done = code.Invoke(&machine)

                        if __stack_done then
                            machine.Data.Builder.SetResult(machine.Data.Result)
                    with caught ->
                        __stack_error <- caught

                    // outside the handler, so that a continuation has the stack for itself
                    if not (isNull __stack_error) then
                        machine.Data.Builder.SetException(__stack_error)))
                (SetStateMachineMethodImpl<_>(fun machine state ->
                    machine.Data.Builder.SetStateMachine(state)))
                (AfterCode<_, _>(fun machine ->
                    TaskMachine.Start<_, 'T, 'Result, 'Place>(&machine, &machine.Data)))
        else
            TaskMachine.RunDynamic<'T, 'Result, 'Place> code

/// A source as an awaiter.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type SourceAwaiter<'S, 'a when 'S :> ISource<'a>>(source: 'S) =
    /// Whether the result can be taken now.
    member _.IsCompleted = source.IsCompleted
    /// Takes the result, or throws the error.
    member _.GetResult() : 'a = source.GetResult()

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation =
            source.Register(ActionFrame continuation)

        member _.UnsafeOnCompleted continuation =
            source.Register(ActionFrame continuation)
