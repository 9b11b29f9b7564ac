// Layer: sources. Asks a source whether it has completed, without an exception: a pooled operation whose handle is
// stale throws there. Owns the rule that such an operation counts as completed, so that the error is the result of
// that operation alone and the others are still awaited.
namespace Plait.Kernel

/// The questions to a source before its result is taken. Never throws.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal SafeSource<'S, 'a when 'S :> ISource<'a>> =

    static member IsCompleted(source: 'S) : bool =
        try
            source.IsCompleted
        with _ ->
            true // GetResult throws the same exception again

    static member Register(source: 'S, frame: Frame) =
        try
            source.Register frame
        with _ ->
            frame.Resume()
