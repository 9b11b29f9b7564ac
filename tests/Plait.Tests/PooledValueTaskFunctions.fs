// The functions of a module as a Family. Written for PooledValueTask; the build copies it for the modules Strand, ValueTask and Task, by
// their names and that of the class of C# alone: see the project file.
module Plait.Tests.PooledValueTaskFunctions

open Plait
open Plait.Tests.Entries.PooledValueTask
open Plait.Tests.Programs

let family =
    { new Family("PooledValueTask") with
        member _.IsPooled = isPooled
        member _.Result value = asTask (PooledValueTask.result value)

        member _.Map mapping operation =
            asTask (PooledValueTask.map mapping (enter operation))

        member _.Bind binder operation =
            asTask (PooledValueTask.bind (binder >> enter) (enter operation))

        member _.Apply mapping first operation =
            let mapping =
                PooledValueTask.map (fun more value -> mapping (value + more)) (enter first)

            asTask (PooledValueTask.apply mapping (enter operation))

        member _.Zip first second =
            asTask (PooledValueTask.zip (enter first) (enter second))

        member _.ParallelZip first second =
            asTask (PooledValueTask.parallelZip (enter first) (enter second))

        member _.Ignore operation =
            asTask (PooledValueTask.ignore (enter operation))

        member _.Catch operation =
            asTask (PooledValueTask.catch (enter operation))

        member _.CatchWith handler operation =
            asTask (PooledValueTask.catchWith handler (enter operation))

        member _.OfUnit operation =
            asTask (PooledValueTask.ofUnit (enterUnit operation))

        member _.ToUnit operation =
            asTask (PooledValueTask.toUnit (PooledValueTask.ignore (enter operation)))

        member _.WhenAll operations =
            asTask (PooledValueTask.whenAll (Entries.each enter operations))

        member _.WhenAny operations =
            asTask (PooledValueTask.whenAny (Entries.each enter operations))

        member _.WhenAllThrottled limit starts =
            asTask (
                PooledValueTask.whenAllThrottled limit (Entries.each (fun start -> start >> enter) starts)
            )

        member _.Sequential starts =
            asTask (PooledValueTask.sequential (Entries.each (fun start -> start >> enter) starts))

        member _.Timeout time operation =
            asTask (PooledValueTask.timeout time (enter operation))

        member _.Within time work =
            asTask (PooledValueTask.withTimeout time (work >> enter))

        member _.WithinLinked token time work =
            asTask (PooledValueTask.withTimeoutLinked token time (work >> enter))

        member _.Before time work =
            asTask (PooledValueTask.withDeadline time (work >> enter))

        member _.BeforeLinked token time work =
            asTask (PooledValueTask.withDeadlineLinked token time (work >> enter))

        member _.Abandon time work =
            asTask (PooledValueTask.abandonAfter time (work >> enter))

        member _.AbandonLinked token time work =
            asTask (PooledValueTask.abandonAfterLinked token time (work >> enter))

        member _.Clocked clock token time work =
            asTask (ValueTaskCombinators.WithTimeout(time, work >> enterDoor, clock, token))

        member _.ClockedBefore clock token time work =
            asTask (ValueTaskCombinators.WithDeadline(time, work >> enterDoor, clock, token))

        member _.ClockedAbandon clock token time work =
            asTask (ValueTaskCombinators.AbandonAfter(time, work >> enterDoor, clock, token))

        member _.Retry policy work =
            asTask (PooledValueTask.retry policy (fun attempt -> work attempt >> enter))

        member _.RetryLinked token policy work =
            asTask (PooledValueTask.retryLinked token policy (fun attempt -> work attempt >> enter))

        member _.RetryUntil accepts policy work =
            asTask (PooledValueTask.retryUntil accepts policy (fun attempt -> work attempt >> enter))

        member _.RetryUntilLinked token accepts policy work =
            asTask (
                PooledValueTask.retryUntilLinked token accepts policy (fun attempt -> work attempt >> enter)
            )

        member _.DoorRetry policy work accepts token =
            let work attempt token = enterDoor (work attempt token)
            asTask (ValueTaskCombinators.RetryUntil(policy, work, accepts, token))

        member _.MapThrottled limit mapping items =
            asTask (PooledValueTask.mapThrottled limit (mapping >> enter) items)

        member _.MapThrottledAsync limit mapping items =
            asTask (PooledValueTask.mapThrottledAsync limit (mapping >> enter) items)

        member _.DoorMap limit mapping items =
            asTask (ValueTaskCombinators.MapThrottled(items, limit, mapping >> enterDoor))

        member _.DoorMapAsync token limit mapping items =
            asTask (ValueTaskCombinators.MapThrottled(items, limit, mapping >> enterDoor, token))
    }
