// Layer: blocking. The errors of pools for blocking calls, with their messages.
namespace Plait

open System
open System.Runtime.CompilerServices

/// A pool for blocking calls has as many calls in its queue as it may have, and refused one more. The call was not made.
[<Sealed>]
type BlockingPoolFullException internal (message: string) =
    inherit InvalidOperationException(message)

namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open Plait

[<AbstractClass; Sealed>]
type internal BlockingErrors =

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Full(name: string, threads: int, limit: int) : exn =
        BlockingPoolFullException(
            String.Concat(
                $"The blocking pool '{name}' is full: all of its ",
                $"{threads.ToString()} threads are in a call, and ",
                $"{limit.ToString()} calls wait in its queue, which is its QueueLimit. This call was not made. ",
                "Usual cause: calls come faster than the other side answers. Send fewer at a time, refuse work at the \
                 entrance of the service, or raise MaxThreads if the other side can take more. See \
                 docs/errors/blocking-pool-full.md in the Plait package."
            )
        )

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Disposed(name: string) : exn =
        ObjectDisposedException(
            name,
            $"The blocking pool '{name}' was disposed and takes no more calls. This call was not made; earlier calls run to \
              their end. Dispose a pool after its last call."
        )

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member NoClient() : exn =
        InvalidOperationException(
            "This BlockingClient is a default value: it has neither a client nor a pool, so the call was not made. Make it \
              with Blocking.adapt or Blocking.adaptOn, in C# with Blocking.Adapt."
        )

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member AtLeast(setting: string, least: int, value: int) : exn =
        ArgumentOutOfRangeException(
            setting,
            $"{setting} of a blocking pool must be at least "
            + $"{least.ToString()}, and is {value.ToString()}."
        )
