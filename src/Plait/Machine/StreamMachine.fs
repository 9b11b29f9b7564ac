// Layer: machine. The state machine of a stream, in the pooled object of its enumeration.
namespace Plait.Kernel

#nowarn "3511" // the copy that is not inlined is the dynamic one, on purpose

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers

/// All that such a machine carries beside the user's own locals.
[<Struct; NoComparison; NoEquality; EditorBrowsable(EditorBrowsableState.Never)>]
type StreamData<'T> =
    /// The enumeration.
    [<DefaultValue(false)>]
    val mutable Run: StreamRun<'T>

    /// The consumer has disposed the enumerator: `finally` and `use` remain.
    [<DefaultValue(false)>]
    val mutable IsEnding: bool

/// A part of a stream of 'T.
type StreamCode<'T> = ResumableCode<StreamData<'T>, unit>

/// The size of the pool of a stream's runs, which the type of the items sets. Its bytes: header, the fields of a run, the machine
/// and an item.
[<AbstractClass; Sealed>]
type internal StreamBoxSettings<'Machine, 'T> =
    interface IPoolSettings with
        static member Capacity = Plait.PoolSizeAttribute.Of(typeof<'T>, 4096)
        static member ItemBytes = 248 + Unsafe.SizeOf<'Machine>() + Unsafe.SizeOf<'T>()

/// A run of one type of machine, pooled.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal StreamBox<'Machine, 'T
    when 'Machine :> IAsyncStateMachine and 'Machine :> IResumableStateMachine<StreamData<'T>>>() =
    inherit StreamRun<'T>()

    [<DefaultValue(false)>]
    val mutable private machine: 'Machine

    static member Rent(machine: byref<'Machine>) : StreamRun<'T> =
        let box =
            match ThreadCachedPool<StreamBox<'Machine, 'T>, StreamBoxSettings<'Machine, 'T>>.Rent() with
            | null -> StreamBox<'Machine, 'T>()
            | box -> box

        box.machine <- machine
        let mutable data = StreamData<'T>()
        data.Run <- box
        box.machine.Data <- data
        box

    override box.Turn() =
        let mutable error: exn = null

        try
            box.machine.MoveNext()
        with caught ->
            error <- caught

        error

    override box.BeginEnding() =
        let mutable data = StreamData<'T>()
        data.Run <- box
        data.IsEnding <- true
        box.machine.Data <- data

    override box.Drop() =
        box.machine <- Unchecked.defaultof<'Machine>

    override box.Return() =
        box.Drop()
        box.Clear()

        // retired long before the token begins again: no handle of an earlier enumeration has the token of a later one
        if uint16 box.Token < 0x8000us then
            ThreadCachedPool<StreamBox<'Machine, 'T>, StreamBoxSettings<'Machine, 'T>>.Return box

/// A stream whose code the compiler has turned into a state machine.
[<Sealed; StackTraceHidden>]
type internal MachineStream<'Machine, 'T
    when 'Machine :> IAsyncStateMachine and 'Machine :> IResumableStateMachine<StreamData<'T>>>
    (machine: 'Machine) =
    inherit Stream<'T>()
    let mutable machine = machine

    override _.NewRun() = StreamBox<'Machine, 'T>.Rent &machine

/// One wait, kept until its turn has unwound: see `DynamicWait`.
[<AbstractClass; AllowNullLiteral; StackTraceHidden>]
type internal StreamWait<'T>() =
    abstract Begin: run: StreamRun<'T> -> unit

/// Prepares the steps of a run. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StreamSteps =

    /// Waits for a source. By value, as `Suspend.On`.
    static member Wait<'T, 'S, 'a when 'S :> ISource<'a>>(run: StreamRun<'T>, source: 'S) =
        run.turn <- run.turn + 1 // before anybody can resume it
        run.context <- ExecutionContext.Capture()

        match source.Reference with
        | null -> run.Park source
        | kept -> run.slot <- kept

        source.Register run

    /// Before an await: gives an operation that takes a token the token of the enumeration.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Before<'T, 'S>(run: StreamRun<'T>, source: 'S) =
        let token = run.Cancellation

        if token.CanBeCanceled then
            run.isLate <- token.IsCancellationRequested
            TokenSources<'S>.Give(source, token)

    /// The same for an operation that was just started with that token: it has no late start.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Given<'T, 'S>(run: StreamRun<'T>, source: 'S) : 'S =
        TokenSources<'S>.Give(source, run.Cancellation)
        source

    /// As `Cancelled.DropBegun`.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member DropBegun<'T, 'K>(run: StreamRun<'T>, kind: 'K) : unit =
        Cancelled.ForgetBegun(kind, run.Cancellation)
        run.EndLate()

    /// Throws an error that no handler takes.
    static member Pass(error: exn) = Rethrow.Throw error

    /// After an item: the end of a cancelled enumeration, unless the consumer has disposed it.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member After<'T>(data: byref<StreamData<'T>>) =
        if not data.IsEnding then
            data.Run.ThrowIfCancelled()

[<Sealed; StackTraceHidden>]
type internal StreamWait<'T, 'S, 'a when 'S :> ISource<'a>>(source: 'S) =
    inherit StreamWait<'T>()

    override _.Begin run =
        StreamSteps.Wait<'T, 'S, 'a>(run, source)

/// Runs the steps. One per enumeration, which shares nothing with another.
[<Sealed; StackTraceHidden>]
type internal DynamicStreamInfo<'T>(first: ResumptionFunc<StreamData<'T>>) =
    inherit ResumptionDynamicInfo<StreamData<'T>>(first)

    override info.MoveNext machine =
        info.ResumptionData <- null

        if not (info.ResumptionFunc.Invoke &machine) then
            match info.ResumptionData with
            | null -> ()
            | wait -> (Unsafe.As<StreamWait<'T>> wait).Begin machine.Data.Run

    override _.SetStateMachine(_, _) = ()

/// A stream whose code the compiler did not flatten.
[<Sealed; StackTraceHidden>]
type internal DynamicStream<'T>(code: StreamCode<'T>) =
    inherit Stream<'T>()

    override _.NewRun() =
        let mutable machine = ResumableStateMachine<StreamData<'T>>()

        machine.ResumptionDynamicInfo <-
            DynamicStreamInfo<'T>(ResumptionFunc<StreamData<'T>>(fun machine -> code.Invoke &machine))

        StreamBox<ResumableStateMachine<StreamData<'T>>, 'T>.Rent &machine

