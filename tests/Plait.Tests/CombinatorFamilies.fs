// The combinators as one table: each module as a family of the same functions, over operations that count how often their
// result is taken.
namespace Plait.Tests

open System
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait

/// One pooled operation, completed by hand on the calling thread, that counts how often its result was taken.
type Counted() =
    let mutable core = ManualResetValueTaskSourceCore<int>()
    let mutable taken = 0

    /// How often the result was taken.
    member _.Taken = Volatile.Read &taken

    member source.Operation = ValueTask<int>(source, core.Version)
    member source.UnitOperation = ValueTask(source, core.Version)
    member _.Complete(value: int) = core.SetResult value
    member _.Fail(error: exn) = core.SetException error

    interface IValueTaskSource<int> with
        member _.GetResult token =
            Interlocked.Increment &taken |> ignore
            core.GetResult token

        member _.GetStatus token = core.GetStatus token

        member _.OnCompleted(continuation, state, token, flags) =
            core.OnCompleted(continuation, state, token, flags)

    interface IValueTaskSource with
        member source.GetResult token =
            (source :> IValueTaskSource<int>).GetResult token |> ignore

        member _.GetStatus token = core.GetStatus token

        member _.OnCompleted(continuation, state, token, flags) =
            core.OnCompleted(continuation, state, token, flags)

/// One module: operations come in as ValueTasks and results go out as Tasks, so that one test speaks to all.
[<AbstractClass>]
type Family(name: string) =
    member _.Name = name
    override _.ToString() = name

    /// False: a module over operations without a result, which has those functions alone that need none.
    abstract HasValues: bool
    default _.HasValues = true

    abstract Result: int -> Task<int>
    abstract Map: (int -> int) -> ValueTask<int> -> Task<int>
    abstract Bind: (int -> ValueTask<int>) -> ValueTask<int> -> Task<int>
    abstract Apply: (int -> int) -> ValueTask<int> -> ValueTask<int> -> Task<int>
    abstract Zip: ValueTask<int> -> ValueTask<int> -> Task<struct (int * int)>
    abstract ParallelZip: ValueTask<int> -> ValueTask<int> -> Task<struct (int * int)>
    abstract Ignore: ValueTask<int> -> Task<unit>
    abstract Catch: ValueTask<int> -> Task<Result<int, exn>>
    abstract CatchWith: (exn -> int) -> ValueTask<int> -> Task<int>
    abstract OfUnit: ValueTask -> Task<unit>
    abstract ToUnit: ValueTask<int> -> Task
    abstract WhenAll: seq<ValueTask<int>> -> Task<int[]>
    abstract WhenAny: seq<ValueTask<int>> -> Task<int>
    abstract WhenAllThrottled: int -> seq<unit -> ValueTask<int>> -> Task<int[]>
    abstract Sequential: seq<unit -> ValueTask<int>> -> Task<int[]>
    abstract Timeout: TimeSpan -> ValueTask<int> -> Task<int>

