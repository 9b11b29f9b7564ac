// The data of requests that differ: rows of a file, whose names stand in braces in a request.
namespace Plait.Load

/// Which row is next.
type DataOrder =
    /// One after the other, and from the first again.
    | InOrder
    /// Any of them.
    | AtRandom
    /// One after the other; the run ends when there is none left.
    | Once

/// Rows for requests.
type Data =
    {
        /// CSV whose first line has the names, or JSON lines (.jsonl).
        File: string
        Order: DataOrder
    }
