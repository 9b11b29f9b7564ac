// Layer: builders, over the combinators. The functions of FsToolkit.ErrorHandling over Tasks of Results, and over Tasks.
namespace Plait.Migration.FsToolkit

open System.Threading.Tasks
open Plait
open Plait.Kernel

/// Functions over Task<Result<'T, 'E>>. Each awaits every Task that it is given; an exception is not an Error, but
/// for `ofCatchTask`, `ofAsync` and `catch`.
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

    /// The result of the Task as an Ok.
    let ofTask (operation: Task<'T>) : Task<Result<'T, 'E>> = Task.map Ok operation

    /// The result of the Task, or the exception that it failed with, as an Error.
    let ofCatchTask (operation: Task<'T>) : Task<Result<'T, exn>> =
        taskResult {
            try
                return! operation
            with error ->
                return! Error error
        }

    /// The result of the async, which is started on the calling thread, or the exception that it failed with.
    let ofAsync (work: Async<'T>) : Task<Result<'T, exn>> =
        ofCatchTask (Async.StartImmediateAsTask work)

    /// Maps the value of an Ok.
    let map (mapping: 'T -> 'U) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
        over (Result.map mapping) operation

    /// Maps the error of an Error.
    let mapError (mapping: 'E -> 'F) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'F>> =
        over (Result.mapError mapping) operation

    /// The operation that the binder returns for the value of an Ok.
    let bind (binder: 'T -> Task<Result<'U, 'E>>) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
        taskResult {
            let! value = operation
            return! binder value
        }

    /// One value of both.
    let foldResult (onOk: 'T -> 'U) (onError: 'E -> 'U) (operation: Task<Result<'T, 'E>>) : Task<'U> =
        over (Result.either onOk onError) operation

    /// Both values, or the first Error. Both Tasks are awaited.
    let zip (left: Task<Result<'T, 'E>>) (right: Task<Result<'U, 'E>>) : Task<Result<'T * 'U, 'E>> =
        taskResult {
            let! left = left
            and! right = right
            return left, right
        }

    /// Both Errors, or the first value. Both Tasks are awaited.
    let zipError (left: Task<Result<'T, 'E>>) (right: Task<Result<'T, 'F>>) : Task<Result<'T, 'E * 'F>> =
        pooledTask {
            let! left = left
            and! right = right
            return Result.zipError left right
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
    let apply (mapping: Task<Result<'T -> 'U, 'E>>) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
        map2 id mapping operation

    /// Ok without its value.
    let ignore<'T, 'E> (operation: Task<Result<'T, 'E>>) : Task<Result<unit, 'E>> =
        over Result.ignore operation

    /// The operation, or that of the function if it ends in an Error.
    let orElseWith
        (other: 'E -> Task<Result<'T, 'F>>)
        (operation: Task<Result<'T, 'E>>)
        : Task<Result<'T, 'F>> =
        pooledTask {
            match! operation with
            | Ok value -> return Ok value
            | Error error -> return! other error
        }

    /// The operation, or the other one if it ends in an Error.
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

    /// The value of the option, or the error that the function makes.
    let requireSomeWith (error: unit -> 'E) (option: Task<'T option>) : Task<Result<'T, 'E>> =
        Task.map (Result.requireSomeWith error) option

    /// The value of the option.
    let requireValueSome (error: 'E) (option: Task<'T voption>) : Task<Result<'T, 'E>> =
        Task.map (Result.requireValueSome error) option

    /// Ok where the option has no value.
    let requireNone (error: 'E) (option: Task<'T option>) : Task<Result<unit, 'E>> =
        Task.map (Result.requireNone error) option

    /// Ok where the option has no value, or the error that the function makes.
    let requireNoneWith (error: unit -> 'E) (option: Task<'T option>) : Task<Result<unit, 'E>> =
        Task.map (Result.requireNoneWith error) option

    /// Ok where the option has no value.
    let requireValueNone (error: 'E) (option: Task<'T voption>) : Task<Result<unit, 'E>> =
        Task.map (Result.requireValueNone error) option

    /// The value, where it is not null.
    let requireNotNull<'T, 'E when 'T: not struct and 'T: not null>
        (error: 'E)
        (value: Task<'T | null>)
        : Task<Result<'T, 'E>> =
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

    /// The value if the predicate is true for it, otherwise the error.
    let require (predicate: 'T -> bool) (error: 'E) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.require predicate error) operation

    /// The error, in place of that of an Error.
    let setError (error: 'E) (operation: Task<Result<'T, 'F>>) : Task<Result<'T, 'E>> =
        over (Result.setError error) operation

    /// The error, in place of an Error without one.
    let withError (error: 'E) (operation: Task<Result<'T, unit>>) : Task<Result<'T, 'E>> =
        over (Result.withError error) operation

    /// The value of an Ok; for an Error, the given one.
    let defaultValue (value: 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
        over (Result.defaultValue value) operation

    /// The value of an Ok; for an Error, that of the function.
    let defaultWith (value: 'E -> 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
        over (Result.defaultWith value) operation

    /// The error of an Error; for an Ok, the given one.
    let defaultError (error: 'E) (operation: Task<Result<'T, 'E>>) : Task<'E> =
        over (Result.defaultError error) operation

    /// Waits for the Task, and drops an Error.
    let ignoreError<'E> (operation: Task<Result<unit, 'E>>) : Task<unit> = defaultValue () operation

    /// Runs the action with the value of an Ok.
    let tee (action: 'T -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.tee action) operation

    /// Runs the action with the value of an Ok that the predicate is true for.
    let teeIf
        (predicate: 'T -> bool)
        (action: 'T -> unit)
        (operation: Task<Result<'T, 'E>>)
        : Task<Result<'T, 'E>> =
        over (Result.teeIf predicate action) operation

    /// Runs the action with the error of an Error.
    let teeError (action: 'E -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.teeError action) operation

    /// Runs the action with the error of an Error that the predicate is true for.
    let teeErrorIf
        (predicate: 'E -> bool)
        (action: 'E -> unit)
        (operation: Task<Result<'T, 'E>>)
        : Task<Result<'T, 'E>> =
        over (Result.teeErrorIf predicate action) operation

    /// The value if its check is an Ok, otherwise the Error of the check.
    let check (check: 'T -> Task<Result<'U, 'E>>) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
        taskResult {
            let! value = operation
            let! _ = check value
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

    /// `Result.requireSome` of the value of an Ok.
    let bindRequireSome (error: 'E) (operation: Task<Result<'T option, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.bind (Result.requireSome error)) operation

    /// `Result.requireNone` of the value of an Ok.
    let bindRequireNone (error: 'E) (operation: Task<Result<'T option, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (Result.requireNone error)) operation

    /// `Result.requireValueSome` of the value of an Ok.
    let bindRequireValueSome (error: 'E) (operation: Task<Result<'T voption, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.bind (Result.requireValueSome error)) operation

    /// `Result.requireValueNone` of the value of an Ok.
    let bindRequireValueNone (error: 'E) (operation: Task<Result<'T voption, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (Result.requireValueNone error)) operation

    /// `Result.requireTrue` of the value of an Ok.
    let bindRequireTrue (error: 'E) (operation: Task<Result<bool, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (Result.requireTrue error)) operation

    /// `Result.requireFalse` of the value of an Ok.
    let bindRequireFalse (error: 'E) (operation: Task<Result<bool, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (Result.requireFalse error)) operation

    /// `Result.requireNotNull` of the value of an Ok.
    let bindRequireNotNull<'T, 'E when 'T: not struct and 'T: not null>
        (error: 'E)
        (operation: Task<Result<'T | null, 'E>>)
        : Task<Result<'T, 'E>> =
        over (Result.bind (Result.requireNotNull error)) operation

    /// `Result.requireEmpty` of the value of an Ok.
    let bindRequireEmpty (error: 'E) (operation: Task<Result<#seq<'T>, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (fun items -> Result.requireEmpty error items)) operation

    /// `Result.requireNotEmpty` of the value of an Ok.
    let bindRequireNotEmpty (error: 'E) (operation: Task<Result<#seq<'T>, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (fun items -> Result.requireNotEmpty error items)) operation

    /// `Result.requireHead` of the value of an Ok.
    let bindRequireHead (error: 'E) (operation: Task<Result<#seq<'T>, 'E>>) : Task<Result<'T, 'E>> =
        over (Result.bind (fun items -> Result.requireHead error items)) operation

    /// `Result.requireEqualTo` of the value of an Ok.
    let bindRequireEqual (other: 'T) (error: 'E) (operation: Task<Result<'T, 'E>>) : Task<Result<unit, 'E>> =
        over (Result.bind (Result.requireEqualTo other error)) operation

/// Functions over Tasks. Each awaits every Task that it is given.
[<RequireQualifiedAccess>]
module Task =

    /// A completed Task.
    let singleton (value: 'T) : Task<'T> = Task.FromResult value

    /// The Task that the binder returns for the result.
    let bind (binder: 'T -> Task<'U>) (operation: Task<'T>) : Task<'U> = Task.bind binder operation

    /// The Task that the binder returns for the result of the ValueTask.
    let bindV (binder: 'T -> Task<'U>) (operation: ValueTask<'T>) : Task<'U> =
        Task.bind binder (operation.AsTask())

    /// Maps the result.
    let map (mapping: 'T -> 'U) (operation: Task<'T>) : Task<'U> = Task.map mapping operation

    /// Maps the result of the ValueTask.
    let mapV (mapping: 'T -> 'U) (operation: ValueTask<'T>) : Task<'U> = Task.map mapping (operation.AsTask())

    /// Awaits a function and its argument, then applies the function.
    let apply (mapping: Task<'T -> 'U>) (operation: Task<'T>) : Task<'U> = Task.apply mapping operation

    /// Maps two results.
    let map2 (mapping: 'T -> 'U -> 'V) (left: Task<'T>) (right: Task<'U>) : Task<'V> =
        Task.map (fun (struct (left, right)) -> mapping left right) (Task.zip left right)

    /// Maps three results.
    let map3
        (mapping: 'T -> 'U -> 'V -> 'W)
        (first: Task<'T>)
        (second: Task<'U>)
        (third: Task<'V>)
        : Task<'W> =
        apply (map2 mapping first second) third

    /// Both results. Both Tasks are awaited, even if the first fails.
    let zip (left: Task<'T>) (right: Task<'U>) : Task<'T * 'U> =
        map2 (fun left right -> left, right) left right

    /// The Task without its result.
    let ignore<'T> (operation: Task<'T>) : Task<unit> = Task.ignore operation

    /// The Task with the result unit.
    let ofUnit (operation: Task) : Task<unit> = Task.ofUnit operation

    /// The result, or the exception that the Task failed with.
    let catch (operation: Task<'T>) : Task<Choice<'T, exn>> =
        Task.map
            (fun result ->
                match result with
                | Ok value -> Choice1Of2 value
                | Error error -> Choice2Of2 error)
            (Task.catch operation)
