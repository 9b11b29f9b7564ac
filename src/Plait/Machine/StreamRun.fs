// Layer: machine. One enumeration of a stream: the pooled objects in which its code runs. Owns the rules that nothing runs between two
// calls of the consumer, and that a `yield!` of another stream costs the same at every depth: the innermost run answers directly.
//
// A run is one piece of code: the stream's own, or that of a stream that it yields. The first one is the root: it is the source
// of the consumer's ValueTasks. `Drive` is the only loop that runs code. A piece of code that waits belongs to the thread that resumes it,
// from before it registers; so each turn of a run has a number, and a turn whose number is gone has waited.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

/// How a piece of code left its turn.
type internal StreamOutcome =
    /// It has run to its end.
    | Ended = 0
    /// It gives an item.
    | Yields = 1
    /// Another run gives the next items, and this one goes on after it.
    | Enters = 2
    /// As `Enters`, but this one is over.
    | Becomes = 3
    /// It waits, and must not be changed.
    | Waits = 4
    | Failed = 5

/// The enumerator of a root.
[<AllowNullLiteral>]
type internal IStreamOwner =

    /// The consumer may call again.
    abstract Allow: isOver: bool -> unit

    /// The consumer has disposed it: the root goes back to its pool.
    abstract Leave: unit -> unit

