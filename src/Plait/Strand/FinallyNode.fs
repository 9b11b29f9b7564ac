// Layer: strand. try/finally, `use` and asynchronous dispose, where the body or the end suspended.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading

/// Runs the end after a body that suspended, or waits for an end that suspended. The error of the end wins, as in C#.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type FinallyNode<'T>() =
    inherit Node<'T>()

    let mutable bodyError: exn = null
    let mutable value = Unchecked.defaultof<'T>
    let mutable ending = false

    [<DefaultValue(false)>]
    val mutable private pending: ConfiguredValueTaskAwaitable

    /// The end.
    abstract End: unit -> ConfiguredValueTaskAwaitable

    member private node.Settle(endError: exn) =
        if not (isNull endError) then node.Finish endError
        elif not (isNull bodyError) then node.Finish bodyError
        else node.Complete value

    member private node.TakeEnd() : exn =
        try
            // plait: ignore PLT103 it is only called when the end is complete
            node.pending.GetAwaiter().GetResult()
            null
        with error ->
            error

    member private node.RunEnd() =
        let mutable error: exn = null

        try
            node.pending <- node.End()
            ending <- true
        with caught ->
            error <- caught

        if not (isNull error) then
            node.Settle error
        elif node.pending.GetAwaiter().IsCompleted then
            node.Settle(node.TakeEnd())
        else
            node.Suspends()
            node.context <- ExecutionContext.Capture()
            node.pending.GetAwaiter().UnsafeOnCompleted node.Action

    /// The body has ended, with an error or a value.
    member internal node.Begin(error: exn, bodyValue: 'T) =
        bodyError <- error
        value <- bodyValue
        node.RunEnd()

    override node.Step() =
        if ending then
            node.Settle(node.TakeEnd())
        else
            let body = node.TakeChild<'T>()

            if body.IsDone then
                node.Begin(body.TakeError(), body.result)
            else
                let misuse =
                    try
                        body.Get() |> ignore
                        null
                    with error ->
                        error

                node.Begin(misuse, Unchecked.defaultof<'T>)
