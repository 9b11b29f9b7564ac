// Layer: sources. Sources beside others, of which some may be misused: a pooled operation whose handle is stale throws when
// it is asked whether it has ended. Owns the rule that such an operation counts as ended, so that only its own result is an
// error and its neighbours are still awaited.
namespace Plait.Kernel

/// What may be asked of any source without an exception before its result is taken.
[<AbstractClass; Sealed>]
type internal Sure<'S, 'a when 'S :> ISource<'a>> =

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
