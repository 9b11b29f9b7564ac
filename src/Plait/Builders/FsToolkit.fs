// Layer: builders, over the combinators. The names of FsToolkit.ErrorHandling around `taskResult`, as Migration.fs has those of other
// libraries. docs/how-to/results.md says what differs.
namespace Plait.Migration

open System.Threading.Tasks
open Plait
open Plait.Kernel

/// The names of FsToolkit.ErrorHandling around `taskResult`: `open Plait.Migration.FsToolkit` for
/// `open FsToolkit.ErrorHandling`.
module FsToolkit =

    /// A Task<Result<'T, 'E>>; the same as `Plait.TaskResultBuilders.taskResult`. An Error ends the code, as in
    /// FsToolkit.ErrorHandling; `and!` waits for all operations before it gives the first Error.
    let taskResult = taskResult

    /// Functions that make a Result of a value, by an error, and functions over Results that FSharp.Core has not.
    [<RequireQualifiedAccess>]
    module Result =

        /// Ok where the value is true.
        let requireTrue (error: 'E) (value: bool) : Result<unit, 'E> = if value then Ok() else Error error

        /// Ok where the value is false.
        let requireFalse (error: 'E) (value: bool) : Result<unit, 'E> = if value then Error error else Ok()

        /// The value of the option; the same as `Option.orError`.
        let requireSome (error: 'E) (option: 'T option) : Result<'T, 'E> = Option.orError error option

        /// The value of the option; the same as `ValueOption.orError`.
        let requireValueSome (error: 'E) (option: 'T voption) : Result<'T, 'E> =
            ValueOption.orError error option

        /// Ok where the option has no value.
        let requireNone (error: 'E) (option: 'T option) : Result<unit, 'E> = requireTrue error option.IsNone

        /// Ok where the option has no value.
        let requireValueNone (error: 'E) (option: 'T voption) : Result<unit, 'E> =
            requireTrue error option.IsNone

        /// The value, where it is not null.
        let requireNotNull (error: 'E) (value: 'T) : Result<'T, 'E> =
            if isNull (box value) then Error error else Ok value

        /// Ok where both are equal.
        let requireEqual (left: 'T) (right: 'T) (error: 'E) : Result<unit, 'E> =
            requireTrue error (left = right)

        /// Ok where the value is the other one.
        let requireEqualTo (other: 'T) (error: 'E) (value: 'T) : Result<unit, 'E> =
            requireTrue error (value = other)

        /// Ok where there is no item.
        let requireEmpty (error: 'E) (items: seq<'T>) : Result<unit, 'E> =
            requireTrue error (Seq.isEmpty items)

        /// Ok where there is an item.
        let requireNotEmpty (error: 'E) (items: seq<'T>) : Result<unit, 'E> =
            requireFalse error (Seq.isEmpty items)

        /// The first item.
        let requireHead (error: 'E) (items: seq<'T>) : Result<'T, 'E> =
            Option.orError error (Seq.tryHead items)

        /// The error in place of the one there is.
        let setError (error: 'E) (result: Result<'T, 'F>) : Result<'T, 'E> =
            Result.mapError (fun _ -> error) result

        /// The error in place of none.
        let withError (error: 'E) (result: Result<'T, unit>) : Result<'T, 'E> = setError error result

        /// Ok without its value.
        let ignore (result: Result<'T, 'E>) : Result<unit, 'E> = Result.map ignore result

        /// The other Result in place of an Error.
        let orElse (other: Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
            match result with
            | Ok value -> Ok value
            | Error _ -> other

        /// The Result of the function in place of an Error.
        let orElseWith (other: 'E -> Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
            match result with
            | Ok value -> Ok value
            | Error error -> other error

        /// Runs the action with the value of an Ok.
        let tee (action: 'T -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
            Result.iter action result
            result

        /// Runs the action with the error of an Error.
        let teeError (action: 'E -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
            match result with
            | Ok _ -> ()
            | Error error -> action error

            result

    /// Functions over Task<Result<'T, 'E>>. Each awaits every Task that it is given; an exception is not an Error, but
    /// for `ofTask` and `catch`.
    [<RequireQualifiedAccess>]
    module TaskResult =

        let private over (mapping: Result<'T, 'E> -> 'U) (operation: Task<Result<'T, 'E>>) : Task<'U> =
            Task.map mapping operation

        /// An Ok.
        let ok (value: 'T) : Task<Result<'T, 'E>> = Task.FromResult(Ok value)

        /// An Ok.
        let retn (value: 'T) : Task<Result<'T, 'E>> = ok value

        /// An Ok.
        let singleton (value: 'T) : Task<Result<'T, 'E>> = ok value

        /// An Error.
        let error (error: 'E) : Task<Result<'T, 'E>> = Task.FromResult(Error error)

        /// An Error.
        let returnError (value: 'E) : Task<Result<'T, 'E>> = error value

        /// A Result as a completed Task.
        let ofResult (result: Result<'T, 'E>) : Task<Result<'T, 'E>> = Task.FromResult result

        /// The result of the Task, or the exception that it failed with, as an Error.
        let ofTask (operation: Task<'T>) : Task<Result<'T, exn>> =
            taskResult {
                try
                    return! operation
                with error ->
                    return! Error error
            }

        /// The result of the async, which is started on the calling thread, or the exception that it failed with.
        let ofAsync (work: Async<'T>) : Task<Result<'T, exn>> =
            ofTask (Async.StartImmediateAsTask work)

        /// Maps the value of an Ok.
        let map (mapping: 'T -> 'U) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
            over (Result.map mapping) operation

        /// Maps the error of an Error.
        let mapError (mapping: 'E -> 'F) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'F>> =
            over (Result.mapError mapping) operation

        /// The operation that the binder returns for the value of an Ok.
        let bind
            (binder: 'T -> Task<Result<'U, 'E>>)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'U, 'E>> =
            taskResult {
                let! value = operation
                return! binder value
            }

        /// One value of both.
        let foldResult (onOk: 'T -> 'U) (onError: 'E -> 'U) (operation: Task<Result<'T, 'E>>) : Task<'U> =
            over
                (fun result ->
                    match result with
                    | Ok value -> onOk value
                    | Error error -> onError error)
                operation

        /// Both values, or the first Error. Both Tasks are awaited.
        let zip (left: Task<Result<'T, 'E>>) (right: Task<Result<'U, 'E>>) : Task<Result<'T * 'U, 'E>> =
            taskResult {
                let! left = left
                and! right = right
                return left, right
            }

        /// Maps two values, or gives the first Error. Both Tasks are awaited.
        let map2
            (mapping: 'T -> 'U -> 'V)
            (left: Task<Result<'T, 'E>>)
            (right: Task<Result<'U, 'E>>)
            : Task<Result<'V, 'E>> =
            map (fun (left, right) -> mapping left right) (zip left right)

        /// Maps three values, or gives the first Error. All Tasks are awaited.
        let map3
            (mapping: 'T -> 'U -> 'V -> 'W)
            (first: Task<Result<'T, 'E>>)
            (second: Task<Result<'U, 'E>>)
            (third: Task<Result<'V, 'E>>)
            : Task<Result<'W, 'E>> =
            map (fun ((first, second), third) -> mapping first second third) (zip (zip first second) third)

        /// Applies a function to a value, or gives the first Error. Both Tasks are awaited.
        let apply
            (mapping: Task<Result<'T -> 'U, 'E>>)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'U, 'E>> =
            map2 id mapping operation

        /// Ok without its value.
        let ignore (operation: Task<Result<'T, 'E>>) : Task<Result<unit, 'E>> = over Result.ignore operation

        /// The other operation in place of an Error.
        let orElseWith
            (other: 'E -> Task<Result<'T, 'F>>)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'T, 'F>> =
            pooledTask {
                match! operation with
                | Ok value -> return Ok value
                | Error error -> return! other error
            }

        /// The other operation in place of an Error.
        let orElse (other: Task<Result<'T, 'F>>) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'F>> =
            orElseWith (fun _ -> other) operation

        /// Ok where the value is true.
        let requireTrue (error: 'E) (value: Task<bool>) : Task<Result<unit, 'E>> =
            Task.map (Result.requireTrue error) value

        /// Ok where the value is false.
        let requireFalse (error: 'E) (value: Task<bool>) : Task<Result<unit, 'E>> =
            Task.map (Result.requireFalse error) value

        /// The value of the option.
        let requireSome (error: 'E) (option: Task<'T option>) : Task<Result<'T, 'E>> =
            Task.map (Result.requireSome error) option

        /// The value of the option.
        let requireValueSome (error: 'E) (option: Task<'T voption>) : Task<Result<'T, 'E>> =
            Task.map (Result.requireValueSome error) option

        /// Ok where the option has no value.
        let requireNone (error: 'E) (option: Task<'T option>) : Task<Result<unit, 'E>> =
            Task.map (Result.requireNone error) option

        /// Ok where the option has no value.
        let requireValueNone (error: 'E) (option: Task<'T voption>) : Task<Result<unit, 'E>> =
            Task.map (Result.requireValueNone error) option

        /// The value, where it is not null.
        let requireNotNull (error: 'E) (value: Task<'T>) : Task<Result<'T, 'E>> =
            Task.map (Result.requireNotNull error) value

        /// Ok where both are equal.
        let requireEqual (left: 'T) (right: Task<'T>) (error: 'E) : Task<Result<unit, 'E>> =
            Task.map (fun right -> Result.requireEqual left right error) right

        /// Ok where the value is the other one.
        let requireEqualTo (other: 'T) (error: 'E) (value: Task<'T>) : Task<Result<unit, 'E>> =
            Task.map (Result.requireEqualTo other error) value

        /// Ok where there is no item.
        let requireEmpty (error: 'E) (items: Task<#seq<'T>>) : Task<Result<unit, 'E>> =
            Task.map (fun items -> Result.requireEmpty error items) items

        /// Ok where there is an item.
        let requireNotEmpty (error: 'E) (items: Task<#seq<'T>>) : Task<Result<unit, 'E>> =
            Task.map (fun items -> Result.requireNotEmpty error items) items

        /// The first item.
        let requireHead (error: 'E) (items: Task<#seq<'T>>) : Task<Result<'T, 'E>> =
            Task.map (fun items -> Result.requireHead error items) items

        /// The error in place of the one there is.
        let setError (error: 'E) (operation: Task<Result<'T, 'F>>) : Task<Result<'T, 'E>> =
            over (Result.setError error) operation

        /// The error in place of none.
        let withError (error: 'E) (operation: Task<Result<'T, unit>>) : Task<Result<'T, 'E>> =
            over (Result.withError error) operation

        /// The value, or the other one in place of an Error.
        let defaultValue (value: 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
            over (Result.defaultValue value) operation

        /// The value, or that of the function in place of an Error.
        let defaultWith (value: 'E -> 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
            over (Result.defaultWith value) operation

        /// The error, or the other one in place of an Ok.
        let defaultError (error: 'E) (operation: Task<Result<'T, 'E>>) : Task<'E> =
            foldResult (fun _ -> error) id operation

        /// Waits, and leaves an Error out.
        let ignoreError (operation: Task<Result<unit, 'E>>) : Task<unit> = defaultValue () operation

        /// Runs the action with the value of an Ok.
        let tee (action: 'T -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
            over (Result.tee action) operation

        /// Runs the action with the value of an Ok that the predicate is true for.
        let teeIf
            (predicate: 'T -> bool)
            (action: 'T -> unit)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'T, 'E>> =
            tee
                (fun value ->
                    if predicate value then
                        action value)
                operation

        /// Runs the action with the error of an Error.
        let teeError (action: 'E -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
            over (Result.teeError action) operation

        /// Runs the action with the error of an Error that the predicate is true for.
        let teeErrorIf
            (predicate: 'E -> bool)
            (action: 'E -> unit)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'T, 'E>> =
            teeError
                (fun error ->
                    if predicate error then
                        action error)
                operation

        /// The value, where the check of it is an Ok, else the Error of the check.
        let check
            (check: 'T -> Task<Result<unit, 'E>>)
            (operation: Task<Result<'T, 'E>>)
            : Task<Result<'T, 'E>> =
            taskResult {
                let! value = operation
                do! check value
                return value
            }

        /// An exception as an Error.
        let catch (handler: exn -> 'E) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
            taskResult {
                try
                    return! operation
                with error ->
                    return! Error(handler error)
            }

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
