// Layer: strand. Whether the stack is nearly used up, cheap enough for a check at every call: it compares an address with a mark
// of the thread. Owns the invariant that 128 KB were left below a mark when it was set; the thread may use half of these before
// the next call of the runtime.
namespace Plait.Kernel

#nowarn "9" // the address of a local is compared, never followed
#nowarn "51"

open System
open System.Runtime.CompilerServices
open Microsoft.FSharp.NativeInterop

/// The stack of the calling thread. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type StackGuard =

    /// The complement of the lowest address that needs no look: on a new thread, none.
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private known: unativeint

    /// False: the runtime guarantees 128 KB (on 64 bits) below the address, and the mark spares the next calls this check.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private Look(here: unativeint) : bool =
        if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
            let reach = if IntPtr.Size = 8 then 65536un else 32768un
            StackGuard.known <- ~~~(here - reach)
            false
        else
            true

    /// Whether a deeper call should run on another stack.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member IsLow() : bool =
        let mutable mark = 0uy
        let here = unativeint (NativePtr.toNativeInt &&mark)
        here < ~~~StackGuard.known && StackGuard.Look here
