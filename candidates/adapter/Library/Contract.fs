// The contract for a C# program. It has no type of F#.
namespace Plait.Lab.CardAdapter

open System
open System.Collections.Generic
open System.Diagnostics.CodeAnalysis
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks

/// The cards of a name, from a service that the caller need not know. Disposing puts away the HttpClient where the adapter
/// has its own.
type ICardAdapter =
    inherit IDisposable

    /// The cards of exactly this name; a sentence where the service cannot be reached, fails, or answers with something else
    /// than cards. Cancelling is the only way in which the task itself does not succeed.
    abstract GetCards:
        name: string * [<Optional>] cancellationToken: CancellationToken ->
            Task<Result<IReadOnlyList<Card>, string>>

/// The same, for callers that await each result once: nothing need be allocated for the waiting.
type IValueCardAdapter =
    inherit IDisposable

    /// As ICardAdapter.GetCards.
    abstract GetCards:
        name: string * [<Optional>] cancellationToken: CancellationToken ->
            ValueTask<Result<IReadOnlyList<Card>, string>>

/// A Result from C#: IsOk and IsError are its own, these take it apart.
[<Extension; AbstractClass; Sealed>]
type CardResult =

    /// The value of whichever function fits.
    [<Extension>]
    static member Match
        (result: Result<'T, 'Error>, ok: Func<'T, 'Result>, error: Func<'Error, 'Result>)
        : 'Result =
        match result with
        | Ok value -> ok.Invoke value
        | Error reason -> error.Invoke reason

    /// Calls whichever action fits.
    [<Extension>]
    static member Switch(result: Result<'T, 'Error>, ok: Action<'T>, error: Action<'Error>) : unit =
        match result with
        | Ok value -> ok.Invoke value
        | Error reason -> error.Invoke reason

    /// True: `value` is there; false: `error` is.
    [<Extension>]
    static member TryGet
        (
            result: Result<'T, 'Error>,
            [<Out; NotNullWhen(true); MaybeNullWhen(false)>] value: byref<'T>,
            [<Out; NotNullWhen(false); MaybeNullWhen(true)>] error: byref<'Error>
        ) : bool =
        match result with
        | Ok found ->
            value <- found
            true
        | Error reason ->
            error <- reason
            false