/// A run without the type of its machine, for generated code.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StreamRun<'T>() =
    inherit MachineBox<bool>()

    static let resume = ContextCallback(fun run -> (Unsafe.As<StreamRun<'T>> run).Resumed())

    /// The last item that this run gave.
    [<DefaultValue(false)>]
    val mutable internal current: 'T

    [<DefaultValue(false)>]
    val mutable internal token: CancellationToken

    /// The enumeration was cancelled before the awaited operation began.
    [<DefaultValue(false)>]
    val mutable internal isLate: bool

    [<DefaultValue(false)>]
    val mutable internal outcome: StreamOutcome

    /// The number of the turn; one more as soon as it waits. It only grows, also in later uses of the object: the thread that drove
    /// a turn that waits reads it when the run may have ended and belong to another enumeration.
    [<DefaultValue(false)>]
    val mutable internal turn: int

    [<DefaultValue(false)>]
    val mutable internal root: StreamRun<'T>

    /// The run that yields this one; null: none.
    [<DefaultValue(false)>]
    val mutable internal outer: StreamRun<'T>

    /// The run that this one yields, while it enters.
    [<DefaultValue(false)>]
    val mutable internal inner: StreamRun<'T>

    /// The error of the run that this one has yielded; in the root, at the end, that of the stream.
    [<DefaultValue(false)>]
    val mutable internal error: exn

    /// Whether this one goes on in the scheduling context that it was in.
    [<DefaultValue(false)>]
    val mutable internal captures: bool

    /// Where this one goes on after the run that it yields: the scheduling context; the execution context is in `context`.
    [<DefaultValue(false)>]
    val mutable internal place: obj | null

    /// The consumer's call at that time.
    [<DefaultValue(false)>]
    val mutable internal call: int

    // ---- of a root alone ----

    [<DefaultValue(false)>]
    val mutable internal owner: IStreamOwner | null

    /// The innermost run.
    [<DefaultValue(false)>]
    val mutable internal top: StreamRun<'T>

    /// The number of the consumer's call.
    [<DefaultValue(false)>]
    val mutable internal calls: int

    /// The contexts of the consumer's call, noted if there is more than one run.
    [<DefaultValue(false)>]
    val mutable internal callContext: ExecutionContext

    [<DefaultValue(false)>]
    val mutable internal callPlace: obj | null

    [<DefaultValue(false)>]
    val mutable internal isDisposing: bool

    [<DefaultValue(false)>]
    val mutable internal isOver: bool

    /// One turn of the code. An exception is the result.
    abstract Turn: unit -> exn

    /// Has the next turn only unwind: `finally` and `use`.
    abstract BeginEnding: unit -> unit

    /// Drops the machine: its locals must not live until the enumerator is disposed.
    abstract Drop: unit -> unit

    /// Back to the pool, empty.
    abstract Return: unit -> unit

    /// The token of the enumeration.
    member run.Cancellation = run.token

    /// Throws if the enumeration was cancelled.
    member run.ThrowIfCancelled() =
        run.token.ThrowIfCancellationRequested()

    /// Throws. From here on the code, in a handler, is no longer late.
    member internal run.EndLate() =
        run.isLate <- false
        run.token.ThrowIfCancellationRequested()

    /// Throws if the awaited operation was bound in a cancelled enumeration, unless its result is a resource, which must reach the
    /// code that disposes it. The code awaits such an operation too, so that it does not run on; the result of an operation that
    /// was bound earlier is not lost.
    member run.ThrowIfLate<'a>() =
        if run.isLate && not Resource<'a>.Is then
            run.EndLate()

    /// Before a turn of a loop: throws if the last operation was bound in a cancelled enumeration, for its result was a resource.
    member run.Turning() =
        if run.isLate then
            run.EndLate()

    /// The end of a turn: an item.
    member run.Give(item: 'T) =
        run.current <- item
        run.outcome <- StreamOutcome.Yields

    /// The end of a turn: the items of another run.
    member internal run.Enter(inner: StreamRun<'T>, captures: bool, isLast: bool) =
        inner.token <- run.token
        run.inner <- inner
        run.captures <- captures
        run.outcome <- if isLast then StreamOutcome.Becomes else StreamOutcome.Enters

    /// The begin of a turn after the items of another run: throws that one's error.
    member run.ThrowIfFailed() =
        match run.error with
        | null -> ()
        | error ->
            run.error <- null
            Rethrow.Throw error

    /// Clears all fields for the next use except the number of the turn.
    member internal run.Clear() =
        run.current <- Unchecked.defaultof<'T>
        run.token <- CancellationToken.None
        run.isLate <- false
        run.root <- null
        run.outer <- null
        run.inner <- null
        run.error <- null
        run.place <- null
        run.call <- 0
        run.owner <- null
        run.top <- null
        run.calls <- 0
        run.callContext <- null
        run.callPlace <- null
        run.isDisposing <- false
        run.isOver <- false
        run.context <- null

    /// Lets go of a run whose code is over: the root lives until the enumerator is disposed, and keeps no item until then.
    member private root.Release(run: StreamRun<'T>) =
        if obj.ReferenceEquals(run, root) then
            root.current <- Unchecked.defaultof<'T>
            root.Drop()
        else
            run.Return()

    /// The run that begins behind the one that has turned.
    member private root.Push(run: StreamRun<'T>) : StreamRun<'T> =
        let inner = run.inner
        run.inner <- null
        inner.root <- root

        if run.outcome = StreamOutcome.Becomes then
            inner.outer <- run.outer
            root.Release run
        else
            inner.outer <- run
            run.call <- root.calls
            run.context <- ExecutionContext.Capture()
            run.place <- if run.captures then SchedulingContext.Current() else null

        root.top <- inner
        inner

    /// The run that continues after the innermost one, in the contexts that it would have if it had awaited each item. Null: there is
    /// none, or it continues elsewhere; `outcome` has which.
    member private root.Pop
        (run: StreamRun<'T>, error: exn, isResumed: bool, outcome: byref<StreamOutcome>)
        : StreamRun<'T> =
        let outer = run.outer

        root.Release run

        if isNull outer then
            root.top <- root
            root.error <- error
            outcome <- if isNull error then StreamOutcome.Ended else StreamOutcome.Failed
            null
        else
            root.top <- outer
            outer.error <- error

            if root.isDisposing then
                outer.BeginEnding()

            let isThisCall = outer.call = root.calls
            let context = if isThisCall then outer.context else root.callContext
            let place = if isThisCall then outer.place else root.callPlace

            if
                isResumed
                && outer.captures
                && not (isNull place)
                && not (SchedulingContext.IsCurrent place)
            then
                outer.context <- context
                outcome <- StreamOutcome.Waits
                SchedulingContext.Post(place, outer)
                null
            else
                ContextScope.Enter context
                outer

    /// The run whose turn is next, behind a turn that has given no item. Null: none, for which `outcome` has the reason.
    member private root.Next
        (run: StreamRun<'T>, turn: int, error: exn, isResumed: bool, outcome: byref<StreamOutcome>)
        : StreamRun<'T> =
        if not (isNull error) then
            root.Pop(run, error, isResumed, &outcome)
        elif run.turn <> turn then
            outcome <- StreamOutcome.Waits
            null
        elif run.outcome = StreamOutcome.Ended then
            root.Pop(run, null, isResumed, &outcome)
        else
            root.Push run

    /// Runs code from this run on, until the stream gives an item, waits or ends. Never throws.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member private root.Drive(first: StreamRun<'T>, isResumed: bool) : StreamOutcome =
        let mutable run = first
        let mutable outcome = StreamOutcome.Yields

        while not (isNull run) do
            let turn = run.turn + 1
            run.turn <- turn
            run.outcome <- StreamOutcome.Ended
            let error = run.Turn()

            if isNull error && run.turn = turn && run.outcome = StreamOutcome.Yields then
                run <- null
            else
                run <- root.Next(run, turn, error, isResumed, &outcome)

        outcome

    /// The work of a consumer's call, in its contexts.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member internal root.Answer() : StreamOutcome =
        let top = root.top

        if root.calls = 0 && root.token.IsCancellationRequested then
            root.error <- OperationCanceledException root.token
            StreamOutcome.Failed
        else
            root.calls <- root.calls + 1

            if not (obj.ReferenceEquals(top, root)) then
                root.callContext <- ExecutionContext.Capture()
                root.callPlace <- SchedulingContext.Current()

            root.Drive(top, false)

    /// The rest of a call whose code has waited, in the context of that code.
    member private run.Resumed() =
        let root = run.root

        match root.Drive(run, true) with
        | StreamOutcome.Waits -> ()
        | StreamOutcome.Yields -> root.Complete(true, true)
        | StreamOutcome.Ended ->
            root.isOver <- true
            root.Complete(false, true)
        | _ ->
            let error = root.error
            root.error <- null
            root.isOver <- true
            root.Fail(error, true)

    override run.Resume() =
        match run.context with
        | null ->
            let mutable step = StreamStep<'T> run
            ContextScope.Run &step
        | context -> ExecutionContext.Run(context, resume, run)

    override run.Continue() =
        ContextScope.Enter run.context
        run.Resumed()

    member internal run.ResumedStep() = run.Resumed()

    // an item of a call that waited is no end of the code
    override _.ClearMachine() = ()

    /// The result of a call that waited was taken.
    override root.Recycle() =
        match root.owner with
        | null -> ()
        | owner -> if root.isDisposing then owner.Leave() else owner.Allow root.isOver

/// One resumption, as something to start: `ContextScope.Run` restores the thread's contexts after it.
and [<Struct; NoEquality; NoComparison; StackTraceHidden>] internal StreamStep<'T> =
    val Run: StreamRun<'T>
    new(run) = { Run = run }

    interface IAsyncStateMachine with
        member step.MoveNext() = step.Run.ResumedStep()
        member _.SetStateMachine _ = ()
