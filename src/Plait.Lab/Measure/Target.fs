// What the closed loop asks, and what a right response looks like.
namespace Plait.Lab.Measure

open System.Net
open System.Text

/// What is asked, and what a right response looks like.
type Target =
    {
        /// Where the server listens.
        Address: IPEndPoint
        /// Path and query of the request.
        Path: string
        /// The exact length of a right response's body.
        BodyLength: int64
        /// How long a response may take before the request counts as timed out.
        TimeoutMilliseconds: int
    }

    /// The bytes of one request.
    member this.Request =
        Encoding.ASCII.GetBytes
            $"GET {this.Path} HTTP/1.1\r\nHost: {this.Address}\r\nAccept: application/json\r\n\r\n"
