// A job that runs again and again and can be cancelled, as cold and cancellable functions: the code of docs/how-to/cancellable.md. A test
// runs it.
namespace Plait.Samples

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait

type Page = { Items: string list; Next: int voption }

/// Copies the items of a source that gives them in pages.
type Copying(read: int -> CancellationToken -> Task<Page>, target: unit -> TextWriter) =

    // each read gets the token of the start
    let copy (writer: TextWriter) =
        cancellableValueTask {
            let mutable copied = 0
            let mutable next = ValueSome 0

            while next.IsSome do
                let! page = read next.Value

                for item in page.Items do
                    do! writer.WriteLineAsync item
                    copied <- copied + 1

                next <- page.Next

            return copied
        }

    /// The number of items. Nothing runs before the function is called with a token. Each call copies all items, and disposes its target,
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
