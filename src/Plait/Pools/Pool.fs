// Layer: pools. The pool for users' own objects. Owns the rule that a returned object is reset before anyone can rent
// it.
namespace Plait

open System
open System.Diagnostics.CodeAnalysis
open System.Runtime.CompilerServices
open System.Runtime.InteropServices

open Plait.Kernel

/// A value on the heap, to be used again.
[<Sealed; AllowNullLiteral>]
type internal ValueHolder<'T>() =
    [<DefaultValue(false)>]
    val mutable private value: 'T

    /// Whether a value is in here: 1 from `Fill` to `Empty`.
    [<DefaultValue(false)>]
    val mutable private full: int

    member holder.Fill(value: 'T) =
        holder.value <- value
        Atomic.Write(&holder.full, 1)

    /// The value, to one caller for each `Fill`.
    member holder.Empty() : 'T =
        if Atomic.CompareExchange(&holder.full, 0, 1) <> 1 then
            Misuse.UnboxedTwice()

        let value = holder.value
        holder.value <- Unchecked.defaultof<'T>
        value

/// 16 objects, unless the type has a `PoolSizeAttribute`.
[<AbstractClass; Sealed>]
type internal ObjectPoolSettings<'T> =
    interface IPoolSettings with
        static member Capacity = PoolSizeAttribute.Of(typeof<'T>, 16)

        // fields of a type in general cannot be counted without reflection: header and one field
        static member ItemBytes = 16 + Unsafe.SizeOf<'T>()

/// Pools of objects, one for each type, shared by all threads. Each keeps the number of objects in the type's
/// `PoolSizeAttribute`, else 16; objects that are not used for a while are dropped after gen-2 collections. All members may
/// be called from any thread at any time. An F# class that is pooled takes `[<AllowNullLiteral>]`: `TryRent` gives
/// null if there is none.
[<AbstractClass; Sealed>]
type Pool =
    static member private OfType<'T when 'T: not struct and 'T: null>() : SharedPool<'T> =
        if typeof<'T> = typeof<obj> then
            raise (
                InvalidOperationException(
                    "Pool was used for System.Object, which would mix objects of all kinds. Specify the type \
                     of the objects: Pool.TryRent<MyType>(). See \
                     docs/errors/pool-of-object.md in the Plait package."
                )
            )

        SharedPool<'T, ObjectPoolSettings<'T>>.Shared

    /// Takes an object out of the pool of its type, or returns null if the pool has none; the caller then creates one.
    /// Throws an InvalidOperationException for System.Object.
    [<return: MaybeNull>]
    static member TryRent<'T when 'T: not struct and 'T: null>() : 'T = Pool.OfType<'T>().Rent()

    /// As the other `TryRent`, for a condition: returns false, and sets null, if the pool has none.
    static member TryRent<'T when 'T: not struct and 'T: null>
        ([<Out; NotNullWhen(true)>] value: byref<'T>)
        : bool =
        value <- Pool.TryRent()
        not (isNull value)

    /// Returns an object to the pool of type 'T after calling its `IResettable.Reset`, if it has one; drops the
    /// object if the pool is full. The caller must not use the object any more and must not return it twice. Throws
    /// an ArgumentNullException for null and an InvalidOperationException for System.Object. An exception of Reset is
    /// thrown, and the object is not kept.
    static member Return<'T when 'T: not struct and 'T: null>(value: 'T) : unit =
        let pool = Pool.OfType<'T>()

        ArgumentNullException.ThrowIfNull(value, nameof value)

        match box value with
        | :? IResettable as resettable -> resettable.Reset()
        | _ -> ()

        pool.Return value

    /// Puts a value into a pooled object, for APIs that pass state as an object. Take it out once, by
    /// `UnboxAndReturn` with the same type.
    static member Box<'T>(value: 'T) : obj =
        let holder =
            match SharedPool<ValueHolder<'T>, ObjectPoolSettings<'T>>.Shared.Rent() with
            | null -> ValueHolder<'T>()
            | holder -> holder

        holder.Fill value
        holder

    /// As the other `Box`, for a value that C# passes with `in`.
    static member Box<'T>(value: inref<'T>) : obj = Pool.Box<'T>(value = value)

    /// Takes the value out of an object made by `Box` and returns the object to its pool; the object must not be used
    /// again. Throws an InvalidOperationException if the value was taken before: of several calls at the same time,
    /// one gets the value, and the object is returned once. If the next `Box` has filled the object again, a handle
    /// that was kept by mistake takes that value. Throws an InvalidCastException for any other object and an
    /// ArgumentNullException for null.
    static member UnboxAndReturn<'T>(boxed: obj) : 'T =
        ArgumentNullException.ThrowIfNull(boxed, nameof boxed)
        let holder = boxed :?> ValueHolder<'T>
        let value = holder.Empty()
        SharedPool<ValueHolder<'T>, ObjectPoolSettings<'T>>.Shared.Return holder
        value

    /// The largest number of objects that the pool of a type keeps. Throws an InvalidOperationException for
    /// System.Object.
    static member Capacity<'T when 'T: not struct and 'T: null>() : int = Pool.OfType<'T>().Capacity

    /// The number of objects in the pool of a type now, a snapshot if other threads use it. Throws an
    /// InvalidOperationException for System.Object.
    static member Count<'T when 'T: not struct and 'T: null>() : int = Pool.OfType<'T>().Count
