// A small server of HTTP/2 for tests, which says frames as its script wants them: right ones, wrong ones, and half of them.
namespace Plait.Tests.Support

open System
open System.Collections.Generic
open System.Net.Sockets
open System.Threading

open Plait.Http2

/// One connection as the script of a test sees it.
type FramePeer(socket: Socket) =
    let output = FrameWriter()
    let resets = List<struct (int * int)>()
    let windows = Dictionary<int, int64>()
    let bodies = Dictionary<int, int64>()

    let receive (count: int) : byte[] option =
        let bytes = Array.zeroCreate<byte> count
        let mutable held = 0
        let mutable isGone = false

        while not isGone && held < count do
            let more = socket.Receive(bytes, held, count - held, SocketFlags.None)
            held <- held + more
            isGone <- more = 0

        if isGone then None else Some bytes

    /// Streams that the client broke off, with their errors.
    member _.Resets = resets
    /// What the client has sent of the bodies of its requests, by stream.
    member _.Bodies = bodies

    /// Sends what was put together.
    member _.Flush() : unit =
        let bytes = output.Pending.ToArray()
        output.Sent bytes.Length
        socket.Send bytes |> ignore

    /// Sends what was put together, byte by byte.
    member _.Dribble() : unit =
        let bytes = output.Pending.ToArray()
        output.Sent bytes.Length

        for one in bytes do
            socket.Send [| one |] |> ignore

    /// Sends the first bytes of what was put together, and forgets the rest.
    member _.Half(count: int) : unit =
        let bytes = output.Pending.ToArray()
        output.Sent bytes.Length
        socket.Send(bytes, 0, min count bytes.Length, SocketFlags.None) |> ignore

    /// What is to be said.
    member _.Out = output

    /// A frame of any kind.
    member _.Frame(kind: byte, flags: byte, stream: int, content: byte[]) : unit =
        let head =
            [|
                byte (content.Length >>> 16)
                byte (content.Length >>> 8)
                byte content.Length
                kind
                flags
                byte (stream >>> 24)
                byte (stream >>> 16)
                byte (stream >>> 8)
                byte stream
            |]

        output.Bytes(ReadOnlySpan head)
        output.Bytes(ReadOnlySpan content)

    /// The head of a response.
    member _.Head(stream: int, fields: (string * string) list, ends: bool) : unit =
        output.Headers(stream, Hpack.block fields, ends, FrameHead.defaultMaxLength) |> ignore

    /// A part of a body.
    member _.Data(stream: int, body: string, ends: bool) : unit =
        output.Data(stream, ReadOnlySpan(Text.Encoding.UTF8.GetBytes body), ends) |> ignore

    /// A whole response.
    member this.Right(stream: int) : unit =
        this.Head(stream, [ ":status", "200" ], false)
        this.Data(stream, LoadServer.body, true)

    /// The next frame; None: the client is gone.
    member _.Next() : struct (FrameHead * byte[]) option =
        receive FrameHead.size
        |> Option.bind (fun bytes ->
            let frame = FrameHead.read (ReadOnlySpan bytes)
            receive frame.Length |> Option.map (fun content -> struct (frame, content)))

    /// Greets, with these settings.
    member this.Greet(settings: (int * int) list) : unit =
        receive FrameHead.preface.Length |> ignore
        output.Settings settings
        this.Flush()

    /// Waits for a whole request, and returns its stream; None: the client is gone.
    member this.Request() : int option =
        let mutable found = None
        let mutable isGone = false

        while found.IsNone && not isGone do
            match this.Next() with
            | None -> isGone <- true
            | Some(struct (frame, content)) ->
                match frame.Type with
                | FrameType.Settings when not (frame.Has FrameFlag.ack) ->
                    output.Ack()
                    this.Flush()
                | FrameType.Headers when frame.Has FrameFlag.endStream -> found <- Some frame.Stream
                | FrameType.Data ->
                    let before =
                        match bodies.TryGetValue frame.Stream with
                        | true, count -> count
                        | _ -> 0L

                    bodies[frame.Stream] <- before + int64 content.Length

                    if frame.Has FrameFlag.endStream then
                        found <- Some frame.Stream
                | FrameType.Reset ->
                    resets.Add(
                        struct (frame.Stream, Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian content)
                    )
                | _ -> ()

        found

    /// Ends the connection with a reset instead of an end.
    member _.Break() =
        socket.LingerState <- LingerOption(true, 0)
        socket.Close()

/// What such a server counted.
type FrameServer(script: FrameServer -> FramePeer -> unit) as this =
    let mutable right = 0L
    let mutable wrong = 0L
    let mutable requests = 0L
    // Nobody connects before the URL is known, which is after this constructor.
    let server = new SocketServer(fun socket -> script this (FramePeer socket))

    member _.Url = server.Url + "/"
    member _.EndPoint = server.Address
    /// Right responses, wrong ones, requests that were read, connections.
    member _.Sent = Volatile.Read &right
    member _.Spoiled = Volatile.Read &wrong
    member _.Requests = Volatile.Read &requests
    member _.Connections = int64 server.Connections
    member _.CountRight() = Interlocked.Increment &right |> ignore
    member _.CountWrong() = Interlocked.Increment &wrong |> ignore
    /// The number of the next request over all connections, from 1.
    member _.Count() : int64 = Interlocked.Increment &requests

    /// Sends a right response, and counts it.
    member this.Right(peer: FramePeer, stream: int) : unit =
        this.CountRight()
        peer.Right stream
        peer.Flush()

    interface IDisposable with
        member _.Dispose() = server.Stop()

module FrameServer =
    /// One that answers rightly, but for every `every`th request of all, for which it does `spoil`.
    let sometimes (every: int64) (spoil: FramePeer -> int -> unit) : FrameServer =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream ->
                    if server.Count() % every = 0L then
                        server.CountWrong()
                        spoil peer stream
                        peer.Flush()
                    else
                        server.Right(peer, stream))

    /// Allows so many streams at a time, and answers one after the other, each after so many milliseconds.
    let withFewStreams (allowed: int) (milliseconds: int) : FrameServer =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.MaxConcurrentStreams, allowed ]
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream ->
                    System.Threading.Thread.Sleep milliseconds
                    server.Right(peer, stream))
