// Layer: frames. Throws the error of an operation again where its result is taken, so that its stack trace names who awaited
// it, as in C#. Owns the rule that a failure costs time in proportion to its depth: a throw copies the trace, so that n levels
// would take time n * n, and after many levels the trace no longer grows.
namespace Plait.Kernel

open System
open System.Diagnostics
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices

[<AbstractClass; Sealed; StackTraceHidden>]
type internal Rethrow =

    /// Errors from more than 100 levels down, with their trace at the first level above that.
    static let bounded = ConditionalWeakTable<exn, ExceptionDispatchInfo>()

    static let capture =
        ConditionalWeakTable<exn, ExceptionDispatchInfo>.CreateValueCallback ExceptionDispatchInfo.Capture

    /// The error that the thread has last seen, by its hash: the error itself would be kept alive.
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private error: int

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private levels: int

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private throws: int

    static member private See(error: exn) =
        let identity = RuntimeHelpers.GetHashCode error

        if Rethrow.error <> identity then
            Rethrow.error <- identity
            Rethrow.levels <- 0
            Rethrow.throws <- 0

    /// Whether the error has come many levels up. One instance that fails again and again is counted too, but each failure begins
    /// a trace of its own. Slow: asked once in a thousand counts.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private IsDeep(error: exn) : bool =
        let isDeep = StackTrace(error, false).FrameCount >= 100

        if isDeep then
            bounded.AddOrUpdate(error, ExceptionDispatchInfo.Capture error)

        isDeep

    /// Counts one more strand that awaits the failed one. True: there were so many that the error is passed on without a throw,
    /// the same instance with the trace up to here.
    static member IsTooDeep(error: exn) : bool =
        Rethrow.See error
        Rethrow.levels <- Rethrow.levels + 1

        if Rethrow.levels % 1_000 = 101 && not (Rethrow.IsDeep error) then
            Rethrow.levels <- 1

        Rethrow.levels > 100

    /// The error for a handler of the user. One that has come many levels up gets the trace back that it had after the first of
    /// them: a handler that throws it again would make it longer at each level.
    static member ForHandler(error: exn) : exn =
        Rethrow.See error

        if Rethrow.levels > 100 then
            try
                bounded.GetValue(error, capture).Throw()
            with _ ->
                ()

        error

    /// Throws the error; after many levels with the bounded trace. A level of strands, a pooled operation or a combinator
    /// throws it once or twice.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Throw(error: exn) : unit =
        Rethrow.See error
        Rethrow.throws <- Rethrow.throws + 1

        if Rethrow.throws % 1_000 = 201 && not (Rethrow.IsDeep error) then
            Rethrow.throws <- 1

        if Rethrow.throws <= 200 then
            ExceptionDispatchInfo.Throw error
        else
            bounded.GetValue(error, capture).Throw()
