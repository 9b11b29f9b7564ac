// Layer: builders. An option as a Result, for the builders of results.
namespace Plait

/// More functions over options.
[<RequireQualifiedAccess>]
module Option =

    /// The value as an Ok, or the error where there is none: `let! user = find id |> Option.orError NotFound`.
    let orError (error: 'E) (option: 'T option) : Result<'T, 'E> =
        match option with
        | Some value -> Ok value
        | None -> Error error

/// More functions over value options.
[<RequireQualifiedAccess>]
module ValueOption =

    /// The value as an Ok, or the error where there is none: `let! user = find id |> ValueOption.orError NotFound`.
    let orError (error: 'E) (option: 'T voption) : Result<'T, 'E> =
        match option with
        | ValueSome value -> Ok value
        | ValueNone -> Error error
