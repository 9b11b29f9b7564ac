// Every module of combinators.
namespace Plait.Tests

open System
open System.Threading.Tasks
open Plait

module UnitModules =
    let all =
        [
            PooledValueTaskUnitFunctions.unitModule
            ValueTaskUnitFunctions.unitModule
            TaskUnitFunctions.unitModule
        ]

module Families =
    /// A module over operations without a result as one over operations with a result.
    let private without (m: UnitModule) =
        { new Family(m.Name) with
            override _.HasValues = false
            override _.IsPooled = m.IsPooled
            member _.Result _ = raise (NotSupportedException())
            member _.Map _ _ = raise (NotSupportedException())
            member _.Bind _ _ = raise (NotSupportedException())
            member _.Apply _ _ _ = raise (NotSupportedException())
            member _.Zip _ _ = raise (NotSupportedException())
            member _.ParallelZip _ _ = raise (NotSupportedException())
            member _.Ignore _ = raise (NotSupportedException())
            member _.OfUnit _ = raise (NotSupportedException())
            member _.ToUnit _ = raise (NotSupportedException())

            member _.Catch operation =
                let kept = ref<Result<unit, exn>>(Ok())

                task {
                    let! value =
                        Kept.last (fun keep ->
                            (m.Catch(keep operation))
                                .ContinueWith(
                                    (fun (caught: Task<Result<unit, exn>>) -> kept.Value <- caught.Result),
                                    TaskContinuationOptions.ExecuteSynchronously
                                ))

                    return Result.map (fun () -> value) kept.Value
                }

            member _.CatchWith handler operation =
                let kept = ref ValueNone

                task {
                    let! value =
                        Kept.last (fun keep ->
                            m.CatchWith
                                (fun error -> kept.Value <- ValueSome(handler error))
                                (keep operation))

                    return ValueOption.defaultValue value kept.Value
                }

            member _.WhenAll operations =
                Kept.all (fun keep -> m.WhenAll(Entries.numbered keep operations))

            member _.WhenAny operations =
                Kept.first (fun keep -> m.WhenAny(Entries.each keep operations))

            member _.Timeout time operation =
                Kept.last (fun keep -> m.Timeout time (keep operation))

            member _.WhenAllThrottled limit starts =
                Kept.all (fun keep ->
                    m.WhenAllThrottled
                        limit
                        (Entries.numbered (fun number start () -> keep number (start ())) starts))

            member _.Sequential starts =
                Kept.all (fun keep ->
                    m.Sequential(Entries.numbered (fun number start () -> keep number (start ())) starts))

            member _.Within time work =
                Kept.last (fun keep -> m.Within time (work >> keep))

            member _.WithinLinked token time work =
                Kept.last (fun keep -> m.WithinLinked token time (work >> keep))

            member _.Before time work =
                Kept.last (fun keep -> m.Before time (work >> keep))

            member _.BeforeLinked token time work =
                Kept.last (fun keep -> m.BeforeLinked token time (work >> keep))

            member _.Abandon time work =
                Kept.last (fun keep -> m.Abandon time (work >> keep))

            member _.AbandonLinked token time work =
                Kept.last (fun keep -> m.AbandonLinked token time (work >> keep))

            member _.Clocked clock token time work =
                Kept.last (fun keep -> m.Clocked clock token time (work >> keep))

            member _.ClockedBefore clock token time work =
                Kept.last (fun keep -> m.ClockedBefore clock token time (work >> keep))

            member _.ClockedAbandon clock token time work =
                Kept.last (fun keep -> m.ClockedAbandon clock token time (work >> keep))

            member _.Retry policy work =
                Kept.last (fun keep -> m.Retry policy (fun attempt -> work attempt >> keep))

            member _.RetryLinked token policy work =
                Kept.last (fun keep -> m.RetryLinked token policy (fun attempt -> work attempt >> keep))

            // every value is accepted
            member family.RetryUntil _ policy work = family.Retry policy work
            member family.RetryUntilLinked token _ policy work = family.RetryLinked token policy work

            member _.DoorRetry policy work _ token =
                Kept.last (fun keep -> m.DoorRetry token policy (fun attempt -> work attempt >> keep))

            member _.MapThrottled limit mapping items =
                Kept.all (fun keep -> m.Iter limit (fun item -> keep item (mapping item)) items)

            member _.MapThrottledAsync limit mapping items =
                Kept.all (fun keep -> m.IterAsync limit (fun item -> keep item (mapping item)) items)

            member _.DoorMap limit mapping items =
                Kept.all (fun keep -> m.DoorIter limit (fun item -> keep item (mapping item)) items)

            member _.DoorMapAsync token limit mapping items =
                Kept.all (fun keep ->
                    m.DoorIterAsync token limit (fun item -> keep item (mapping item)) items)
        }

    /// Every module with values.
    let all =
        [
            StrandFunctions.family
            PooledValueTaskFunctions.family
            ValueTaskFunctions.family
            TaskFunctions.family
        ]

    let private withUnits = all @ List.map without UnitModules.all

    let named (name: string) =
        withUnits |> List.find (fun family -> family.Name = name)

    let private asRows (families: Family list) =
        [| for family in families -> Xunit.TheoryDataRow(box family.Name) |]

    /// As the cases of a test.
    let rows = asRows all

    /// Those of the modules over operations without a result too.
    let rowsWithUnits = asRows withUnits
