// Layer: pools. The interface of a pooled object that has something to clear before it is kept.
namespace Plait

/// An object that `Pool` resets before it keeps it.
[<AllowNullLiteral>] // or no F# class that implements it could be pooled
type IResettable =

    /// Clears the object. `Pool.Return` calls it on the returning thread, before the object can be rented again.
    abstract Reset: unit -> unit
