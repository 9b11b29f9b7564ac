// Layer: sources. A result that nobody takes, because it comes too late, and that holds a lock or a permit: it is released, since
// no other code can release it.
namespace Plait.Kernel

/// The result of an operation that enters: `AsyncReleaser`.
type internal IEntry =

    /// Ends the entry.
    abstract Release: unit -> unit

/// The results of a source.
[<AbstractClass; Sealed>]
type internal Entry<'S, 'a when 'S :> ISource<'a>> =

    /// Not that of a Task, which other code may await too: the entry may be in use there.
    static member val private Is =
        typeof<IEntry>.IsAssignableFrom typeof<'a>
        && not (
            typeof<'S>.IsGenericType
            && typeof<'S>.GetGenericTypeDefinition() = typedefof<TaskSource<_, OnCaptured>>
        )

    /// Drops a result.
    static member Drop(value: 'a) : unit =
        if Entry<'S, 'a>.Is then
            match box value with
            | :? IEntry as entry -> entry.Release()
            | _ -> ()
