// Layer: machine. Suspends a state machine and takes the result when it resumes. Owns the order: rent the box, fill
// it, register. Registering is the last act of a step, because from then on another thread may run the machine.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading

/// Puts a machine to sleep and wakes it. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Suspend =

    /// The machine's box: rented and filled at the first suspension; the context is captured at every one.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member internal Prepare<'Machine, 'T when 'Machine :> IAsyncStateMachine>
        (machine: byref<'Machine>, data: byref<Data<'T>>)
        : MachineBox<'T> =
        match data.Box with
        | null ->
            let box = Box<'Machine, 'T>.Rent()
            data.Box <- box // before the copy, which must know its box
            box.context <- ExecutionContext.Capture()
            box.machine <- machine

            if data.Settles then
                data.Promise <- box.Promise()

            box
        | box ->
            let context = ExecutionContext.Capture()

            if not (obj.ReferenceEquals(box.context, context)) then
                box.context <- context

            box

    /// Waits for a source. It is passed by value: its address would keep the awaitable out of registers on the path
    /// that does not suspend, which costs three times.
    static member On<'Machine, 'T, 'S, 'a when 'Machine :> IAsyncStateMachine and 'S :> ISource<'a>>
        (machine: byref<'Machine>, data: byref<Data<'T>>, source: 'S)
        =
        let box = Suspend.Prepare<'Machine, 'T>(&machine, &data)

        match source.Reference with
        | null -> box.Park source
        | kept -> box.slot <- kept

        source.Register box

    /// The result of the source that was waited for.
    static member Take<'T, 'S, 'a when 'S :> ISource<'a>>(box: MachineBox<'T>) : 'a =
        match box.slot with
        | null ->
            let source = box.Unpark<'S>()
            source.GetResult()
        | kept ->
            box.slot <- null
            Unchecked.defaultof<'S>.GetResultOf kept
