// Layer: combinators. Sources that may be misused: a pooled operation whose handle is stale throws when it is asked whether
// it has ended. Owns the rule that such an operation counts as ended, so that only its own result is an error and its
// neighbours are still awaited.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// A source that throws nothing before its result is taken.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Sure<'S, 'a when 'S :> ISource<'a>>(source: 'S) =

    static member HasEnded(source: 'S) : bool =
        try
            source.IsCompleted
        with _ ->
            true // what it threw it throws again when its result is taken

    static member Register(source: 'S, frame: Frame) =
        try
            source.Register frame
        with _ ->
            frame.Resume()

    interface ISource<'a> with
        member _.IsCompleted = Sure<'S, 'a>.HasEnded source
        member _.GetResult() = source.GetResult()
        member _.Register frame = Sure<'S, 'a>.Register(source, frame)
        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
