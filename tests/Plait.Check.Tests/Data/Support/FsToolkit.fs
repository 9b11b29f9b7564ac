// The surface of FsToolkit.ErrorHandling's taskResult, by plain closures.
namespace FsToolkit.ErrorHandling

open System.Threading.Tasks

type TaskResultBuilder() =
    member inline _.Source(work: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> = work
    member inline _.Source(work: Result<'T, 'E>) : Task<Result<'T, 'E>> = Task.FromResult work
    member _.Return(value: 'T) : Task<Result<'T, 'E>> = Task.FromResult(Ok value)
    member _.ReturnFrom(work: Task<Result<'T, 'E>>) = work
    member _.Zero() : Task<Result<unit, 'E>> = Task.FromResult(Ok())
    member _.Delay(body: unit -> Task<Result<'T, 'E>>) = body
    member _.Run(body: unit -> Task<Result<'T, 'E>>) = body ()

    member _.Bind(work: Task<Result<'a, 'E>>, rest: 'a -> Task<Result<'b, 'E>>) : Task<Result<'b, 'E>> =
        task {
            let! result = work

            match result with
            | Ok value -> return! rest value
            | Error error -> return Error error
        }

    member builder.Combine(first: Task<Result<unit, 'E>>, rest: unit -> Task<Result<'b, 'E>>) =
        builder.Bind(first, rest)

[<AutoOpen>]
module TaskResultSources =
    type TaskResultBuilder with

        member inline _.Source(work: ValueTask<Result<'T, 'E>>) : Task<Result<'T, 'E>> = work.AsTask()
        member inline _.Source(work: Async<Result<'T, 'E>>) : Task<Result<'T, 'E>> = Async.StartImmediateAsTask work

    let taskResult = TaskResultBuilder()
