// Layer: members. The members that are the same for every builder and every result of its parts: in the builders of results a
// part returns a Result, in the others its value.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices

open Plait.Kernel

/// The end of a part that must run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module Ending =

    /// Throws the exception with its trace, if there is one.
    let inline rethrow (failed: ExceptionDispatchInfo | null) : unit =
        match failed with
        | null -> ()
        | failed -> failed.Throw()

    // F# 11 makes an object of 24 bytes for the outcome of a body whose `finally` has an await, and throws its exception without the trace.
    /// `try/finally` whose end awaits.
    let inline awaiting ([<InlineIfLambda>] body: unit -> 'T) ([<InlineIfLambda>] last: unit -> unit) : 'T =
        let mutable failed: ExceptionDispatchInfo | null = null
        let mutable result = Unchecked.defaultof<'T>

        try
            result <- body ()
        with error ->
            failed <- ExceptionDispatchInfo.Capture error

        last ()
        rethrow failed
        result

/// Loops: each builder has its own work for an item.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module Loops =

    /// A loop over any sequence; without an enumerator object over an array, a list or a ResizeArray.
    let inline over (items: seq<'a>) ([<InlineIfLambda>] loop: SequenceCursor<'a> -> 'T) : 'T =
        let cursor = SequenceCursor<'a>.Over items

        try
            loop cursor
        finally
            (cursor :> IDisposable).Dispose()

/// The members that do not depend on the result of a part.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type RuntimeStatements<'Affinity when 'Affinity :> IAffinity>() =

    /// Defers a part.
    member inline _.Delay([<InlineIfLambda>] part: unit -> 'T) : unit -> 'T = part

    /// `try/with`.
    member inline _.TryWith([<InlineIfLambda>] body: unit -> 'T, [<InlineIfLambda>] handler: exn -> 'T) : 'T =
        try
            body ()
        with error ->
            handler error

    /// `try/finally`.
    member inline _.TryFinally
        ([<InlineIfLambda>] body: unit -> 'T, [<InlineIfLambda>] compensation: unit -> unit)
        : 'T =
        try
            body ()
        finally
            compensation ()

    /// `use` of something that is disposed asynchronously.
    member inline _.Using<'r, 'T when 'r :> IAsyncDisposable | null>
        (resource: 'r, [<InlineIfLambda>] body: 'r -> 'T)
        : 'T =
        Ending.awaiting (fun () -> body resource) (fun () ->
            if not (isNull (box resource)) then
                AsyncHelpers.Await(resource.DisposeAsync().ConfigureAwait 'Affinity.Captures))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module RuntimeFallbacks =
    type RuntimeStatements<'Affinity when 'Affinity :> IAffinity> with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using<'r, 'T when 'r :> IDisposable | null>
            (resource: 'r, [<InlineIfLambda>] body: 'r -> 'T)
            : 'T =
            try
                body resource
            finally
                if not (isNull (box resource)) then
                    resource.Dispose()
