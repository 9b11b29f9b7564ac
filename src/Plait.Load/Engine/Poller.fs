// Waiting for many sockets with one thread: what every way of doing it can. Knows sockets and numbers, nothing of requests.
namespace Plait.Load


open System
open System.Net.Sockets

/// Tells which of many sockets can be read or written. For one thread.
[<AbstractClass>]
type internal Poller() =
    /// Watches a socket: for reading always, for writing if `write`. `token` comes back with its events.
    abstract Add: socket: Socket * token: int64 * write: bool -> unit
    /// Changes whether a watched socket is watched for writing.
    abstract Change: socket: Socket * token: int64 * write: bool -> unit
    /// No longer watches a socket. To be called before it is disposed of.
    abstract Remove: socket: Socket -> unit
    /// Waits at most so many nanoseconds for events, and returns how many there are; 0 only looks.
    abstract Wait: nanoseconds: int64 -> int
    /// The token of an event of the last wait.
    abstract Token: index: int -> int64
    /// The socket of an event can be read, or is broken.
    abstract Readable: index: int -> bool
    /// The socket of an event can be written, or is broken.
    abstract Writable: index: int -> bool
    abstract Dispose: unit -> unit
    default _.Dispose() = ()

    interface IDisposable with
        member this.Dispose() = this.Dispose()
