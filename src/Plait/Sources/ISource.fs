// Layer: sources. An operation that a builder can await, for both kernels.
namespace Plait.Kernel

/// <summary>Something that can be awaited. Implementations are structs; every call is constrained, never boxed.
/// </summary>
/// <remarks>Order of use: <c>IsCompleted</c>; where true <c>GetResult</c>; else the source is kept, by
/// <c>Reference</c> or whole, then <c>Register</c> is called once, and after the frame was resumed the result is
/// taken once.</remarks>
type ISource<'Result> =

    /// Whether the result can be taken now.
    abstract IsCompleted: bool

    /// Takes the result, or throws the error, of a completed operation.
    abstract GetResult: unit -> 'Result

    /// Has the frame resumed once, later or at once.
    abstract Register: frame: Frame -> unit

    /// The one object that is enough to take the result later; null: the whole struct must be kept.
    abstract Reference: obj | null

    /// The result by that object, on any instance of the source, the default one too.
    abstract GetResultOf: reference: obj -> 'Result

/// Whether code after an await continues on the captured SynchronizationContext or TaskScheduler: a flag for type
/// arguments.
type IAffinity =
    /// True: on the captured context.
    static abstract Captures: bool

/// Code after an await continues on the captured context, as in C# without ConfigureAwait.
[<Struct; NoEquality; NoComparison>]
type OnCaptured =
    interface IAffinity with
        static member Captures = true

/// Code after an await continues on any thread, as in C# with ConfigureAwait(false).
[<Struct; NoEquality; NoComparison>]
type Anywhere =
    interface IAffinity with
        static member Captures = false
