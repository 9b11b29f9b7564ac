// Layer: strand. An error on its way up through strands that await each other. Owns the rule that a failure at any depth
// costs time in proportion to the depth.
//
// A level that has not suspended throws the error again, so that its stack trace names the level, as in C#. But each throw
// copies the trace, so that n levels would take n * n. Behind a hundred levels the error therefore goes up as it is,
// without a throw: the instance, and the trace up to there, stay.
namespace Plait.Kernel

open System
open FSharp.Core // its DefaultValue
open System.Runtime.CompilerServices

[<AbstractClass; Sealed>]
type internal Passage =

    /// The error that the thread has last seen, by its hash: the error itself would be kept alive.
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private error: int

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private levels: int

    /// Counts one more level, and says whether that is one too many for a throw.
    static member IsLong(error: exn) : bool =
        let identity = RuntimeHelpers.GetHashCode error

        if Passage.error <> identity then
            Passage.error <- identity
            Passage.levels <- 0

        Passage.levels <- Passage.levels + 1
        Passage.levels > 100
