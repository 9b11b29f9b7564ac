// The part of a pool that all of its connections use, whatever their protocol. For the one thread of the engine.
namespace Plait.Load

/// The context of the connections of a pool.
type internal ConnectionContext =
    {
        Options: ConnectionOptions
        Tls: TlsClient
        Poller: Poller
        /// The body that is right; null: any.
        ExpectedBody: byte[] | null
        /// A response with the status 408 is right.
        Expects408: bool
        /// Gets the time of each connect, TLS included.
        Connects: Histogram
        /// Gets the server's protocol errors between requests.
        Violations: Violations
    }
