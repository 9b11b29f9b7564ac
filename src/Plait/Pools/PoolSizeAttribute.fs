// Layer: pools. The attribute on a type that says how many of its objects a pool keeps. Owns the limits of that number.
namespace Plait

open System

/// Sets how many objects the pool of a type keeps between uses. On a type that is given to `Pool`, boxed values included:
/// the pool of that type. On the result type of a pooled operation: the pool of each method's state machine with that
/// result, behind the machine that every thread keeps (with a size of 32 or more a few, at most 33). 0 keeps none else.
/// Numbers outside 0 to 65,536 count as the nearest.
/// Without it, `Pool` keeps 16 and a method's machine 4,096.
[<Sealed>]
[<AttributeUsage(AttributeTargets.Class ||| AttributeTargets.Struct ||| AttributeTargets.Interface,
                 Inherited = false)>]
type PoolSizeAttribute(size: int) =
    inherit Attribute()

    /// The number of objects, within the limits.
    member _.Size = Math.Clamp(size, 0, 65_536)

    /// The size said on a type, or the other one.
    static member internal Of(subject: Type, otherwise: int) =
        match Attribute.GetCustomAttribute(subject, typeof<PoolSizeAttribute>, false) with
        | :? PoolSizeAttribute as said -> said.Size
        | _ -> otherwise