/// The steps of a stream that the compiler did not flatten. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type DynamicStreams =

    /// A stream of closures.
    static member Of<'T>(code: StreamCode<'T>) : IAsyncEnumerable<'T> =
        Closures.Check code
        DynamicStream<'T> code

    /// The end of a turn, and the first act of the next one.
    static member Leave<'T>
        (machine: byref<ResumableStateMachine<StreamData<'T>>>, next: ResumptionFunc<StreamData<'T>>)
        : bool =
        machine.ResumptionDynamicInfo.ResumptionFunc <- next
        false

    /// `let!`.
    static member Bind<'T, 'S, 'a when 'S :> ISource<'a>>
        (machine: byref<ResumableStateMachine<StreamData<'T>>>, source: 'S, rest: 'a -> StreamCode<'T>)
        : bool =
        if source.IsCompleted then
            (rest (source.GetResult())).Invoke &machine
        else
            machine.ResumptionDynamicInfo.ResumptionData <- StreamWait<'T, 'S, 'a> source

            DynamicStreams.Leave(
                &machine,
                ResumptionFunc<StreamData<'T>>(fun machine ->
                    (rest (Suspend.Take<bool, 'S, 'a> machine.Data.Run)).Invoke &machine)
            )

    static member private Follow<'T>
        (machine: byref<ResumableStateMachine<StreamData<'T>>>, condition: unit -> bool, body: StreamCode<'T>)
        =
        let turn = machine.ResumptionDynamicInfo.ResumptionFunc

        machine.ResumptionDynamicInfo.ResumptionFunc <-
            ResumptionFunc<StreamData<'T>>(fun machine ->
                if turn.Invoke &machine then
                    DynamicStreams.While(&machine, condition, body)
                else
                    DynamicStreams.Follow(&machine, condition, body)
                    false)

    /// `while`, which the consumer's DisposeAsync ends.
    static member While<'T>
        (machine: byref<ResumableStateMachine<StreamData<'T>>>, condition: unit -> bool, body: StreamCode<'T>)
        : bool =
        let mutable completed = true

        while completed && not machine.Data.IsEnding && condition () do
            machine.Data.Run.Turning()
            completed <- body.Invoke &machine

        if not completed then
            DynamicStreams.Follow(&machine, condition, body)

        completed

/// Makes streams. Called by the builders' Run only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type StreamMachine =

    /// A stream of machines that begin as this one.
    static member Of<'Machine, 'T
        when 'Machine :> IAsyncStateMachine and 'Machine :> IResumableStateMachine<StreamData<'T>>>
        (machine: byref<'Machine>)
        : IAsyncEnumerable<'T> =
        MachineStream<'Machine, 'T> machine

    /// The stream of a computation.
    static member inline Run<'T>(code: StreamCode<'T>) : IAsyncEnumerable<'T> =
        if __useResumableCode then
            __stateMachine<StreamData<'T>, IAsyncEnumerable<'T>>
                (MoveNextMethodImpl<_>(fun machine ->
                    __resumeAt machine.ResumptionPoint
                    let __stack_done = code.Invoke(&machine)
                    ignore __stack_done))
                (SetStateMachineMethodImpl<_>(fun _ _ -> ()))
                (AfterCode<_, _>(fun machine -> StreamMachine.Of<_, 'T> &machine))
        else
            DynamicStreams.Of code
