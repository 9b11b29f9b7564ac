// Layer: strand. How often an error was rethrown on its way up through strands that await each other. Owns the rule that a
// failure costs time in proportion to its depth.
//
// A strand that has not suspended throws the error again, so that its stack trace names the strand, as in C#. But each throw
// copies the trace, so that n levels would take time n * n. After a hundred levels the error is therefore passed on without a
// throw, with the same instance and the trace up to that point.
namespace Plait.Kernel

open System
open FSharp.Core // its DefaultValue
open System.Runtime.CompilerServices

[<AbstractClass; Sealed>]
type internal RethrowDepth =

    /// The error that the thread has last seen, by its hash: the error itself would be kept alive.
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private error: int

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private levels: int

    /// Counts one more level. True: there were so many that the error is not thrown again.
    static member IsTooDeep(error: exn) : bool =
        let identity = RuntimeHelpers.GetHashCode error

        if RethrowDepth.error <> identity then
            RethrowDepth.error <- identity
            RethrowDepth.levels <- 0

        RethrowDepth.levels <- RethrowDepth.levels + 1
        RethrowDepth.levels > 100
