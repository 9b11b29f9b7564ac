// The functions of a module over operations without a result. Written for PooledValueTaskUnit; the build copies it for the modules ValueTaskUnit
// and TaskUnit, by their names and that of the class of C# alone: see the project file.
module Plait.Tests.PooledValueTaskUnitFunctions

open System
open System.Threading
open Plait
open Plait.Tests.Entries.PooledValueTaskUnit
open Plait.Tests.Programs

let unitModule: UnitModule =
    {
        Name = "PooledValueTaskUnit"
        IsPooled = isPooled
        Catch = fun operation -> asTask (PooledValueTaskUnit.catch (enter operation))
        CatchWith = fun handler operation -> asTask (PooledValueTaskUnit.catchWith handler (enter operation))
        WhenAll = fun operations -> asTask (PooledValueTaskUnit.whenAll (Entries.each enter operations))
        WhenAny = fun operations -> asTask (PooledValueTaskUnit.whenAny (Entries.each enter operations))
        WhenEach = fun operations -> PooledValueTaskUnit.whenEach (Entries.each enter operations)
        WhenAllThrottled =
            fun limit starts ->
                asTask (
                    PooledValueTaskUnit.whenAllThrottled
                        limit
                        (Entries.each (fun start -> start >> enter) starts)
                )
        Sequential =
            fun starts ->
                asTask (PooledValueTaskUnit.sequential (Entries.each (fun start -> start >> enter) starts))
        Timeout = fun time operation -> asTask (PooledValueTaskUnit.timeout time (enter operation))
        Within = fun time work -> asTask (PooledValueTaskUnit.withTimeout time (work >> enter))
        WithinLinked =
            fun token time work -> asTask (PooledValueTaskUnit.withTimeoutLinked token time (work >> enter))
        Before = fun time work -> asTask (PooledValueTaskUnit.withDeadline time (work >> enter))
        BeforeLinked =
            fun token time work -> asTask (PooledValueTaskUnit.withDeadlineLinked token time (work >> enter))
        Abandon = fun time work -> asTask (PooledValueTaskUnit.abandonAfter time (work >> enter))
        AbandonLinked =
            fun token time work -> asTask (PooledValueTaskUnit.abandonAfterLinked token time (work >> enter))
        Retry =
            fun policy work ->
                asTask (PooledValueTaskUnit.retry policy (fun attempt -> work attempt >> enter))
        RetryLinked =
            fun token policy work ->
                asTask (PooledValueTaskUnit.retryLinked token policy (fun attempt -> work attempt >> enter))
        Iter =
            fun limit action items -> asTask (PooledValueTaskUnit.iterThrottled limit (action >> enter) items)
        IterAsync =
            fun limit action items ->
                asTask (PooledValueTaskUnit.iterThrottledAsync limit (action >> enter) items)
        // Explicit types: the methods have overloads with and without a result.
        Clocked =
            fun clock token time work ->
                let work = Func<CancellationToken, _>(work >> enterDoor)
                asTask (ValueTaskCombinators.WithTimeout(time, work, clock, token))
        ClockedBefore =
            fun clock token time work ->
                let work = Func<CancellationToken, _>(work >> enterDoor)
                asTask (ValueTaskCombinators.WithDeadline(time, work, clock, token))
        ClockedAbandon =
            fun clock token time work ->
                let work = Func<CancellationToken, _>(work >> enterDoor)
                asTask (ValueTaskCombinators.AbandonAfter(time, work, clock, token))
        DoorRetry =
            fun token policy work ->
                let work =
                    Func<int, CancellationToken, _>(fun attempt token -> enterDoor (work attempt token))

                asTask (ValueTaskCombinators.Retry(policy, work, token))
        DoorIter =
            fun limit action items ->
                let action = Func<int, _>(action >> enterDoor)
                asTask (ValueTaskCombinators.ForEachThrottled(items, limit, action))
        DoorIterAsync =
            fun token limit action items ->
                let action = Func<int, _>(action >> enterDoor)
                asTask (ValueTaskCombinators.ForEachThrottled(items, limit, action, token))
    }
