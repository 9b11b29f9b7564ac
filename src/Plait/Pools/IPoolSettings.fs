// Layer: pools. The size of a pool, passed as a type argument so that it costs nothing where it is used.
namespace Plait.Kernel

/// The size of a pool, and of its items.
type internal IPoolSettings =

    /// How many items are kept.
    static abstract Capacity: int

    /// Estimate of the heap bytes of one item, without the objects that it refers to.
    static abstract ItemBytes: int
