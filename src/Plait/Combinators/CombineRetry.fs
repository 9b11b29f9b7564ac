// Layer: combinators. `retry`: work that is started again after a failure. Owns the rule that the last result is given as
// it was, whether the attempts, the budget or the filter has ended it; only a cancellation by the caller has the caller's token.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Threading
open System.Threading.Tasks
open Plait

/// The filter that takes each value.
[<AbstractClass; Sealed>]
type internal Accepting<'T> =
    static let all = fun (_: 'T) -> true
    static member All: 'T -> bool = all

/// The attempts of one call. One that is cancelled while it waits is not pooled.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal RetryRun<'a>() =
    [<DefaultValue(false)>]
    val mutable private policy: RetryPolicy

    [<DefaultValue(false)>]
    val mutable private token: CancellationToken

    [<DefaultValue(false)>]
    val mutable private start: int64

    [<DefaultValue(false)>]
    val mutable private attempt: int

    [<DefaultValue(false)>]
    val mutable private goesOn: bool

    [<DefaultValue(false)>]
    val mutable private value: 'a

    [<DefaultValue(false)>]
    val mutable private error: exn

    static member Open
        (policy: RetryPolicy, token: CancellationToken, work: obj, accepts: obj)
        : RetryRun<'a> =
        ArgumentNullException.ThrowIfNull(policy, "policy")
        ArgumentNullException.ThrowIfNull(work, "work")
        ArgumentNullException.ThrowIfNull(accepts, "accepts")
        token.ThrowIfCancellationRequested()
        let run = SmallObjectPool<RetryRun<'a>>.Rent()
        run.policy <- policy
        run.token <- token
        run.start <- policy.Clock.GetTimestamp()
        run.attempt <- 1
        run.goesOn <- true
        run

    /// The number of the attempt that starts now, from 1.
    member run.Attempt = run.attempt

    /// Whether another attempt follows.
    member run.GoesOn = run.goesOn

    member run.Succeed(value: 'a) =
        run.value <- value
        run.error <- null

    member run.Fail(error: exn) = run.error <- error

    /// Whether the attempt is the last one; the delay before the next.
    member run.Judge(accepts: 'a -> bool) : TimeSpan =
        let policy = run.policy
        let mutable delay = TimeSpan.Zero

        let isWorthMore =
            run.attempt < policy.Attempts
            && (if isNull run.error then not (accepts run.value) else policy.Handles.Invoke run.error)

        run.goesOn <- isWorthMore

        if isWorthMore then
            delay <- policy.DelayAfter run.attempt

            if policy.Budget.Ticks >= 0L then
                let elapsed = policy.Clock.GetElapsedTime run.start
                run.goesOn <- elapsed.Ticks + delay.Ticks <= policy.Budget.Ticks

        delay

    /// Ends with the token, and before the next attempt it is looked at in each case.
    member run.Wait(delay: TimeSpan) : Task =
        run.attempt <- run.attempt + 1
        Task.Delay(delay, run.policy.Clock, run.token)

    /// The last result; the run may serve another call.
    member run.TakeResult() : 'a =
        let value = run.value
        let error = CallersToken.Explain(run.error, run.token)
        run.value <- Unchecked.defaultof<'a>
        run.error <- null
        run.policy <- null
        run.token <- CancellationToken.None
        SmallObjectPool<RetryRun<'a>>.Return run

        if not (isNull error) then
            Rethrow.Throw error

        value

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineRetry =

    static member Run<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
        (
            policy: RetryPolicy,
            token: CancellationToken,
            accepts: 'a -> bool,
            work: int -> CancellationToken -> 'Operation,
            _read: 'Read,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                let run = RetryRun<'a>.Open(policy, token, work, accepts)

                while run.GoesOn do
                    try
                        let! value = Unchecked.defaultof<'Read>.Of(work run.Attempt token)
                        run.Succeed value
                    with error ->
                        run.Fail error

                    let delay = run.Judge accepts

                    if run.GoesOn then
                        do! UnitTaskSource<unit, OnCaptured>(run.Wait delay)

                return run.TakeResult()
            }
        )
