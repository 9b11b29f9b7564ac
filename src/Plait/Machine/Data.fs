// Layer: machine. The data that every state machine carries, and the two interfaces that vary a builder: the type of
// its result, and whether it restores the caller's contexts.
namespace Plait.Kernel

open System.Threading
open System.Threading.Tasks
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

    /// Set before the start: the caller gets a Task.
    [<DefaultValue(false)>]
    val mutable Settles: bool

    /// That Task, made at the first suspension, for the caller alone.
    [<DefaultValue(false)>]
    val mutable Promise: Task<'T>

    /// Set before the start of a cancellable operation; the others have none.
    [<DefaultValue(false)>]
    val mutable Token: CancellationToken

    /// The code has got a resource behind its cancellation, which the next bind or turn of a loop ends.
    [<DefaultValue(false)>]
    val mutable IsLate: bool

/// A part of a computation that yields 'T in the end and 'U here.
type Code<'T, 'U> = ResumableCode<Data<'T>, 'U>

/// The result for the caller if the start completes, suspends or fails. Implementations are empty structs, of which any
/// value will do. The members are not static: the native compiler fails on a static abstract member of a generic struct
/// that is called in a user's generic method (`'T list` as the result of code over 'T).
type IShape<'T, 'Result> =

    /// The start completed.
    abstract Completed: value: 'T -> 'Result

    /// Whether `Suspended` needs a Task, which the operation will complete.
    abstract Settles: bool

    /// The start suspended; the operation continues in the box. The Task is null unless `Settles`.
    abstract Suspended: box: MachineBox<'T> * task: (Task<'T> | null) -> 'Result

    /// The start threw.
    abstract Faulted: error: exn -> 'Result

/// Whether a start restores the caller's contexts. An exception is part of the result either way.
type ISafety =
    /// True: it does.
    static abstract Guards: bool

/// The start of a C# async method.
[<Struct; NoEquality; NoComparison>]
type Safe =
    interface ISafety with
        static member Guards = true

/// Does not restore the caller's contexts.
[<Struct; NoEquality; NoComparison>]
type UnrestoredContexts =
    interface ISafety with
        static member Guards = false
