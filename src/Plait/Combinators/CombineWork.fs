// Layer: combinators. Work that gets a token with a time limit: `withTimeout` and `withDeadline`, which wait for its end,
// and `abandonAfter`, which does not. Owns the rule that its operation is consumed in each case.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// Work against its token. Not pooled: the work may keep the token for as long as it runs.
[<Sealed; StackTraceHidden>]
type internal AbandonRace<'S, 'a when 'S :> ISource<'a>>(source: WorkTokenSource) =
    inherit PooledSource<'a>()

    static let abandon =
        Action<obj>(fun state -> (Unsafe.As<AbandonRace<'S, 'a>> state).Abandon())

    [<DefaultValue(false)>]
    val mutable private decided: int

    [<DefaultValue(false)>]
    val mutable private registration: CancellationTokenRegistration

    override _.Recycle() = ()
    override _.ClearMachine() = ()
    override _.Resume() = ()
    override race.Action = Action(race.Resume)

    /// On the thread that cancels, which has the callbacks of the work to call too: the waiter does not run here.
    member private race.Abandon() =
        if Interlocked.Exchange(&race.decided, 1) = 0 then
            race.FailElsewhere(
                source.Reason("Its token was cancelled; it may still run, and its result is dropped.", null)
            )

    interface IBranchOwner<'S, 'a> with
        member race.BranchCompleted branch =
            let value = branch.Value
            let error = branch.Error
            branch.Release()
            let isFirst = Interlocked.Exchange(&race.decided, 1) = 0
            race.registration.Unregister() |> ignore
            source.Close()

            if isFirst then
                if isNull error then
                    race.Complete(value, false)
                else
                    race.Fail(source.Explain error, false)

    static member Run(source: WorkTokenSource, operation: 'S) : ValueTask<'a> =
        let race = AbandonRace<'S, 'a> source
        let task = ValueTask<'a>(race :> IValueTaskSource<'a>, race.Token)
        race.registration <- source.Token.UnsafeRegister(abandon, race)
        Branch<'S, 'a>.Rent(operation, race).Go()
        task

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineWork =

    static member private Open
        (limit: WorkLimit, work: CancellationToken -> 'Operation, isPooled: bool)
        : WorkTokenSource =
        ArgumentNullException.ThrowIfNull(work, "work")
        WorkTokenSource.Open(limit, isPooled)

    /// The token of work whose source is null where nothing can cancel it.
    static member private TokenOf(source: WorkTokenSource) : CancellationToken =
        if isNull source then CancellationToken.None else source.Token

    static member private Explain(source: WorkTokenSource, error: exn) : exn =
        if isNull source then error else source.Explain error

    static member private Close(source: WorkTokenSource) =
        if not (isNull source) then
            source.Close()

    /// Starts the work, which may throw at once.
    static member private Start(source: WorkTokenSource, work: CancellationToken -> 'Operation) : 'Operation =
        try
            work (CombineWork.TokenOf source)
        with error ->
            // before the source has another use
            let error = CombineWork.Explain(source, error)
            CombineWork.Close source
            Rethrow.Throw error
            Unchecked.defaultof<_>

    /// Waits for the end of the work in each case.
    static member Run<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
        (limit: WorkLimit, work: CancellationToken -> 'Operation, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                // a shape that does not settle has results that are awaited once: there sources are used again
                let isPooled = not (Unchecked.defaultof<'Shape>.Settles)
                let source = CombineWork.Open(limit, work, isPooled)
                let operation = CombineWork.Start(source, work)

                try
                    try
                        return! Unchecked.defaultof<'Read>.Of(operation)
                    with error ->
                        Rethrow.Throw(CombineWork.Explain(source, error))
                        return Unchecked.defaultof<'a>
                finally
                    CombineWork.Close source
            }
        )

    /// Ends where the token is cancelled; the work is then consumed in the background.
    static member Abandon<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
        (limit: WorkLimit, work: CancellationToken -> 'Operation, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                let source = CombineWork.Open(limit, work, false)
                let operation = Unchecked.defaultof<'Read>.Of(CombineWork.Start(source, work))

                if isNull source then
                    return! operation
                else
                    return! ValueTaskSource<'a, Anywhere>(AbandonRace<'S, 'a>.Run(source, operation))
            }
        )
