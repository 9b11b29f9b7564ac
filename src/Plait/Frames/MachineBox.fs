// Layer: frames. The pooled object that a state machine moves into when it suspends. It holds the machine and the
// awaiter that the machine waits for.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

[<AbstractClass; AllowNullLiteral>]
type internal Cell() =
    [<DefaultValue(false)>]
    val mutable next: Cell

/// A place for one awaiter of one type; a box keeps its cells when it is used again.
[<Sealed; AllowNullLiteral>]
type internal Cell<'Awaiter>() =
    inherit Cell()

    [<DefaultValue(false)>]
    val mutable value: 'Awaiter

/// A box without its machine's type, for generated code.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type MachineBox<'T>() =
    inherit PooledSource<'T>()

    /// The awaited object, where one reference is enough to take the result later; else the first cell is in use.
    [<DefaultValue(false)>]
    val mutable internal slot: obj | null

    [<DefaultValue(false)>]
    val mutable private cells: Cell

    [<DefaultValue(false)>]
    val mutable private action: Action

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private box.MakeAction() =
        let action = box.ToAction()
        box.action <- action
        action

    // small enough to be inlined where the box's type is known
    override box.Action =
        match box.action with
        | null -> box.MakeAction()
        | action -> action

    member internal box.Park<'Awaiter>(awaiter: 'Awaiter) : unit =
        match box.cells with
        | :? Cell<'Awaiter> as cell -> cell.value <- awaiter
        | first -> box.ParkElsewhere(first, awaiter)

    /// Moves the cell of this type to the front, or makes it: the one in use is always the first.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private box.ParkElsewhere<'Awaiter>(first: Cell, awaiter: 'Awaiter) : unit =
        let mutable previous = first
        let mutable cell = if isNull first then null else first.next

        while not (isNull cell) && not (cell :? Cell<'Awaiter>) do
            previous <- cell
            cell <- cell.next

        if isNull cell then cell <- Cell<'Awaiter>() else previous.next <- cell.next

        cell.next <- box.cells
        box.cells <- cell
        (Unsafe.As<Cell<'Awaiter>> cell).value <- awaiter

    member internal box.Unpark<'Awaiter>() : 'Awaiter =
        let cell = Unsafe.As<Cell<'Awaiter>> box.cells
        let awaiter = cell.value
        cell.value <- Unchecked.defaultof<'Awaiter>
        awaiter

/// The size of a box's pool, which the result type sets. Its bytes: header, the fields of `PooledSource` and
/// `MachineBox`, the machine and the result.
[<AbstractClass; Sealed>]
type internal MachineBoxSettings<'Machine, 'T> =
    interface IPoolSettings with
        static member Capacity = Plait.PoolSizeAttribute.Of(typeof<'T>, 4096)

        static member ItemBytes = 112 + Unsafe.SizeOf<'Machine>() + Unsafe.SizeOf<'T>()

/// One step of a boxed machine, as something to start: `ContextScope.Run` restores the thread's contexts after it.
[<Struct; NoEquality; NoComparison; StackTraceHidden>]
type internal BoxStep<'Machine, 'T when 'Machine :> IAsyncStateMachine> =
    val Box: Box<'Machine, 'T>
    new(box) = { Box = box }

    interface IAsyncStateMachine with
        member step.MoveNext() = step.Box.Continue()
        member _.SetStateMachine _ = ()

/// A box of one machine type, pooled: a cache per thread, then `SharedPool`.
and [<Sealed; AllowNullLiteral; StackTraceHidden>] internal Box<'Machine, 'T
    when 'Machine :> IAsyncStateMachine>() =
    inherit MachineBox<'T>()

    // a `static let` would be checked for its initialisation at every use
    [<DefaultValue(false)>]
    static val mutable private step: ContextCallback

    [<DefaultValue(false)>]
    val mutable internal machine: 'Machine

    static member private Make() =
        if isNull Box<'Machine, 'T>.step then
            Box<'Machine, 'T>.step <- ContextCallback(fun box -> (Unsafe.As<Box<'Machine, 'T>> box).Step())

        Box<'Machine, 'T>()

    static member Rent() : Box<'Machine, 'T> =
        match ThreadCachedPool<Box<'Machine, 'T>, MachineBoxSettings<'Machine, 'T>>.Rent() with
        | null -> Box<'Machine, 'T>.Make()
        | box -> box

    override box.Recycle() =
        // one use more and the token begins again, which would make old handles valid: the box is retired instead, with a
        // token that nobody has
        if (box.state >>> 2) &&& 0xFFFF <> 0xFFFF then
            ThreadCachedPool<Box<'Machine, 'T>, MachineBoxSettings<'Machine, 'T>>.Return box

    override box.ClearMachine() =
        box.machine <- Unchecked.defaultof<'Machine>

    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member private box.Step() =
        let mutable error: exn = null

        try
            box.machine.MoveNext()
        with caught ->
            error <- caught

        // outside the handler; after a MoveNext that ended well the box may be another's already
        if not (isNull error) then
            box.Fail(error, true)

    // one sealed override with the step inlined, not a base method calling a virtual one: that costs 15 %
    override box.Resume() =
        match box.context with
        | null ->
            let mutable step = BoxStep<'Machine, 'T> box
            ContextScope.Run &step
        | context -> ExecutionContext.Run(context, Box<'Machine, 'T>.step, box)

    override box.Continue() =
        ContextScope.Enter box.context
        box.Step()

    // as the base class does, without its virtual call
    interface IThreadPoolWorkItem with
        member box.Execute() = box.Continue()
