// Layer: primitives. The struct whose disposal releases an entry. Owns the rule that it works once: each entry has a
// turn of its ticket, and the call that ends the turn releases.
namespace Plait.Kernel

/// The ticket of an entry: the lock's own, or one of a semaphore's.
[<AbstractClass; AllowNullLiteral>]
type internal Ticket() =
    /// The turn of the current holder of the permit.
    abstract Turn: int

    /// Ends the turn, and gives the permit to the next wait, or back. False: it had ended before.
    abstract TryRelease: turn: int -> bool

    /// It was not entered with: the wait was cancelled.
    abstract Drop: unit -> unit
    default _.Drop() = ()

namespace Plait

open System
open System.Runtime.CompilerServices
open Plait.Kernel

/// <summary>Holds a lock or a permit until it is disposed. Bind it with <c>use!</c>, in C# with <c>using</c>.</summary>
/// <remarks>Dispose it once, on any thread. A second disposal, of a copy too, throws an
/// <see cref="T:System.InvalidOperationException" />, and so does the disposal of <c>default</c>.</remarks>
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type AsyncReleaser =
    val private ticket: Ticket
    val private turn: int

    internal new(ticket: Ticket, turn: int) = { ticket = ticket; turn = turn }

    /// <summary>Releases. The operation that has waited longest enters; it continues on the thread pool or in its own context,
    /// never inside this call.</summary>
    /// <exception cref="T:System.InvalidOperationException">It was disposed before, or is default.</exception>
    member releaser.Dispose() : unit =
        if isNull releaser.ticket then
            PrimitiveErrors.NothingEntered()

        if not (releaser.ticket.TryRelease releaser.turn) then
            PrimitiveErrors.ReleasedTwice()

    interface IDisposable with
        member releaser.Dispose() = releaser.Dispose()
