// Layer: builders, over the combinators. The functions of FsToolkit.ErrorHandling over Tasks of validations, over collections of
// Tasks of Results, and its operators.
namespace Plait.Migration.FsToolkit

open System.Threading.Tasks
open Plait
open Plait.Kernel

/// Functions over Task<Result<'T, 'E list>>. Each awaits every Task that it is given.
[<RequireQualifiedAccess>]
module TaskValidation =

    let private over (mapping: Validation<'T, 'E> -> 'U) (operation: TaskValidation<'T, 'E>) : Task<'U> =
        Plait.Task.map mapping operation

    /// An Ok.
    let ok (value: 'T) : TaskValidation<'T, 'E> = Task.FromResult(Ok value)

    /// One Error.
    let error (error: 'E) : TaskValidation<'T, 'E> = Task.FromResult(Validation.error error)

    /// The Result, its Error in a list.
    let ofResult (result: Result<'T, 'E>) : TaskValidation<'T, 'E> =
        Task.FromResult(Validation.ofResult result)

    /// The first case as an Ok, the second as an Error.
    let ofChoice (choice: Choice<'T, 'E>) : TaskValidation<'T, 'E> =
        Task.FromResult(Validation.ofChoice choice)

    /// Maps the value of an Ok.
    let map (mapping: 'T -> 'U) (operation: TaskValidation<'T, 'E>) : TaskValidation<'U, 'E> =
        over (Validation.map mapping) operation

    /// Maps each Error.
    let mapError (mapping: 'E -> 'F) (operation: TaskValidation<'T, 'E>) : TaskValidation<'T, 'F> =
        over (Validation.mapError mapping) operation

    /// Maps the list of Errors.
    let mapErrors (mapping: 'E list -> 'F list) (operation: TaskValidation<'T, 'E>) : TaskValidation<'T, 'F> =
        over (Validation.mapErrors mapping) operation

    /// The operation that the binder returns for the value of an Ok.
    let bind
        (binder: 'T -> TaskValidation<'U, 'E>)
        (operation: TaskValidation<'T, 'E>)
        : TaskValidation<'U, 'E> =
        TaskResult.bind binder operation

    /// Both values, or the Errors of both. Both Tasks are awaited.
    let zip (left: TaskValidation<'T, 'E>) (right: TaskValidation<'U, 'E>) : TaskValidation<'T * 'U, 'E> =
        Task.map2 Validation.zip left right

    /// Maps two values, or gives the Errors of both. Both Tasks are awaited.
    let map2
        (mapping: 'T -> 'U -> 'V)
        (left: TaskValidation<'T, 'E>)
        (right: TaskValidation<'U, 'E>)
        : TaskValidation<'V, 'E> =
        Task.map2 (Validation.map2 mapping) left right

    /// Maps three values, or gives the Errors of all. All Tasks are awaited.
    let map3
        (mapping: 'T -> 'U -> 'V -> 'W)
        (first: TaskValidation<'T, 'E>)
        (second: TaskValidation<'U, 'E>)
        (third: TaskValidation<'V, 'E>)
        : TaskValidation<'W, 'E> =
        Task.map3 (Validation.map3 mapping) first second third

    /// Applies a function to a value, or gives the Errors of both. Both Tasks are awaited.
    let apply
        (mapping: TaskValidation<'T -> 'U, 'E>)
        (operation: TaskValidation<'T, 'E>)
        : TaskValidation<'U, 'E> =
        map2 id mapping operation

    /// The operation, or the other one if it ends in Errors.
    let orElse (other: TaskValidation<'T, 'F>) (operation: TaskValidation<'T, 'E>) : TaskValidation<'T, 'F> =
        TaskResult.orElse other operation

    /// The operation, or that of the function if it ends in Errors.
    let orElseWith
        (other: 'E list -> TaskValidation<'T, 'F>)
        (operation: TaskValidation<'T, 'E>)
        : TaskValidation<'T, 'F> =
        TaskResult.orElseWith other operation

/// Loops over lists that end at the first Error, one item after another.
[<RequireQualifiedAccess>]
module List =

    /// The values for the items, or the first Error, after which no item is begun.
    let traverseTaskResultM
        (mapping: 'T -> Task<Result<'U, 'E>>)
        (items: 'T list)
        : Task<Result<'U list, 'E>> =
        taskResult {
            let mutable values = []

            for item in items do
                let! value = mapping item
                values <- value :: values

            return List.rev values
        }

    /// The values of the operations, or the first Error.
    let sequenceTaskResultM (operations: Task<Result<'T, 'E>> list) : Task<Result<'T list, 'E>> =
        traverseTaskResultM id operations

    /// The values for the items, or the Errors of all items.
    let traverseTaskResultA
        (mapping: 'T -> Task<Result<'U, 'E>>)
        (items: 'T list)
        : Task<Result<'U list, 'E list>> =
        pooledTask {
            let mutable values = []
            let mutable errors = []

            for item in items do
                match! mapping item with
                | Ok value -> values <- value :: values
                | Error error -> errors <- error :: errors

            return if errors.IsEmpty then Ok(List.rev values) else Error(List.rev errors)
        }

    /// The values of the operations, or the Errors of all of them.
    let sequenceTaskResultA (operations: Task<Result<'T, 'E>> list) : Task<Result<'T list, 'E list>> =
        traverseTaskResultA id operations

/// Loops over sequences, one item after another, with the values in an array.
[<RequireQualifiedAccess>]
module Seq =

    /// The values for the items, or the first Error, after which no item is begun.
    let traverseTaskResultM (mapping: 'T -> Task<Result<'U, 'E>>) (items: seq<'T>) : Task<Result<'U[], 'E>> =
        taskResult {
            let values = ResizeArray<'U>()

            for item in items do
                let! value = mapping item
                values.Add value

            return values.ToArray()
        }

    /// The values of the operations, or the first Error.
    let sequenceTaskResultM (operations: seq<Task<Result<'T, 'E>>>) : Task<Result<'T[], 'E>> =
        traverseTaskResultM id operations

    /// The values for the items, or the Errors of all items.
    let traverseTaskResultA
        (mapping: 'T -> Task<Result<'U, 'E>>)
        (items: seq<'T>)
        : Task<Result<'U[], 'E[]>> =
        pooledTask {
            let values = ResizeArray<'U>()
            let errors = ResizeArray<'E>()

            for item in items do
                match! mapping item with
                | Ok value -> values.Add value
                | Error error -> errors.Add error

            return if errors.Count = 0 then Ok(values.ToArray()) else Error(errors.ToArray())
        }

    /// The values of the operations, or the Errors of all of them.
    let sequenceTaskResultA (operations: seq<Task<Result<'T, 'E>>>) : Task<Result<'T[], 'E[]>> =
        traverseTaskResultA id operations

/// Operations of options.
[<RequireQualifiedAccess>]
module Option =

    /// The result of the Task, where there is one.
    let sequenceTask (option: Task<'T> option) : Task<'T option> =
        match option with
        | Some operation -> Plait.Task.map Some operation
        | None -> Task.FromResult None

    /// The result for the value, where there is one.
    let traverseTask (mapping: 'T -> Task<'U>) (option: 'T option) : Task<'U option> =
        sequenceTask (Option.map mapping option)

    /// The value of the operation, where there is one, or its Error.
    let sequenceTaskResult (option: Task<Result<'T, 'E>> option) : Task<Result<'T option, 'E>> =
        match option with
        | Some operation -> TaskResult.map Some operation
        | None -> TaskResult.ok None

    /// The value that the mapping gives for that of the option, where there is one, or its Error.
    let traverseTaskResult
        (mapping: 'T -> Task<Result<'U, 'E>>)
        (option: 'T option)
        : Task<Result<'U option, 'E>> =
        sequenceTaskResult (Option.map mapping option)

/// `open Plait.Migration.FsToolkit.Operator.TaskResult` for `open FsToolkit.ErrorHandling.Operator.TaskResult`.
module Operator =

    /// The operators of Tasks of Results.
    module TaskResult =

        /// Maps the value of an Ok.
        let (<!>) (mapping: 'T -> 'U) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
            TaskResult.map mapping operation

        /// Applies a function to a value.
        let (<*>)
            (mapping: Task<Result<'T -> 'U, 'E>>)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'U, 'E>> =
            TaskResult.apply mapping operation

        /// The operation that the binder returns for the value of an Ok.
        let (>>=)
            (operation: Task<Result<'T, 'E>>)
            (binder: 'T -> Task<Result<'U, 'E>>)
            : Task<Result<'U, 'E>> =
            TaskResult.bind binder operation

    /// The operators of Tasks of validations.
    module TaskValidation =

        /// Maps the value of an Ok.
        let (<!>) (mapping: 'T -> 'U) (operation: TaskValidation<'T, 'E>) : TaskValidation<'U, 'E> =
            TaskValidation.map mapping operation

        /// Maps the value of a Result.
        let (<!^>) (mapping: 'T -> 'U) (result: Result<'T, 'E>) : TaskValidation<'U, 'E> =
            TaskValidation.map mapping (TaskValidation.ofResult result)

        /// Applies a function to a value, or gives the Errors of both.
        let (<*>)
            (mapping: TaskValidation<'T -> 'U, 'E>)
            (operation: TaskValidation<'T, 'E>)
            : TaskValidation<'U, 'E> =
            TaskValidation.apply mapping operation

        /// Applies a function to the value of a Result, or gives the Errors of both.
        let (<*^>) (mapping: TaskValidation<'T -> 'U, 'E>) (result: Result<'T, 'E>) : TaskValidation<'U, 'E> =
            TaskValidation.apply mapping (TaskValidation.ofResult result)

        /// The operation that the binder returns for the value of an Ok.
        let (>>=)
            (operation: TaskValidation<'T, 'E>)
            (binder: 'T -> TaskValidation<'U, 'E>)
            : TaskValidation<'U, 'E> =
            TaskValidation.bind binder operation
