// Layer: strand. The members of the strand builders that rank below all others in overload resolution.
namespace Plait.Kernel

open System
open Plait

/// Members reached only where the intrinsic ones do not fit: two intrinsic Binds would be ambiguous (FS0041), and a
/// type with both dispose interfaces must take the asynchronous, intrinsic one.
[<AutoOpen>]
module StrandFallbacks =
    type StrandMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `let!` of any other source.
        member inline _.Bind(source: 'S, rest: 'a -> Strand<'T>) : Strand<'T> when 'S :> ISource<'a> =
            if source.IsCompleted then
                rest (source.GetResult())
            else
                SuspendedPath.Bind<'S, 'a, 'T>(
                    source,
                    { new SourceContinuation<'S, 'a, 'T>() with
                        member _.Invoke source = rest (source.GetResult())
                    }
                )

        /// `return!` of any other source.
        member inline this.ReturnFrom(source: 'S) : Strand<'T> when 'S :> ISource<'T> =
            this.Bind(source, (fun value -> Strand<'T>.Of value))

        /// `use` of something that is disposed synchronously.
        member inline this.Using
            (resource: 'r, body: 'r -> Strand<'T>)
            : Strand<'T> when 'r :> IDisposable | null =
            this.TryFinally(
                (fun () -> body resource),
                (fun () ->
                    if not (isNull (box resource)) then
                        resource.Dispose())
            )

        /// Refuses `for` over a value that is no sequence, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member _.For(_source: 'S, _body: 'a -> Strand<unit>) : Strand<unit> when 'S :> ISource<'a> =
            raise (NotSupportedException())
