// The engine's view of slots, which carry one request at a time, and of the connections that they belong to. For the
// one thread of the engine.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Net

/// Where requests go.
type internal Destination =
    {
        EndPoint: EndPoint
        /// The name that a certificate must be for.
        Host: string
        IsTls: bool
    }

/// A request, ready to be sent.
type internal PreparedRequest =
    {
        /// HTTP/1.1: head and body. HTTP/2: the block of header fields.
        Bytes: byte[]
        /// HTTP/2: the body.
        Body: byte[]
        IsHead: bool
        /// It may be sent again when it is unknown whether the server received it.
        IsIdempotent: bool
        /// Bytes of its body.
        BodyLength: int
        /// Its connection is closed after its response.
        Closes: bool
        /// Which request of the plan it is.
        Index: int
        /// The request from which it was made; a redirection begins with it.
        Request: HttpRequest
    }

/// A slot carries one request at a time: it is a connection of HTTP/1.1, or a stream of an HTTP/2 connection. `destination`: the index
/// of its destination in the pool; `connection`: the number of its connection.
[<AbstractClass>]
type internal RequestSlot(destination: int, connection: int) =
    member _.Destination = destination
    member _.Connection = connection

    /// Takes up a request. True: it is over already.
    abstract Begin: prepared: PreparedRequest -> bool
    /// Gives up: the request that it carries has this result.
    abstract GiveUp: result: RequestResult * sentence: string -> unit
    /// Nothing is being carried.
    abstract IsFree: bool
    /// It carries a request of which nothing was sent: its connection is not open yet, or has no stream for it.
    abstract IsUnsent: bool
    /// Why its connection cannot carry a request yet, as a part of a sentence; null: it can.
    abstract Obstacle: string | null
    /// Bytes of the request that the server has not taken: it does not read, or its window (HTTP/2) is used up.
    abstract BytesLeft: int
    /// Takes back a request of which nothing was sent: nothing is carried then.
    abstract Withdraw: unit -> unit
    /// It carries a request, and the server has not sent a byte over its connection, which may not be open yet.
    abstract AwaitsFirstByte: bool
    /// The result of the last request.
    abstract Result: RequestResult
    /// The complaint about it, or null.
    abstract Complaint: string | null
    /// The status of its response; 0: there was none.
    abstract Status: int
    /// The Date of its response, in seconds since 1970; 0: it had none.
    abstract Date: int64
    /// Interim responses (1xx) have come, and nothing of the response itself.
    abstract IsInterim: bool
    /// Its response has no length: it ends with the connection.
    abstract EndsWithConnection: bool
    /// Its response had the expected body.
    abstract IsExpected: bool
    /// The bytes of the body of its response.
    abstract BodyLength: int64
    /// Where its response redirects to, or null.
    abstract Location: string | null
    /// The number of times that it was sent again: its connection was found closed, or the server had not processed it.
    abstract Retries: int
    /// Bytes of it that went out.
    abstract BytesOut: int
    /// Bytes that came since it began.
    abstract BytesIn: int64
    /// Bytes that came since it was sent last.
    abstract BytesInSinceSent: int64

    // The engine's notes of the request that is carried.

    /// When it was due.
    member val Intended = 0L with get, set
    /// When it was sent.
    member val Sent = 0L with get, set
    /// It waited because all allowed connections were in use.
    member val HasWaited = false with get, set
    /// It waited until an idle connection to its server was closed.
    member val WaitedForClose = false with get, set
    /// Redirections that were followed for it, and the bytes and retries of the requests before them.
    member val Redirections = 0 with get, set
    member val EarlierOut = 0 with get, set
    member val EarlierIn = 0L with get, set
    member val EarlierRetries = 0 with get, set
    /// The request itself.
    member val Prepared: PreparedRequest | null = null with get, set
    /// When it was parked: no request uses it for a moment.
    member val ParkedAt = 0L with get, set
    /// When its server sent GOAWAY with an error, by the clock of this machine; the server must close the connection then.
    member val EndedByServerAt = Int64.MaxValue with get, set
    /// Since when it waits while the server answers others or their connections are idle; and how long it waits before an idle
    /// connection is closed for it.
    member val PassedSince = Int64.MinValue with get, set
    member val Patience = 0L with get, set

/// A connection, opened when a request needs it. Its poller's events bear its number in their upper half.
type internal IConnection =
    inherit IDisposable
    /// Its slots. To be read once.
    abstract Slots: RequestSlot[]
    /// The number of slots that may carry a request at a time.
    abstract MaxRequests: int
    /// Opens it ahead of the first request.
    abstract Open: unit -> unit
    /// Requests can be sent over it.
    abstract IsOpen: bool
    /// At some time they could.
    abstract WasOpen: bool
    /// It is being opened.
    abstract IsOpening: bool
    /// A response has come over the socket that is open.
    abstract HasAnswered: bool
    /// Closes it where nothing is carried. The next request opens it again.
    abstract Close: unit -> unit
    /// Why it could not be opened, or null.
    abstract Complaint: string | null
    /// An event of its socket. Slots whose request is over by it are added to `over`.
    abstract Handle: token: int64 * readable: bool * writable: bool * over: List<RequestSlot> -> unit
    /// Sends the bytes of its slots, if it puts them together first. Slots whose request is over by it are added to
    /// `over`.
    abstract Flush: over: List<RequestSlot> -> unit

/// The tokens of events.
module internal Token =
    /// `generation`: the number of the socket, among those that the connection had one after the other.
    let make (id: int) (generation: int) : int64 =
        (int64 id <<< 32) ||| int64 (uint32 generation)

    /// The connection of an event.
    let id (token: int64) : int = int (token >>> 32)

    /// The event is of this socket of it.
    let isOf (generation: int) (token: int64) : bool = int32 token = generation
