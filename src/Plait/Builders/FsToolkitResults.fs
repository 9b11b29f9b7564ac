// Layer: builders, over the combinators. The names of FsToolkit.ErrorHandling over Results and validations: a namespace, opened by
// `open Plait.Migration.FsToolkit` for `open FsToolkit.ErrorHandling`. docs/how-to/results.md lists the differences.
namespace Plait.Migration.FsToolkit

open System.Threading.Tasks
open Plait

/// A Result with a list of Errors.
type Validation<'T, 'E> = Result<'T, 'E list>

/// Functions that make a Result of a value, by an error, and functions over Results that FSharp.Core has not.
[<RequireQualifiedAccess>]
module Result =

    /// One value of both.
    let either (onOk: 'T -> 'U) (onError: 'E -> 'U) (result: Result<'T, 'E>) : 'U =
        match result with
        | Ok value -> onOk value
        | Error error -> onError error

    /// Maps the value and the error.
    let eitherMap (onOk: 'T -> 'U) (onError: 'E -> 'F) (result: Result<'T, 'E>) : Result<'U, 'F> =
        either (fun value -> Ok(onOk value)) (fun error -> Error(onError error)) result

    /// The value, or that of the function for an Error.
    let valueOr (value: 'E -> 'T) (result: Result<'T, 'E>) : 'T = Result.defaultWith value result

    /// Both values, or the first Error.
    let zip (left: Result<'T, 'E>) (right: Result<'U, 'E>) : Result<'T * 'U, 'E> =
        match left, right with
        | Ok left, Ok right -> Ok(left, right)
        | Error error, _
        | _, Error error -> Error error

    /// Both Errors, or the first value.
    let zipError (left: Result<'T, 'E>) (right: Result<'T, 'F>) : Result<'T, 'E * 'F> =
        match left, right with
        | Error left, Error right -> Error(left, right)
        | Ok value, _
        | _, Ok value -> Ok value

    /// Maps two values, or gives the first Error.
    let map2 (mapping: 'T -> 'U -> 'V) (left: Result<'T, 'E>) (right: Result<'U, 'E>) : Result<'V, 'E> =
        Result.map (fun (left, right) -> mapping left right) (zip left right)

    /// Maps three values, or gives the first Error.
    let map3
        (mapping: 'T -> 'U -> 'V -> 'W)
        (first: Result<'T, 'E>)
        (second: Result<'U, 'E>)
        (third: Result<'V, 'E>)
        : Result<'W, 'E> =
        map2 (fun (first, second) third -> mapping first second third) (zip first second) third

    /// Applies a function to a value, or gives the first Error.
    let apply (mapping: Result<'T -> 'U, 'E>) (result: Result<'T, 'E>) : Result<'U, 'E> =
        map2 id mapping result

    /// The first case as an Ok, the second as an Error.
    let ofChoice (choice: Choice<'T, 'E>) : Result<'T, 'E> =
        match choice with
        | Choice1Of2 value -> Ok value
        | Choice2Of2 error -> Error error

    /// The value that the type's static member TryCreate makes; its error comes with the name of the field.
    let inline tryCreate (fieldName: string) (value: 'a) : Result< ^T, string * 'E > =
        Result.mapError
            (fun error -> fieldName, error)
            (^T: (static member TryCreate: 'a -> Result< ^T, 'E >) value)

    /// Ok where the value is true.
    let requireTrue (error: 'E) (value: bool) : Result<unit, 'E> = if value then Ok() else Error error

    /// Ok where the value is false.
    let requireFalse (error: 'E) (value: bool) : Result<unit, 'E> = if value then Error error else Ok()

    /// The value of the option; the same as `Option.orError`.
    let requireSome (error: 'E) (option: 'T option) : Result<'T, 'E> = Option.orError error option

    /// The value of the option, or the error that the function makes.
    let requireSomeWith (error: unit -> 'E) (option: 'T option) : Result<'T, 'E> =
        match option with
        | Some value -> Ok value
        | None -> Error(error ())

    /// The value of the option; the same as `ValueOption.orError`.
    let requireValueSome (error: 'E) (option: 'T voption) : Result<'T, 'E> = ValueOption.orError error option

    /// Ok where the option has no value.
    let requireNone (error: 'E) (option: 'T option) : Result<unit, 'E> = requireTrue error option.IsNone

    /// Ok where the option has no value, or the error that the function makes.
    let requireNoneWith (error: unit -> 'E) (option: 'T option) : Result<unit, 'E> =
        if option.IsNone then Ok() else Error(error ())

    /// Ok where the option has no value.
    let requireValueNone (error: 'E) (option: 'T voption) : Result<unit, 'E> = requireTrue error option.IsNone

    /// The value, where it is not null.
    let requireNotNull<'T, 'E when 'T: not struct and 'T: not null>
        (error: 'E)
        (value: 'T | null)
        : Result<'T, 'E> =
        match value with
        | null -> Error error
        | value -> Ok value

    /// Ok where both are equal.
    let requireEqual (left: 'T) (right: 'T) (error: 'E) : Result<unit, 'E> = requireTrue error (left = right)

    /// Ok where the value is the other one.
    let requireEqualTo (other: 'T) (error: 'E) (value: 'T) : Result<unit, 'E> =
        requireTrue error (value = other)

    /// Ok where there is no item.
    let requireEmpty (error: 'E) (items: #seq<'T>) : Result<unit, 'E> = requireTrue error (Seq.isEmpty items)

    /// Ok where there is an item.
    let requireNotEmpty (error: 'E) (items: #seq<'T>) : Result<unit, 'E> =
        requireFalse error (Seq.isEmpty items)

    /// The first item.
    let requireHead (error: 'E) (items: #seq<'T>) : Result<'T, 'E> =
        Option.orError error (Seq.tryHead items)

    /// The value if the predicate is true for it, otherwise the error.
    let require (predicate: 'T -> bool) (error: 'E) (result: Result<'T, 'E>) : Result<'T, 'E> =
        Result.bind (fun value -> if predicate value then Ok value else Error error) result

    /// The value if its check is an Ok, otherwise the Error of the check.
    let check (check: 'T -> Result<unit, 'E>) (result: Result<'T, 'E>) : Result<'T, 'E> =
        Result.bind (fun value -> Result.map (fun () -> value) (check value)) result

    /// The error, in place of that of an Error.
    let setError (error: 'E) (result: Result<'T, 'F>) : Result<'T, 'E> =
        Result.mapError (fun _ -> error) result

    /// The error, in place of an Error without one.
    let withError (error: 'E) (result: Result<'T, unit>) : Result<'T, 'E> = setError error result

    /// The error of an Error; for an Ok, the given one.
    let defaultError (error: 'E) (result: Result<'T, 'E>) : 'E = either (fun _ -> error) id result

    /// Drops an Error.
    let ignoreError<'E> (result: Result<unit, 'E>) : unit = Result.defaultValue () result

    /// Ok without its value.
    let ignore<'T, 'E> (result: Result<'T, 'E>) : Result<unit, 'E> = Result.map ignore result

    /// The Result, or the other one if it is an Error.
    let orElse (other: Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
        either Ok (fun _ -> other) result

    /// The Result, or that of the function if it is an Error.
    let orElseWith (other: 'E -> Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
        either Ok other result

    /// Runs the action with the value of an Ok that the predicate is true for.
    let teeIf (predicate: 'T -> bool) (action: 'T -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
        match result with
        | Ok value when predicate value -> action value
        | _ -> ()

        result

    /// Runs the action with the value of an Ok.
    let tee (action: 'T -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
        teeIf (fun _ -> true) action result

    /// Runs the action with the error of an Error that the predicate is true for.
    let teeErrorIf (predicate: 'E -> bool) (action: 'E -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
        match result with
        | Error error when predicate error -> action error
        | _ -> ()

        result

    /// Runs the action with the error of an Error.
    let teeError (action: 'E -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
        teeErrorIf (fun _ -> true) action result

    /// The result of the Task of an Ok.
    let sequenceTask (result: Result<Task<'T>, 'E>) : Task<Result<'T, 'E>> =
        match result with
        | Ok operation -> Task.map Ok operation
        | Error error -> Task.FromResult(Error error)

/// Functions over a Result with a list of Errors.
[<RequireQualifiedAccess>]
module Validation =

    /// An Ok.
    let ok (value: 'T) : Validation<'T, 'E> = Ok value

    /// One Error.
    let error (error: 'E) : Validation<'T, 'E> = Error [ error ]

    /// The Result, its Error in a list.
    let ofResult (result: Result<'T, 'E>) : Validation<'T, 'E> = Result.mapError List.singleton result

    /// The first case as an Ok, the second as an Error.
    let ofChoice (choice: Choice<'T, 'E>) : Validation<'T, 'E> = ofResult (Result.ofChoice choice)

    /// Maps the value of an Ok.
    let map (mapping: 'T -> 'U) (validation: Validation<'T, 'E>) : Validation<'U, 'E> =
        Result.map mapping validation

    /// Maps each Error.
    let mapError (mapping: 'E -> 'F) (validation: Validation<'T, 'E>) : Validation<'T, 'F> =
        Result.mapError (List.map mapping) validation

    /// Maps the list of Errors.
    let mapErrors (mapping: 'E list -> 'F list) (validation: Validation<'T, 'E>) : Validation<'T, 'F> =
        Result.mapError mapping validation

    /// The validation that the binder returns for the value of an Ok.
    let bind (binder: 'T -> Validation<'U, 'E>) (validation: Validation<'T, 'E>) : Validation<'U, 'E> =
        Result.bind binder validation

    /// Both values, or the Errors of both.
    let zip (left: Validation<'T, 'E>) (right: Validation<'U, 'E>) : Validation<'T * 'U, 'E> =
        match left, right with
        | Ok left, Ok right -> Ok(left, right)
        | Error left, Error right -> Error(left @ right)
        | Error errors, Ok _
        | Ok _, Error errors -> Error errors

    /// Maps two values, or gives the Errors of both.
    let map2
        (mapping: 'T -> 'U -> 'V)
        (left: Validation<'T, 'E>)
        (right: Validation<'U, 'E>)
        : Validation<'V, 'E> =
        map (fun (left, right) -> mapping left right) (zip left right)

    /// Maps three values, or gives the Errors of all.
    let map3
        (mapping: 'T -> 'U -> 'V -> 'W)
        (first: Validation<'T, 'E>)
        (second: Validation<'U, 'E>)
        (third: Validation<'V, 'E>)
        : Validation<'W, 'E> =
        map2 (fun (first, second) third -> mapping first second third) (zip first second) third

    /// Applies a function to a value, or gives the Errors of both.
    let apply (mapping: Validation<'T -> 'U, 'E>) (validation: Validation<'T, 'E>) : Validation<'U, 'E> =
        map2 id mapping validation

    /// The validation, or the other one if it has Errors.
    let orElse (other: Validation<'T, 'F>) (validation: Validation<'T, 'E>) : Validation<'T, 'F> =
        Result.orElse other validation

    /// The validation, or that of the function if it has Errors.
    let orElseWith
        (other: 'E list -> Validation<'T, 'F>)
        (validation: Validation<'T, 'E>)
        : Validation<'T, 'F> =
        Result.orElseWith other validation
