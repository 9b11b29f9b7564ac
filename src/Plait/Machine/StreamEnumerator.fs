// Layer: machine. The enumerator that a consumer holds, and the stream. Owns the rules that one call of the consumer works at a time,
// and that an enumerator, once disposed, reaches no other enumeration.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

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

/// One call of a consumer, whose contexts are restored after it.
[<Struct; NoEquality; NoComparison; StackTraceHidden>]
type internal StreamCall<'T> =
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

/// The object that a consumer holds. It is never used again, so that a call after the end or a second DisposeAsync reaches no
/// other enumeration.
[<AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StreamEnumerator<'T> internal () =

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

    member private enumerator.Allow(isOver: bool) =
        Atomic.Write(&enumerator.phase, int (if isOver then StreamPhase.Over else StreamPhase.Idle))

    /// Gives the root back to its pool.
    member private enumerator.Leave() =
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

    interface IStreamOwner with
        member enumerator.Allow isOver = enumerator.Allow isOver
        member enumerator.Leave() = enumerator.Leave()

    interface IAsyncEnumerator<'T> with
        member enumerator.Current =
            match enumerator.root with
            | null -> Unchecked.defaultof<'T>
            | root -> root.top.current

        member enumerator.MoveNextAsync() =
            let phase =
                Atomic.CompareExchange(&enumerator.phase, int StreamPhase.Busy, int StreamPhase.Idle)

            if phase = int StreamPhase.Idle then enumerator.Move()
            elif phase = int StreamPhase.Busy then failed (Misuse.StreamBusy())
            else given false

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

/// A stream: the start of each enumeration. The first enumerator is the object itself.
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
