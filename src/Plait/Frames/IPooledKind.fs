// Layer: frames. What a pool has to know of its items' type, passed as a type: it costs nothing where it is used.
namespace Plait.Kernel

/// What a pool has to know of its items' type.
type internal IPooledKind =

    /// How many items are kept.
    static abstract Capacity: int

    /// Estimate of the heap bytes of one item, without what it refers to.
    static abstract ItemBytes: int

/// Small objects of the kernel's own: as many as machines.
[<AbstractClass; Sealed>]
type internal SmallKind =
    interface IPooledKind with
        static member Capacity = 4096
        static member ItemBytes = 96
