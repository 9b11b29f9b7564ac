// The surface of TaskSeq: an asynchronous sequence that is cold, by a list of steps.
namespace FSharp.Control

open System.Collections.Generic
open System.Threading.Tasks

type TaskSeq<'T> = IAsyncEnumerable<'T>

/// A part of a sequence: what it appends to the items when it runs.
type TaskSeqPart<'T> = List<'T> -> Task<unit>

type TaskSeqEnumerator<'T>(part: TaskSeqPart<'T>) =
    let items = List<'T>()
    let mutable index = -1
    let mutable filled = false

    interface IAsyncEnumerator<'T> with
        member _.Current = items[index]

        member _.MoveNextAsync() =
            ValueTask<bool>(
                task {
                    if not filled then
                        filled <- true
                        do! part items

                    index <- index + 1
                    return index < items.Count
                }
            )

        member _.DisposeAsync() = ValueTask()

type TaskSeqBuilder() =
    member _.Yield(value: 'T) : TaskSeqPart<'T> =
        fun items ->
            items.Add value
            Task.FromResult(())

    member _.Zero() : TaskSeqPart<'T> = fun _ -> Task.FromResult(())
    member _.Delay(body: unit -> TaskSeqPart<'T>) : TaskSeqPart<'T> = fun items -> body () items

    member _.Bind(job: Task<'a>, rest: 'a -> TaskSeqPart<'T>) : TaskSeqPart<'T> =
        fun items ->
            task {
                let! value = job
                return! rest value items
            }

    member _.Bind(job: ValueTask<'a>, rest: 'a -> TaskSeqPart<'T>) : TaskSeqPart<'T> =
        fun items ->
            task {
                let! value = job
                return! rest value items
            }

    member _.Combine(first: TaskSeqPart<'T>, rest: TaskSeqPart<'T>) : TaskSeqPart<'T> =
        fun items ->
            task {
                do! first items
                return! rest items
            }

    member _.For(source: seq<'a>, body: 'a -> TaskSeqPart<'T>) : TaskSeqPart<'T> =
        fun items ->
            task {
                for item in source do
                    do! body item items
            }

    member _.Run(part: TaskSeqPart<'T>) : TaskSeq<'T> =
        { new IAsyncEnumerable<'T> with
            member _.GetAsyncEnumerator _ = TaskSeqEnumerator<'T> part
        }

[<AutoOpen>]
module TaskSeqBuilders =
    let taskSeq = TaskSeqBuilder()
