// Layer: frames. A pooled operation that code completes explicitly, from any thread. Owns the rule that one setter
// wins: it claims the operation before it writes the result, so that the underlying source has one writer.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open Plait

/// The number of kept sources with a result of one type: as many as machines, unless the type has a `PoolSizeAttribute`.
[<AbstractClass; Sealed>]
type internal ResultPoolSettings<'T> =
    interface IPoolSettings with
        static member Capacity = PoolSizeAttribute.Of(typeof<'T>, 4096)
        // header, the fields of a source, and its result
        static member ItemBytes = 96 + Unsafe.SizeOf<'T>()

module internal Settler =
    /// No token: tokens have 16 bits and no sign here.
    [<Literal>]
    let Claimed = -1

[<Sealed; AllowNullLiteral>]
type internal SettableSource<'T>() =
    inherit PooledSource<'T>()

    /// The token that may settle this use of the object; `Claimed` from the winner to the next use.
    [<DefaultValue(false)>]
    val mutable private settler: int

    static member Rent() : SettableSource<'T> =
        let source =
            match ThreadCachedPool<SettableSource<'T>, ResultPoolSettings<'T>>.Rent() with
            | null -> SettableSource<'T>()
            | source -> source

        Atomic.Write(&source.settler, int (uint16 source.Token))
        source

    /// Whether the token's operation is the one that this object serves, settled or not.
    member source.IsCurrent(token: int16) =
        int16 (Atomic.Read &source.state >>> 2) = token

    member private source.Claim(token: int16) =
        let mine = int (uint16 token)
        Atomic.CompareExchange(&source.settler, Settler.Claimed, mine) = mine

    /// False: settled already, or the token is of an earlier use. The waiter runs inside.
    member source.TryComplete(token: int16, value: 'T) =
        let won = source.Claim token

        if won then
            source.Complete(value, false)

        won

    /// As `TryComplete`; cancelled, for an OperationCanceledException.
    member source.TryFail(token: int16, error: exn) =
        let won = source.Claim token

        if won then
            source.Fail(error, false)

        won

    // waits for nothing, so nothing resumes it
    override _.Action = Action(ignore)

    override _.Resume() = ()

    override _.ClearMachine() = ()

    override source.Recycle() =
        // retired one use before the token begins again: no handle has the token of a retired object
        if source.Token <> -1s then
            ThreadCachedPool<SettableSource<'T>, ResultPoolSettings<'T>>.Return source
