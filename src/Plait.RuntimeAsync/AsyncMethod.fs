// Layer: methods. The four intrinsics of F# 11 that make an async method of the surrounding one, and the one place
// that keeps F#'s optimiser from undoing that.
namespace Plait.RuntimeAsync.Kernel

#nowarn "42" // inline IL

open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

/// Makes an async method of the method around a builder's Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module AsyncMethod =

    // F# inlines a small function into its callers, and the async method becomes a closure there: 24 bytes and a virtual
    // call. Nested inline IL counts as code until the function is too large for that, and emits at most one `nop`, which the
    // JIT removes.
    //
    // F# 11 counts an expression with the intrinsic as code of size 1 when it first looks at it, inlines the function around the
    // builder's value for that, and gives all code in it the place of the builder's name, without a sequence point. The debug point
    // here is made there: a trace has the file and the line of the name.
    /// The value, in code that counts as large.
    let inline large ([<InlineIfLambda>] body: unit -> 'T) : 'T =
        (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (# "nop" (__debugPoint ""; body ()) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #) : 'T #)

    /// An async method that returns a Task<'T>.
    let inline task ([<InlineIfLambda>] body: unit -> 'T) : Task<'T> =
        StateMachineHelpers.__runtimeAsyncReturn (large body)

    /// An async method that returns a Task.
    let inline taskUnit ([<InlineIfLambda>] body: unit -> unit) : Task =
        StateMachineHelpers.__runtimeAsyncReturnUnit (large body)

    /// An async method that returns a ValueTask<'T>.
    let inline valueTask ([<InlineIfLambda>] body: unit -> 'T) : ValueTask<'T> =
        StateMachineHelpers.__runtimeAsyncReturnValueTask (large body)

    /// An async method that returns a ValueTask.
    let inline valueTaskUnit ([<InlineIfLambda>] body: unit -> unit) : ValueTask =
        StateMachineHelpers.__runtimeAsyncReturnValueTaskUnit (large body)

    /// The code, after the method has left the caller's context.
    let inline offContext ([<InlineIfLambda>] body: unit -> 'T) : 'T =
        if ThreadPoolHop.IsNeeded then
            AsyncHelpers.UnsafeAwaitAwaiter(ThreadPoolHop())

        body ()

    /// The code, after the method has left a stack that is nearly used up.
    let inline guarded ([<InlineIfLambda>] body: unit -> 'T) : 'T =
        if not (RuntimeHelpers.TryEnsureSufficientExecutionStack()) then
            AsyncHelpers.UnsafeAwaitAwaiter(NewStack())

        body ()
