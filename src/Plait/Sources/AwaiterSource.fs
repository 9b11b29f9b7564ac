// Layer: sources. Any awaiter as a source, without boxing it.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

/// How to use one type of awaiter. Made at the first bind of that type and kept, once per type.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AwaiterOps<'Awaiter, 'Result>() =
    [<DefaultValue(false)>]
    static val mutable private known: AwaiterOps<'Awaiter, 'Result>

    /// The operations of this type, null before the first bind.
    static member Known
        with get () = AwaiterOps<'Awaiter, 'Result>.known
        and set (ops: AwaiterOps<'Awaiter, 'Result>) = AwaiterOps<'Awaiter, 'Result>.known <- ops

    abstract IsCompleted: awaiter: byref<'Awaiter> -> bool

    /// By reference, because F# will not implement a method that returns 'Result at the type unit (FS0017).
    abstract GetResult: awaiter: byref<'Awaiter> * result: byref<'Result> -> unit

    abstract OnCompleted: awaiter: byref<'Awaiter> * continuation: Action -> unit

/// An awaiter and, by its type, how to use it.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AwaiterSource<'Awaiter, 'Result>(awaiter: 'Awaiter) =
    interface ISource<'Result> with
        member _.IsCompleted =
            let mutable awaiter = awaiter
            AwaiterOps<'Awaiter, 'Result>.Known.IsCompleted &awaiter

        member _.GetResult() =
            let mutable awaiter = awaiter
            let mutable result = Unchecked.defaultof<'Result>
            AwaiterOps<'Awaiter, 'Result>.Known.GetResult(&awaiter, &result)
            result

        // Task.Yield() found by its shape (the JIT decides it; `=` would at run time): without a context to go back
        // to, the frame itself is the work item, so that nothing is allocated
        member _.Register frame =
            if
                obj.ReferenceEquals(typeof<'Awaiter>, typeof<YieldAwaitable.YieldAwaiter>)
                && isNull (SchedulingContext.Current())
            then
                ThreadPool.UnsafeQueueUserWorkItem(frame, false) |> ignore
            else
                let mutable awaiter = awaiter
                AwaiterOps<'Awaiter, 'Result>.Known.OnCompleted(&awaiter, frame.Action)

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
