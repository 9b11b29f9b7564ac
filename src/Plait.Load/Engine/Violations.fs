// Protocol errors of servers between requests: no result of a request counts them, so that the run notes them. For the one thread of
// the engine.
namespace Plait.Load

/// The protocol errors of servers over connections that carried no request.
[<Sealed>]
type internal Violations() =
    let mutable count = 0L
    let mutable first: string option = None

    /// The number of connections that ended by one.
    member _.Count = count
    /// The first error, as a sentence.
    member _.First = first

    /// A connection without a request ends by this error.
    member _.Note(sentence: string) : unit =
        count <- count + 1L

        if first.IsNone then
            // A server has its words in it.
            first <- Some(Plait.Common.Printable.line sentence)

    /// Those of the run before do not count.
    member _.Clear() : unit =
        count <- 0L
        first <- None
