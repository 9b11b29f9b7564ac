// The surface of IcedTasks, by plain closures: a cold, cancellable task and its builder with Source members.
namespace IcedTasks

open System.Threading
open System.Threading.Tasks

type CancellableTask<'T> = CancellationToken -> Task<'T>

type CancellableTaskBuilder() =
    member inline _.Source(work: CancellableTask<'T>) : CancellableTask<'T> = work
    member inline _.Source(job: Task<'T>) : CancellableTask<'T> = fun _ -> job
    member inline _.Source(job: ValueTask<'T>) : CancellableTask<'T> = fun _ -> job.AsTask()
    member inline _.Source(items: seq<'T>) : seq<'T> = items
    member _.Return(value: 'T) : CancellableTask<'T> = fun _ -> Task.FromResult value
    member _.ReturnFrom(work: CancellableTask<'T>) : CancellableTask<'T> = work
    member _.Zero() : CancellableTask<unit> = fun _ -> Task.FromResult(())
    member _.Delay(body: unit -> CancellableTask<'T>) : CancellableTask<'T> = fun token -> body () token
    member _.Run(work: CancellableTask<'T>) : CancellableTask<'T> = work

    member _.Bind(work: CancellableTask<'a>, rest: 'a -> CancellableTask<'b>) : CancellableTask<'b> =
        fun token ->
            task {
                let! value = work token
                return! rest value token
            }

    member builder.Combine(first: CancellableTask<unit>, rest: CancellableTask<'b>) : CancellableTask<'b> =
        builder.Bind(first, fun () -> rest)

    member builder.For(items: seq<'a>, body: 'a -> CancellableTask<unit>) : CancellableTask<unit> =
        fun token ->
            task {
                for item in items do
                    do! body item token
            }

[<AutoOpen>]
module Builders =
    let cancellableTask = CancellableTaskBuilder()

module CancellableTask =
    let getCancellationToken () : CancellableTask<CancellationToken> = fun token -> Task.FromResult token
