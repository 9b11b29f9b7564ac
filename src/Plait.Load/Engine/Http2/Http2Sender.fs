// The sending half of a socket of HTTP/2: frames are put together until the socket is flushed, so that requests that
// begin at the same moment share one call of the system, and bodies are sent as far as the windows of the other side
// allow. For the one thread of the engine.
namespace Plait.Load

open System
open System.Collections.Generic

open Plait.Http2

/// Sends the frames of one socket. `unflushed` is called when there is something to flush.
[<Sealed>]
type internal Http2Sender(socket: NonBlockingSocket, unflushed: unit -> unit) =
    static let mostWindow = int64 Int32.MaxValue
    // Parts of bodies are added to the output only while fewer bytes wait in it.
    static let mostPending = 128 * 1024
    static let mostPart = 64 * 1024
    let output = FrameWriter()
    // Requests whose bodies are not completely sent.
    let sending = List<Http2Stream>()
    let mutable isUnflushed = false
    let mutable streamWindow = int64 FrameHead.defaultWindow
    let mutable window = int64 FrameHead.defaultWindow

    /// The error of a window update by `more` that makes a window of `size`, or NO_ERROR.
    let errorOf (more: int) (size: int64) : int =
        if more = 0 then Http2Error.protocol
        elif size > mostWindow then Http2Error.flowControl
        else Http2Error.noError

    /// Adds parts of bodies to the output, each request's in turn, as far as the windows allow.
    let putBodies (maxFrame: int) =
        let mutable isBlocked = false

        while sending.Count > 0 && not isBlocked && output.Pending.Length < mostPending do
            isBlocked <- true
            let mutable index = 0

            while index < sending.Count do
                let stream = sending[index]

                match stream.Request with
                | null -> sending.RemoveAt index
                | prepared ->
                    let left = prepared.Body.Length - stream.BodySent

                    let count =
                        int (min (int64 (min left (min maxFrame mostPart))) (min window stream.Window))

                    if count > 0 then
                        isBlocked <- false
                        let part = ReadOnlySpan(prepared.Body, stream.BodySent, count)
                        stream.Out <- stream.Out + output.Data(stream.Id, part, (count = left))
                        stream.BodySent <- stream.BodySent + count
                        stream.Window <- stream.Window - int64 count
                        window <- window - int64 count

                    if count = left then sending.RemoveAt index else index <- index + 1

    /// The frames that are to be sent.
    member _.Output = output

    /// The most bytes of a frame that the other side takes.
    member val MaxFrame = FrameHead.defaultMaxLength with get, set

    /// The bytes of bodies that may be sent before the other side allows more.
    member _.Window = window

    /// There is something to flush.
    member _.IsUnflushed = isUnflushed

    /// Frames were written.
    member _.Unflushed() : unit =
        if not isUnflushed then
            isUnflushed <- true
            unflushed ()

    /// Sends the head of a request, and takes up its body.
    member this.Start(stream: Http2Stream, prepared: PreparedRequest) : unit =
        stream.Window <- streamWindow
        stream.From <- output.Total
        stream.EarlierConnectionsOut <- stream.Out

        stream.Out <-
            stream.Out
            + output.Headers(stream.Id, prepared.Bytes, prepared.Body.Length = 0, this.MaxFrame)

        if prepared.Body.Length > 0 then
            sending.Add stream

        this.Unflushed()

    /// No more of the request is sent.
    member _.Release(stream: Http2Stream) : unit =
        if not stream.IsSent then
            sending.Remove stream |> ignore

    /// Breaks a stream off.
    member this.Reset(stream: Http2Stream, code: int) : unit =
        output.Reset(stream.Id, code)
        this.Unflushed()

    /// No byte of the request has left this side.
    member _.IsNeverSent(stream: Http2Stream) : bool =
        output.Taken <= stream.From && not socket.TookPart

    /// The other side allows so much more for all streams. Returns an error, or NO_ERROR.
    member this.Enlarge(more: int) : int =
        window <- window + int64 more
        errorOf more window

    /// The other side allows so much more for one stream. Returns an error, or NO_ERROR.
    member _.Enlarge(stream: Http2Stream, more: int) : int =
        stream.Window <- stream.Window + int64 more
        errorOf more stream.Window

    /// The other side changes the window of every stream. False: one is too large then.
    member _.ResizeStreams(size: int, streams: Dictionary<int, Http2Stream>.ValueCollection) : bool =
        let change = int64 size - streamWindow
        streamWindow <- int64 size
        let mutable isRight = true

        for stream in streams do
            stream.Window <- stream.Window + change
            isRight <- isRight && stream.Window <= mostWindow

        isRight

    /// A window has changed: bodies may go on.
    member this.GoOn() : unit =
        if sending.Count > 0 then
            this.Unflushed()

    /// Gives the socket all that it takes. False: it is broken.
    member this.Flush() : bool =
        isUnflushed <- false
        let mutable isWhole = true
        let mutable goesOn = socket.State = SocketState.Open

        while goesOn do
            putBodies this.MaxFrame
            let pending = output.Pending
            let count = socket.Send pending

            if count < 0 then
                goesOn <- false
                isWhole <- false
            else
                output.Sent count
                goesOn <- count > 0 && not socket.IsFull && sending.Count > 0

        isWhole

    /// Gives the socket as many bytes as it takes at once, before it is closed.
    member _.SendLast() : unit =
        output.Sent(max 0 (socket.Send output.Pending))

    /// Every request is over.
    member _.Clear() : unit = sending.Clear()
