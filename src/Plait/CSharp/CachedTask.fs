// Layer: C# door. Completed Tasks that are shared. Owns the rule which results have one.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

/// One completed Task for each result that is likely to come again: -1 to 10, the booleans, their nullables, "" and, by the
/// BCL's own table, null and the zero of every primitive type.
[<AbstractClass; Sealed>]
type internal CachedTask<'T> =
    static let ints = [| -1 .. 10 |]

    static let values: 'T[] =
        let likely: obj =
            if typeof<'T> = typeof<int> then
                box ints
            elif typeof<'T> = typeof<Nullable<int>> then
                box (Array.append [| Nullable() |] (Array.map (fun (i: int) -> Nullable i) ints))
            elif typeof<'T> = typeof<bool> then
                box [| false; true |]
            elif typeof<'T> = typeof<Nullable<bool>> then
                box [| Nullable(); Nullable false; Nullable true |]
            elif typeof<'T> = typeof<string> then
                box [| "" |]
            else
                box Array.empty<'T>

        likely :?> 'T[]

    static let tasks = Array.map (fun (value: 'T) -> Task.FromResult value) values

    /// A completed Task with the result.
    static member Of(result: 'T) : Task<'T> =
        let mutable i = 0

        while i < values.Length && not (EqualityComparer<'T>.Default.Equals(values[i], result)) do
            i <- i + 1

        if i < values.Length then tasks[i] else Task.FromResult result

/// The cancelled Task that exists once. It keeps no exception, so that each waiter gets one of its own.
[<AbstractClass; Sealed>]
type internal CancelledTask<'T> =
    static let shared = Task.FromCanceled<'T>(CancellationToken true)

    static member Shared = shared