module Families =
    let private strands =
        let enter (operation: ValueTask<int>) = strand { return! operation }

        let enterAll operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.map enter operations

        let later start () = enter (start ())

        { new Family("Strand") with
            member _.Result value = (Strand.result value).AsTask()

            member _.Map mapping operation =
                (Strand.map mapping (enter operation)).AsTask()

            member _.Bind binder operation =
                (Strand.bind (binder >> enter) (enter operation)).AsTask()

            member _.Apply mapping first operation =
                (Strand.apply
                    (Strand.map (fun more -> fun value -> mapping (value + more)) (enter first))
                    (enter operation))
                    .AsTask()

            member _.Zip first second =
                (Strand.zip (enter first) (enter second)).AsTask()

            member _.ParallelZip first second =
                (Strand.parallelZip (enter first) (enter second)).AsTask()

            member _.Ignore operation =
                (Strand.ignore (enter operation)).AsTask()

            member _.Catch operation =
                (Strand.catch (enter operation)).AsTask()

            member _.CatchWith handler operation =
                (Strand.catchWith handler (enter operation)).AsTask()

            member _.OfUnit operation = (Strand.ofUnit (operation)).AsTask()

            member _.ToUnit operation =
                (Strand.toUnit (Strand.ignore (enter operation))).AsTask()

            member _.WhenAll operations =
                (Strand.whenAll (enterAll operations)).AsTask()

            member _.WhenAny operations =
                (Strand.whenAny (enterAll operations)).AsTask()

            member _.Timeout time operation =
                (Strand.timeout time (enter operation)).AsTask()

            member _.WhenAllThrottled limit starts =
                (Strand.whenAllThrottled
                    limit
                    (if isNull (box starts) then Unchecked.defaultof<_> else Seq.map later starts))
                    .AsTask()

            member _.Sequential starts =
                (Strand.sequential (Seq.map later starts)).AsTask()
        }

    let private pooled =
        let enter (operation: ValueTask<int>) = operation

        let enterAll operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.map enter operations

        let later start () = enter (start ())

        { new Family("PooledValueTask") with
            member _.Result value = (PooledValueTask.result value).AsTask()

            member _.Map mapping operation =
                (PooledValueTask.map mapping (enter operation)).AsTask()

            member _.Bind binder operation =
                (PooledValueTask.bind (binder >> enter) (enter operation)).AsTask()

            member _.Apply mapping first operation =
                (PooledValueTask.apply
                    (PooledValueTask.map (fun more -> fun value -> mapping (value + more)) (enter first))
                    (enter operation))
                    .AsTask()

            member _.Zip first second =
                (PooledValueTask.zip (enter first) (enter second)).AsTask()

            member _.ParallelZip first second =
                (PooledValueTask.parallelZip (enter first) (enter second)).AsTask()

            member _.Ignore operation =
                (PooledValueTask.ignore (enter operation)).AsTask()

            member _.Catch operation =
                (PooledValueTask.catch (enter operation)).AsTask()

            member _.CatchWith handler operation =
                (PooledValueTask.catchWith handler (enter operation)).AsTask()

            member _.OfUnit operation =
                (PooledValueTask.ofUnit (operation)).AsTask()

            member _.ToUnit operation =
                (PooledValueTask.toUnit (PooledValueTask.ignore (enter operation))).AsTask()

            member _.WhenAll operations =
                (PooledValueTask.whenAll (enterAll operations)).AsTask()

            member _.WhenAny operations =
                (PooledValueTask.whenAny (enterAll operations)).AsTask()

            member _.Timeout time operation =
                (PooledValueTask.timeout time (enter operation)).AsTask()

            member _.WhenAllThrottled limit starts =
                (PooledValueTask.whenAllThrottled
                    limit
                    (if isNull (box starts) then Unchecked.defaultof<_> else Seq.map later starts))
                    .AsTask()

            member _.Sequential starts =
                (PooledValueTask.sequential (Seq.map later starts)).AsTask()
        }

    let private valueTasks =
        let enter (operation: ValueTask<int>) = operation

        let enterAll operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.map enter operations

        let later start () = enter (start ())

        { new Family("ValueTask") with
            member _.Result value = (ValueTask.result value).AsTask()

            member _.Map mapping operation =
                (ValueTask.map mapping (enter operation)).AsTask()

            member _.Bind binder operation =
                (ValueTask.bind (binder >> enter) (enter operation)).AsTask()

            member _.Apply mapping first operation =
                (ValueTask.apply
                    (ValueTask.map (fun more -> fun value -> mapping (value + more)) (enter first))
                    (enter operation))
                    .AsTask()

            member _.Zip first second =
                (ValueTask.zip (enter first) (enter second)).AsTask()

            member _.ParallelZip first second =
                (ValueTask.parallelZip (enter first) (enter second)).AsTask()

            member _.Ignore operation =
                (ValueTask.ignore (enter operation)).AsTask()

            member _.Catch operation =
                (ValueTask.catch (enter operation)).AsTask()

            member _.CatchWith handler operation =
                (ValueTask.catchWith handler (enter operation)).AsTask()

            member _.OfUnit operation = (ValueTask.ofUnit (operation)).AsTask()

            member _.ToUnit operation =
                (ValueTask.toUnit (ValueTask.ignore (enter operation))).AsTask()

            member _.WhenAll operations =
                (ValueTask.whenAll (enterAll operations)).AsTask()

            member _.WhenAny operations =
                (ValueTask.whenAny (enterAll operations)).AsTask()

            member _.Timeout time operation =
                (ValueTask.timeout time (enter operation)).AsTask()

            member _.WhenAllThrottled limit starts =
                (ValueTask.whenAllThrottled
                    limit
                    (if isNull (box starts) then Unchecked.defaultof<_> else Seq.map later starts))
                    .AsTask()

            member _.Sequential starts =
                (ValueTask.sequential (Seq.map later starts)).AsTask()
        }

    let private tasks =
        let enter (operation: ValueTask<int>) = operation.AsTask()

        let enterAll operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.map enter operations

        let later start () = enter (start ())

        { new Family("Task") with
            member _.Result value = (Task.result value)
            member _.Map mapping operation = (Task.map mapping (enter operation))

            member _.Bind binder operation =
                (Task.bind (binder >> enter) (enter operation))

            member _.Apply mapping first operation =
                (Task.apply
                    (Task.map (fun more -> fun value -> mapping (value + more)) (enter first))
                    (enter operation))

            member _.Zip first second = (Task.zip (enter first) (enter second))

            member _.ParallelZip first second =
                (Task.parallelZip (enter first) (enter second))

            member _.Ignore operation = (Task.ignore (enter operation))
            member _.Catch operation = (Task.catch (enter operation))

            member _.CatchWith handler operation =
                (Task.catchWith handler (enter operation))

            member _.OfUnit operation = (Task.ofUnit (operation.AsTask()))

            member _.ToUnit operation =
                (Task.toUnit (Task.ignore (enter operation)))

            member _.WhenAll operations = (Task.whenAll (enterAll operations))
            member _.WhenAny operations = (Task.whenAny (enterAll operations))
            member _.Timeout time operation = (Task.timeout time (enter operation))

            member _.WhenAllThrottled limit starts =
                (Task.whenAllThrottled
                    limit
                    (if isNull (box starts) then Unchecked.defaultof<_> else Seq.map later starts))

            member _.Sequential starts =
                (Task.sequential (Seq.map later starts))
        }

    let private without (m: UnitModule) =
        let enterAll keep operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.map keep operations

        let numbered keep operations =
            if isNull (box operations) then Unchecked.defaultof<_> else Seq.mapi keep operations

        { new Family(m.Name) with
            override _.HasValues = false
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
                Kept.all (fun keep -> m.WhenAll(numbered keep operations))

            member _.WhenAny operations =
                Kept.first (fun keep -> m.WhenAny(enterAll keep operations))

            member _.Timeout time operation =
                Kept.last (fun keep -> m.Timeout time (keep operation))

            member _.WhenAllThrottled limit starts =
                Kept.all (fun keep ->
                    m.WhenAllThrottled
                        limit
                        (numbered (fun number start () -> keep number (start ())) starts))

            member _.Sequential starts =
                Kept.all (fun keep ->
                    m.Sequential(numbered (fun number start () -> keep number (start ())) starts))
        }

    /// Every module with values.
    let all = [ strands; pooled; valueTasks; tasks ]

    let private withUnits = all @ List.map without UnitModules.all

    let named (name: string) =
        withUnits |> List.find (fun family -> family.Name = name)

    let private asRows (families: Family list) =
        [| for family in families -> Xunit.TheoryDataRow(box family.Name) |]

    /// As the cases of a test.
    let rows = asRows all

    /// Those of the modules over operations without a result too.
    let rowsWithUnits = asRows withUnits
