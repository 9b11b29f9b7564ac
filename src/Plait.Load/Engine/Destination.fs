// What lanes are made of: where requests go, what is sent, and the socket that carries it. Nothing here is on the path of a
// request but the two types.
namespace Plait.Load

open Plait.Report

open System.Net
open System.Net.Sockets


/// Where requests go.
type internal Destination =
    {
        EndPoint: IPEndPoint
        /// The name that a certificate must be for.
        Host: string
        IsTls: bool
        Insecure: bool
    }

/// A request, ready to be sent.
type internal Prepared = { Bytes: byte[]; IsHead: bool }

/// Sockets that never wait.
module internal LaneSocket =
    /// A socket for a destination, not connected. Raises RunFailed when this machine gives none.
    let make (destination: Destination) : Socket =
        try
            new Socket(
                destination.EndPoint.AddressFamily,
                SocketType.Stream,
                ProtocolType.Tcp,
                NoDelay = true,
                Blocking = false
            )
        with :? SocketException as trouble ->
            raise (
                RunFailed
                    $"the generator cannot open a connection more: {trouble.Message}; each takes a file of this machine: ask for fewer --connections, or raise the limit (ulimit -n)"
            )

    /// Begins to connect. Success, WouldBlock and InProgress: its poller will tell.
    let connect (socket: Socket) (destination: Destination) : SocketError =
        try
            socket.Connect destination.EndPoint
            SocketError.Success
        with :? SocketException as trouble ->
            trouble.SocketErrorCode

    /// What became of connecting.
    let errorOf (socket: Socket) : SocketError =
        nonNull (socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error))
        |> unbox<int>
        |> enum<SocketError>
