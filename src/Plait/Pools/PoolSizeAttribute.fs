// Layer: pools. The attribute on a type that sets how many of its objects a pool keeps. Owns the limits of that number.
namespace Plait

open System

/// Sets how many objects a pool keeps. On a type that is used with `Pool`, including values that are boxed: the pool
/// of that type. On the result type of pooled operations: the pool of each method's state machine with that result,
/// in addition to the one that every thread keeps (a few, at most 33, with a size of 32 or more); 0 keeps no others.
/// Numbers below 0 or above 65,536 are clamped. Without the attribute, `Pool` keeps 16 objects and the pool of a
/// method's state machine 4,096.
[<Sealed>]
[<AttributeUsage(AttributeTargets.Class ||| AttributeTargets.Struct ||| AttributeTargets.Interface,
                 Inherited = false)>]
type PoolSizeAttribute(size: int) =
    inherit Attribute()

    /// The number of objects, within the limits.
    member _.Size = Math.Clamp(size, 0, 65_536)

    /// The size that the attribute of a type sets, or the other one.
    static member internal Of(subject: Type, otherwise: int) =
        match Attribute.GetCustomAttribute(subject, typeof<PoolSizeAttribute>, false) with
        | :? PoolSizeAttribute as said -> said.Size
        | _ -> otherwise
