// A job that runs again and again and can be cancelled, as cold and cancellable functions: the code of docs/how-to/cancellable.md. A test
// runs it.
namespace Plait.Samples

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait

type SourcePage = { Lines: string list; After: int voption }

/// Copies the lines of a source that gives them in pages.
type Copying(read: int -> CancellationToken -> Task<SourcePage>, target: unit -> TextWriter) =

    // each read gets the token of the start
    let copy (writer: TextWriter) =
        cancellableValueTask {
            let mutable copied = 0
            let mutable next = ValueSome 0

            while next.IsSome do
                let! page = read next.Value

                for line in page.Lines do
                    do! writer.WriteLineAsync line
                    copied <- copied + 1

                next <- page.After

            return copied
        }

    /// The number of lines. Nothing runs before the function is called with a token. Each call copies all lines, and disposes its target,
    /// also if it is cancelled or fails.
    member _.All: CancellableTask<int> =
        cancellableTask {
            use writer = target ()
            return! copy writer
        }

    /// The same for a scheduler that passes no token: each start is cancelled after the limit.
    member copying.Within(limit: TimeSpan) : ColdTask<int> =
        coldTask {
            use source = new CancellationTokenSource(limit)
            return! copying.All source.Token
        }
