// Pages of a service, and lines of a file, as streams: the code of docs/how-to/streams.md. A test runs it.
namespace Plait.Samples

open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait

/// A page of items, and the number of the next one.
type Page = { Items: string list; Next: int option }

module Pages =

    /// All items, page by page. A page is loaded when the consumer asks for its first item.
    let rec items (load: int -> CancellationToken -> Task<Page>) (number: int) : IAsyncEnumerable<string> =
        stream {
            let! token = Stream.cancellationToken
            let! page = load number token
            yield! page.Items

            match page.Next with
            | Some next -> yield! items load next
            | None -> ()
        }

    /// The lines of a text, which is closed when the consumer has read them all, or stops.
    let lines (connect: unit -> Task<TextReader>) : IAsyncEnumerable<string> =
        stream {
            let! token = Stream.cancellationToken
            use! reader = connect ()
            let mutable goes = true

            while goes do
                match! reader.ReadLineAsync token with
                | null -> goes <- false
                | line -> yield line
        }
