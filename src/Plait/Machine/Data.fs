// Layer: machine. What a machine carries, what it can be run as, and how carefully.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open Microsoft.FSharp.Core.CompilerServices

/// All that a machine carries beside the user's own locals.
[<Struct; NoComparison; NoEquality; EditorBrowsable(EditorBrowsableState.Never)>]
type Data<'T> =
    /// The result, once there is one.
    [<DefaultValue(false)>]
    val mutable Result: 'T

    /// The heap half; null until the first suspension.
    [<DefaultValue(false)>]
    val mutable Box: MachineBox<'T>

/// A part of a computation that yields 'T in the end and 'U here.
type Code<'T, 'U> = ResumableCode<Data<'T>, 'U>

/// What a finished, a suspended and a failed start look like to the caller. Implementations are empty structs.
type IShape<'T, 'Result> =

    /// The start ran to its end.
    static abstract Completed: value: 'T -> 'Result

    /// The start suspended; the operation goes on in the box.
    static abstract Suspended: box: MachineBox<'T> -> 'Result

    /// The start threw.
    static abstract Faulted: error: exn -> 'Result

/// Whether a start puts the caller's contexts back and turns a synchronous exception into a faulted result.
type ISafety =
    /// True: it does.
    static abstract Guards: bool

/// The start of a C# async method.
[<Struct; NoEquality; NoComparison>]
type Safe =
    interface ISafety with
        static member Guards = true

/// Nothing kept.
[<Struct; NoEquality; NoComparison>]
type Bare =
    interface ISafety with
        static member Guards = false
