// Work with a time limit as one table: each module as the same functions, over ValueTasks and Tasks, so that one test speaks to
// all.
namespace Plait.Tests

open System
open System.Threading
open System.Threading.Tasks
open Plait

/// A clock that stands at the year 2000; its timers ring by hand.
type HandClock() =
    inherit TimeProvider()

    let mutable ring = ignore

    /// What the last timer was set to.
    member val Due = TimeSpan.Zero with get, set

    member _.Ring() = ring ()

    override _.GetUtcNow() =
        DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero)

    override clock.CreateTimer(callback, state, due, _) =
        ring <- fun () -> callback.Invoke state
        clock.Due <- due

        { new ITimer with
            member _.Change(_, _) = true
            member _.Dispose() = ()
            member _.DisposeAsync() = ValueTask()
        }

type LimitedWork = CancellationToken -> ValueTask<int>

/// The functions of one module, over ValueTasks and Tasks.
type Limits =
    {
        Name: string
        Within: TimeSpan -> LimitedWork -> Task<int>
        WithinLinked: CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
        Before: DateTimeOffset -> LimitedWork -> Task<int>
        BeforeLinked: CancellationToken -> DateTimeOffset -> LimitedWork -> Task<int>
        Abandon: TimeSpan -> LimitedWork -> Task<int>
        AbandonLinked: CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
        /// By a clock.
        Clocked: HandClock -> CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
        ClockedBefore: HandClock -> CancellationToken -> DateTimeOffset -> LimitedWork -> Task<int>
        ClockedAbandon: HandClock -> CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
        /// Whether sources are used again.
        IsPooled: bool
    }

module TimeLimitFamilies =

    let all =
        let enter (work: LimitedWork) token = strand { return! work token }
        let asTask (work: LimitedWork) token = (work token).AsTask()

        [
            {
                Name = "Strand"
                Within = fun time work -> (Strand.withTimeout time (enter work)).AsTask()
                WithinLinked =
                    fun token time work -> (Strand.withTimeoutLinked token time (enter work)).AsTask()
                Before = fun time work -> (Strand.withDeadline time (enter work)).AsTask()
                BeforeLinked =
                    fun token time work -> (Strand.withDeadlineLinked token time (enter work)).AsTask()
                Abandon = fun time work -> (Strand.abandonAfter time (enter work)).AsTask()
                AbandonLinked =
                    fun token time work -> (Strand.abandonAfterLinked token time (enter work)).AsTask()
                Clocked =
                    fun clock token time work ->
                        StrandCombinators.WithTimeout(time, enter work, clock, token).AsTask()
                ClockedBefore =
                    fun clock token time work ->
                        StrandCombinators.WithDeadline(time, enter work, clock, token).AsTask()
                ClockedAbandon =
                    fun clock token time work ->
                        StrandCombinators.AbandonAfter(time, enter work, clock, token).AsTask()
                IsPooled = true
            }
            {
                Name = "PooledValueTask"
                Within = fun time work -> (PooledValueTask.withTimeout time work).AsTask()
                WithinLinked =
                    fun token time work -> (PooledValueTask.withTimeoutLinked token time work).AsTask()
                Before = fun time work -> (PooledValueTask.withDeadline time work).AsTask()
                BeforeLinked =
                    fun token time work -> (PooledValueTask.withDeadlineLinked token time work).AsTask()
                Abandon = fun time work -> (PooledValueTask.abandonAfter time work).AsTask()
                AbandonLinked =
                    fun token time work -> (PooledValueTask.abandonAfterLinked token time work).AsTask()
                Clocked =
                    fun clock token time work ->
                        ValueTaskCombinators.WithTimeout(time, work, clock, token).AsTask()
                ClockedBefore =
                    fun clock token time work ->
                        ValueTaskCombinators.WithDeadline(time, work, clock, token).AsTask()
                ClockedAbandon =
                    fun clock token time work ->
                        ValueTaskCombinators.AbandonAfter(time, work, clock, token).AsTask()
                IsPooled = true
            }
            {
                Name = "ValueTask"
                Within = fun time work -> (ValueTask.withTimeout time work).AsTask()
                WithinLinked = fun token time work -> (ValueTask.withTimeoutLinked token time work).AsTask()
                Before = fun time work -> (ValueTask.withDeadline time work).AsTask()
                BeforeLinked = fun token time work -> (ValueTask.withDeadlineLinked token time work).AsTask()
                Abandon = fun time work -> (ValueTask.abandonAfter time work).AsTask()
                AbandonLinked = fun token time work -> (ValueTask.abandonAfterLinked token time work).AsTask()
                Clocked =
                    fun clock token time work ->
                        let work token = PooledValueTask<int>(work token)

                        PooledValueTaskCombinators
                            .WithTimeout(time, work, clock, token)
                            .AsValueTask()
                            .AsTask()
                ClockedBefore =
                    fun clock token time work ->
                        let work token = PooledValueTask<int>(work token)

                        PooledValueTaskCombinators
                            .WithDeadline(time, work, clock, token)
                            .AsValueTask()
                            .AsTask()
                ClockedAbandon =
                    fun clock token time work ->
                        let work token = PooledValueTask<int>(work token)

                        PooledValueTaskCombinators
                            .AbandonAfter(time, work, clock, token)
                            .AsValueTask()
                            .AsTask()
                IsPooled = false
            }
            {
                Name = "Task"
                Within = fun time work -> Task.withTimeout time (asTask work)
                WithinLinked = fun token time work -> Task.withTimeoutLinked token time (asTask work)
                Before = fun time work -> Task.withDeadline time (asTask work)
                BeforeLinked = fun token time work -> Task.withDeadlineLinked token time (asTask work)
                Abandon = fun time work -> Task.abandonAfter time (asTask work)
                AbandonLinked = fun token time work -> Task.abandonAfterLinked token time (asTask work)
                Clocked =
                    fun clock token time work -> TaskCombinators.WithTimeout(time, asTask work, clock, token)
                ClockedBefore =
                    fun clock token time work -> TaskCombinators.WithDeadline(time, asTask work, clock, token)
                ClockedAbandon =
                    fun clock token time work -> TaskCombinators.AbandonAfter(time, asTask work, clock, token)
                IsPooled = false
            }
            for m in UnitModules.all do
                {
                    Name = m.Name
                    Within = fun time work -> Kept.last (fun keep -> m.Within time (work >> keep))
                    WithinLinked =
                        fun token time work ->
                            Kept.last (fun keep -> m.WithinLinked token time (work >> keep))
                    Before = fun time work -> Kept.last (fun keep -> m.Before time (work >> keep))
                    BeforeLinked =
                        fun token time work ->
                            Kept.last (fun keep -> m.BeforeLinked token time (work >> keep))
                    Abandon = fun time work -> Kept.last (fun keep -> m.Abandon time (work >> keep))
                    AbandonLinked =
                        fun token time work ->
                            Kept.last (fun keep -> m.AbandonLinked token time (work >> keep))
                    Clocked =
                        fun clock token time work ->
                            Kept.last (fun keep -> m.Clocked clock token time (work >> keep))
                    ClockedBefore =
                        fun clock token time work ->
                            Kept.last (fun keep -> m.ClockedBefore clock token time (work >> keep))
                    ClockedAbandon =
                        fun clock token time work ->
                            Kept.last (fun keep -> m.ClockedAbandon clock token time (work >> keep))
                    IsPooled = m.IsPooled
                }
        ]
