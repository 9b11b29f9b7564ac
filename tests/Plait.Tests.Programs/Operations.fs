// The operations that builders and combinators return, as Tasks: the same functions for each type.
namespace Plait.Tests.Programs

open System.Threading.Tasks

open Plait

[<AutoOpen; AbstractClass; Sealed>]
type Operations =
    static member asTask(operation: Task) : Task = operation
    static member asTask(operation: ValueTask) : Task = operation.AsTask()
    static member asTask(operation: PooledValueTask) : Task = operation.AsTask()
    static member asTask(operation: Task<'T>) : Task<'T> = operation
    static member asTask(operation: ValueTask<'T>) : Task<'T> = operation.AsTask()
    static member asTask(operation: PooledValueTask<'T>) : Task<'T> = operation.AsTask()
    static member asTask(operation: Strand<'T>) : Task<'T> = operation.AsTask()

    /// The result as a Task, for tests that run over every builder. The module of a builder of Results has another, which takes it out of
    /// the Ok.
    static member resultTask(operation: Task<'T>) : Task<'T> = operation
    static member resultTask(operation: ValueTask<'T>) : Task<'T> = operation.AsTask()
    static member resultTask(operation: Strand<'T>) : Task<'T> = operation.AsTask()

    /// The value of an operation that gives an Ok.
    static member valueOf(operation: Task<Result<'T, string>>) : Task<'T> =
        task {
            match! operation with
            | Ok value -> return value
            | Error error -> return failwith $"There is an Error: {error}"
        }
