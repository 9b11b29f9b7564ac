// Layer: frames. Runs code in an execution context and restores the thread's contexts afterwards.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading

[<AbstractClass; Sealed; StackTraceHidden>]
type internal ContextScope =

    /// Puts an execution context on the thread, if it is not there already; null leaves the thread as it is.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Enter(context: ExecutionContext) =
        if not (isNull context) && not (obj.ReferenceEquals(ExecutionContext.Capture(), context)) then
            ExecutionContext.Restore context

    /// Runs a step and then restores both contexts of the thread, with one look at the thread. The BCL's own builders
    /// do this at the start of a method; here it is done for every resumption too.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Run<'Step when 'Step :> IAsyncStateMachine>(step: byref<'Step>) =
        let mutable builder = AsyncTaskMethodBuilder.Create()
        builder.Start &step
