// Layer: machine. One enumeration of a stream: the pooled object in which its code runs, and the enumerator that a consumer holds.
// Owns the rules that one call of the consumer works at a time, that nothing runs between two calls, and that a `yield!` of
// another stream costs the same at every depth: the innermost run answers the consumer directly.
//
// A run is one piece of code: the stream's own, or that of a stream that it yields. The first one is the root: it is the source
// of the consumer's ValueTasks. `Drive` is the only loop that runs code. A piece of code that waits belongs to whoever resumes it,
// from before it registers; so each turn of a run has a number, and a turn whose number is gone has waited.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Diagnostics
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

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
    /// It waits, and is not to be touched.
    | Waits = 4
    | Failed = 5

/// Who may use an enumerator.
type internal StreamPhase =
    /// Disposed, or not opened.
    | Closed = 0
    /// The consumer may call.
    | Idle = 1
    /// A call works, or its result was not taken.
    | Busy = 2
    /// There are no more items.
    | Over = 3

/// A run without the type of its machine, for generated code.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StreamRun<'T>() =
    inherit MachineBox<bool>()

    static let resume =
        ContextCallback(fun run -> (Unsafe.As<StreamRun<'T>> run).Resumed())

    /// The last item that this run gave.
    [<DefaultValue(false)>]
    val mutable internal current: 'T

    [<DefaultValue(false)>]
    val mutable internal token: CancellationToken

    /// The enumeration was cancelled before the operation that is awaited began.
    [<DefaultValue(false)>]
    val mutable internal isLate: bool

    [<DefaultValue(false)>]
    val mutable internal outcome: StreamOutcome

    /// The number of the turn; one more as soon as it waits. Never less, in no later use of the object either: whoever drove a
    /// turn that waits looks at it when the run may be at its end, and another enumeration's.
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

    /// The call of the consumer in which that was.
    [<DefaultValue(false)>]
    val mutable internal call: int

    // ---- of a root alone ----

    [<DefaultValue(false)>]
    val mutable internal owner: StreamEnumerator<'T>

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

    /// Throws if the operation that was awaited began in a cancelled enumeration. It was awaited all the same, so that it is not
    /// left running; the result of one that began before is not lost.
    member run.ThrowIfLate() =
        if run.isLate then
            run.token.ThrowIfCancellationRequested()

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

    /// Empties what a next use would see, but for the number of the turn.
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
        run.owner <- Unchecked.defaultof<_>
        run.top <- null
        run.calls <- 0
        run.callContext <- null
        run.callPlace <- null
        run.isDisposing <- false
        run.isOver <- false
        run.context <- null

    /// The run that begins behind the one that has turned.
    member private root.Push(run: StreamRun<'T>) : StreamRun<'T> =
        let inner = run.inner
        run.inner <- null
        inner.root <- root

        if run.outcome = StreamOutcome.Becomes then
            inner.outer <- run.outer
            if obj.ReferenceEquals(run, root) then root.Drop() else run.Return()
        else
            inner.outer <- run
            run.call <- root.calls
            run.context <- ExecutionContext.Capture()
            run.place <- if run.captures then SchedulingContext.Current() else null

        root.top <- inner
        inner

    /// The run that goes on after the innermost one, in the contexts in which it would be if it had awaited each item. Null: there is
    /// none, or it goes on elsewhere, which `outcome` tells.
    member private root.Pop
        (run: StreamRun<'T>, error: exn, isResumed: bool, outcome: byref<StreamOutcome>)
        : StreamRun<'T> =
        let outer = run.outer

        if obj.ReferenceEquals(run, root) then root.Drop() else run.Return()

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

    /// Runs code from this run on, until the stream gives an item, waits or ends. Never throws.
    member private root.Drive(first: StreamRun<'T>, isResumed: bool) : StreamOutcome =
        let mutable run = first
        let mutable outcome = StreamOutcome.Ended

        while not (isNull run) do
            let turn = run.turn + 1
            run.turn <- turn
            run.outcome <- StreamOutcome.Ended
            let error = run.Turn()

            if not (isNull error) then
                run <- root.Pop(run, error, isResumed, &outcome)
            elif run.turn <> turn then
                outcome <- StreamOutcome.Waits
                run <- null
            else
                match run.outcome with
                | StreamOutcome.Yields ->
                    outcome <- StreamOutcome.Yields
                    run <- null
                | StreamOutcome.Ended -> run <- root.Pop(run, null, isResumed, &outcome)
                | _ -> run <- root.Push run

        outcome

    /// What a call of the consumer does, in its contexts.
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
        let owner = root.owner

        if root.isDisposing then
            owner.Leave()
        else
            owner.Allow root.isOver

/// One resumption, as something to start: `ContextScope.Run` restores the thread's contexts after it.
and [<Struct; NoEquality; NoComparison; StackTraceHidden>] internal StreamStep<'T> =
    val Run: StreamRun<'T>
    new(run) = { Run = run }

    interface IAsyncStateMachine with
        member step.MoveNext() = step.Run.ResumedStep()
        member _.SetStateMachine _ = ()

/// One call of a consumer, whose contexts are restored after it.
and [<Struct; NoEquality; NoComparison; StackTraceHidden>] internal StreamCall<'T> =
    val Root: StreamRun<'T>

    [<DefaultValue(false)>]
    val mutable Outcome: StreamOutcome

    new(root) = { Root = root }

    interface IAsyncStateMachine with
        member call.MoveNext() = call.Outcome <- call.Root.Answer()
        member _.SetStateMachine _ = ()

    static member Of(root: StreamRun<'T>) : StreamOutcome =
        let mutable call = StreamCall<'T> root
        ContextScope.Run &call
        call.Outcome

/// What a consumer holds. It is never used again, so that a call after the end or a second DisposeAsync reaches no other enumeration.
and [<AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>] StreamEnumerator<'T> internal () =

    /// The root; null once it has gone back to its pool.
    [<DefaultValue(false)>]
    val mutable private root: StreamRun<'T>

    [<DefaultValue(false)>]
    val mutable private phase: int

    static let failed (error: exn) =
        ValueTask<bool>(Settled.Failed<bool> error)

    static let given (value: bool) =
        if SecondAwait.isRefused then
            let source = Ended.With value
            ValueTask<bool>(source :> IValueTaskSource<bool>, source.Token)
        else
            ValueTask<bool> value

    member internal enumerator.Open(run: StreamRun<'T>, token: CancellationToken) =
        run.root <- run
        run.top <- run
        run.owner <- enumerator
        run.token <- token
        enumerator.root <- run
        enumerator.phase <- int StreamPhase.Idle

    /// The consumer may call again.
    member internal enumerator.Allow(isOver: bool) : unit =
        Atomic.Write(&enumerator.phase, int (if isOver then StreamPhase.Over else StreamPhase.Idle))

    /// Gives the root back to its pool.
    member internal enumerator.Leave() : unit =
        let root = enumerator.root
        enumerator.root <- null
        root.Return()

    member private enumerator.Move() : ValueTask<bool> =
        let root = enumerator.root

        match StreamCall<'T>.Of root with
        | StreamOutcome.Yields ->
            enumerator.Allow false
            given true
        | StreamOutcome.Waits -> ValueTask<bool>(root :> IValueTaskSource<bool>, root.Token)
        | StreamOutcome.Ended ->
            enumerator.Allow true
            given false
        | _ ->
            let error = root.error
            root.error <- null
            enumerator.Allow true
            failed error

    member private enumerator.End(isOpen: bool) : ValueTask =
        let root = enumerator.root

        if not isOpen || root.calls = 0 then
            enumerator.Leave()
            ValueTask()
        else
            root.isDisposing <- true
            root.top.BeginEnding()

            match StreamCall<'T>.Of root with
            | StreamOutcome.Waits -> ValueTask(root :> IValueTaskSource, root.Token)
            | outcome ->
                let error = root.error
                enumerator.Leave()

                if outcome = StreamOutcome.Failed then
                    ValueTask(Settled.Failed<bool> error :> Task)
                else
                    ValueTask()

    /// Takes the result that the consumer has not taken. False: there is none yet.
    member private enumerator.Forgets() : bool =
        let root = enumerator.root

        if isNull root || not root.IsDone then
            false
        else
            try
                (root :> IValueTaskSource<bool>).GetResult(root.Token) |> ignore
            with _ ->
                ()

            true

    interface IAsyncEnumerator<'T> with
        member enumerator.Current =
            match enumerator.root with
            | null -> Unchecked.defaultof<'T>
            | root -> root.top.current

        member enumerator.MoveNextAsync() =
            let phase =
                Atomic.CompareExchange(&enumerator.phase, int StreamPhase.Busy, int StreamPhase.Idle)

            if phase = int StreamPhase.Idle then
                enumerator.Move()
            elif phase = int StreamPhase.Busy then
                failed (Misuse.StreamBusy())
            else
                given false

        member enumerator.DisposeAsync() =
            let phase = Atomic.Read &enumerator.phase

            if phase = int StreamPhase.Closed then
                ValueTask()
            elif phase = int StreamPhase.Busy then
                if enumerator.Forgets() then
                    (enumerator :> IAsyncDisposable).DisposeAsync()
                else
                    ValueTask(Settled.Failed<bool>(Misuse.StreamBusy()) :> Task)
            elif Atomic.CompareExchange(&enumerator.phase, int StreamPhase.Closed, phase) = phase then
                enumerator.End((phase = int StreamPhase.Idle))
            else
                (enumerator :> IAsyncDisposable).DisposeAsync()

/// A stream: what each enumeration begins with. The first enumerator is the object itself.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Stream<'T> internal () =
    inherit StreamEnumerator<'T>()

    [<DefaultValue(false)>]
    val mutable private isOpened: int

    /// A run in front of the first statement.
    abstract NewRun: unit -> StreamRun<'T>

    interface IAsyncEnumerable<'T> with
        member stream.GetAsyncEnumerator token =
            let enumerator =
                if Interlocked.Exchange(&stream.isOpened, 1) = 0 then
                    stream :> StreamEnumerator<'T>
                else
                    StreamEnumerator<'T>()

            enumerator.Open(stream.NewRun(), token)
            enumerator
