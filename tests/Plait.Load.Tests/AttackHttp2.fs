// The load engine over HTTP/2 against servers that say frames as they are told to: every response is counted, every failure
// under its own name, and what is the server's right - few streams, small windows, an end - costs no request.
module Plait.Load.Tests.AttackHttp2

open System
open System.Collections.Generic
open System.Text
open System.Threading
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private ok = [ ":status", "200" ]

/// A way to answer rightly, and its name.
let private rightOnes: (string * (FramePeer -> int -> unit)) list =
    [
        "a head and a body", (fun peer stream -> peer.Right stream)
        "a body in pieces",
        (fun peer stream ->
            peer.Head(stream, ok, false)

            for letter in body do
                peer.Data(stream, string letter, false)

            peer.Data(stream, "", true))
        "a head in pieces",
        (fun peer stream ->
            let block = Hpack.block [ ":status", "200"; "x", String('y', 40) ]
            let last = block.Length - 1
            peer.Frame(FrameType.Headers, 0uy, stream, block[..0])

            for at in 1..last do
                let flags = if at = last then FrameFlag.endHeaders else 0uy
                peer.Frame(FrameType.Continuation, flags, stream, block[at..at])

            peer.Data(stream, body, true))
        "a long head",
        (fun peer stream ->
            peer.Head(stream, [ ":status", "200"; "x", String('y', 100_000) ], false)
            peer.Data(stream, body, true))
        "padding and priority",
        (fun peer stream ->
            let block = Hpack.block ok

            peer.Frame(
                FrameType.Headers,
                FrameFlag.padded ||| FrameFlag.priority ||| FrameFlag.endHeaders,
                stream,
                Array.concat [ [| 3uy; 0uy; 0uy; 0uy; 0uy; 16uy |]; block; [| 0uy; 0uy; 0uy |] ]
            )

            let text = Encoding.UTF8.GetBytes body

            peer.Frame(
                FrameType.Data,
                FrameFlag.padded ||| FrameFlag.endStream,
                stream,
                Array.concat [ [| 200uy |]; text; Array.zeroCreate 200 ]
            ))
        "interim responses",
        (fun peer stream ->
            peer.Head(stream, [ ":status", "100" ], false)
            peer.Head(stream, [ ":status", "103"; "link", "x" ], false)
            peer.Right stream)
        "trailers",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Data(stream, body, false)
            peer.Head(stream, [ "grpc-status", "0" ], true))
        "a length",
        (fun peer stream ->
            peer.Head(stream, ok @ [ "content-length", string body.Length ], false)
            peer.Data(stream, body, true))
        "the same length more than once",
        (fun peer stream ->
            let length = string body.Length

            peer.Head(
                stream,
                ok @ [ "content-length", length; "content-length", $"{length}, {length}" ],
                false
            )

            peer.Data(stream, body, true))
        "a date before 1970",
        (fun peer stream ->
            peer.Head(stream, ok @ [ "date", "Wed, 31 Dec 1969 23:59:58 GMT" ], false)
            peer.Data(stream, body, true))
        "pings, priorities and frames of no known kind",
        (fun peer stream ->
            peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)
            peer.Frame(2uy, 0uy, stream, Array.zeroCreate 5)
            peer.Frame(99uy, 255uy, stream, Array.zeroCreate 77)
            peer.Right stream)
        "bytes that come one by one",
        (fun peer stream ->
            peer.Right stream
            peer.Dribble())
        "windows, which nobody needs",
        (fun peer stream ->
            peer.Out.WindowUpdate(0, 1000)
            peer.Out.WindowUpdate(stream, 1000)
            peer.Right stream)
        "a reset behind the response",
        (fun peer stream ->
            peer.Right stream
            peer.Out.Reset(stream, Http2Error.noError))
        "a window and a reset behind the response before",
        (fun peer stream ->
            if stream > 2 then
                peer.Out.WindowUpdate(stream - 2, 1000)
                peer.Out.Reset(stream - 2, Http2Error.cancel)

            peer.Right stream)
        "a status that is written in letters",
        (fun peer stream ->
            // A literal with a name of its own, to be remembered by who has a table.
            let block =
                Array.concat [ [| 64uy; 7uy |]; Encoding.ASCII.GetBytes ":status"; [| 3uy |]; "200"B ]

            peer.Frame(FrameType.Headers, FrameFlag.endHeaders, stream, block)
            peer.Data(stream, body, true))
    ]

let rightNames = TheoryData<string>([ for name, _ in rightOnes -> name ])

[<Theory; MemberData(nameof rightNames)>]
let ``an unusual response that the protocol allows is right`` (name: string) =
    let _, answer = rightOnes |> List.find (fun (other, _) -> other = name)
    use server = FrameServer.sometimes 2L answer
    let outcome = briefly server.Url 2 |> over 3 |> attack
    Assert.Equal(server.Sent + server.Spoiled, outcome.Right)
    Assert.Equal(outcome.Right, outcome.Requests)
    Assert.True(server.Spoiled > 0L)
    Assert.Equal(2L, server.Connections)

/// A way to answer wrongly that is one request's alone, its result and words of the complaint.
let private wrongOnes: (string * (FramePeer -> int -> unit) * RequestResult * string) list =
    [
        "a reset", (fun peer stream -> peer.Out.Reset(stream, 2)), RequestResult.StreamReset, "INTERNAL_ERROR"
        "a reset without an error",
        (fun peer stream -> peer.Out.Reset(stream, 0)),
        RequestResult.StreamReset,
        "NO_ERROR"
        "a reset in the body",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Data(stream, "[", false)
            peer.Out.Reset(stream, 8)),
        RequestResult.StreamReset,
        "CANCEL"
        "a length of 67 bits",
        (fun peer stream ->
            peer.Head(stream, [ ":status", "200"; "content-length", "99999999999999999999" ], true)),
        RequestResult.Garbage,
        "content-length is '99999999999999999999', which is not one number from 0 to 9223372036854775807"
        for name in [ "a bc"; "a\000\255bc"; "a:bc"; "a\127"; "a\tb"; "ä" ] do
            $"a name with a byte that no name may have: {Uri.EscapeDataString name}",
            (fun peer stream -> peer.Head(stream, ok @ [ name, "x" ], true)),
            RequestResult.Garbage,
            "a byte in its name that HTTP/2 forbids there"
        for value in [ "a\000b"; "a\rb"; "a\nb" ] do
            $"a value with a byte that no value may have: {Uri.EscapeDataString value}",
            (fun peer stream -> peer.Head(stream, ok @ [ "x", value ], true)),
            RequestResult.Garbage,
            "has a NUL or a line end"
        for value in [ " a"; "a "; "\ta"; "a\t"; " " ] do
            $"a value with a blank at its end: {Uri.EscapeDataString value}",
            (fun peer stream ->
                peer.Head(stream, ok, false)
                peer.Head(stream, [ "x", value ], true)),
            RequestResult.Garbage,
            "begins or ends with a blank"
        // The same in the Huffman code: a, NUL and b; a carriage return; a line feed; a blank and a; a and a blank.
        for coded, words in
            [
                "1ffe23", "has a NUL or a line end"
                "fffffff7", "has a NUL or a line end"
                "fffffff3", "has a NUL or a line end"
                "507f", "begins or ends with a blank"
                "1a9f", "begins or ends with a blank"
            ] do
            let value = Convert.FromHexString coded

            let field = [| 0uy; 1uy; 'x'B; 0x80uy ||| byte value.Length; yield! value |]

            $"a value in the Huffman code that no value may be: {coded}",
            (fun peer stream ->
                let fields = FrameFlag.endHeaders ||| FrameFlag.endStream
                peer.Frame(FrameType.Headers, fields, stream, [| 0x88uy; yield! field |])),
            RequestResult.Garbage,
            words

            $"a trailer in the Huffman code that no value may be: {coded}",
            (fun peer stream ->
                peer.Head(stream, ok, false)
                peer.Frame(FrameType.Headers, FrameFlag.endHeaders ||| FrameFlag.endStream, stream, field)),
            RequestResult.Garbage,
            words
        "a wrong status",
        (fun peer stream -> peer.Head(stream, [ ":status", "404" ], true)),
        RequestResult.WrongStatus,
        "404"
        "a wrong body",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Data(stream, "[]", true)),
        RequestResult.WrongBody,
        "of 2 bytes"
        "a body that is shorter than its length",
        (fun peer stream ->
            peer.Head(stream, ok @ [ "content-length", "99" ], false)
            peer.Data(stream, body, true)),
        RequestResult.Garbage,
        "content-length says 99"
        "a length that is none",
        (fun peer stream -> peer.Head(stream, ok @ [ "content-length", "-1" ], true)),
        RequestResult.Garbage,
        "content-length"
        "a length with a sign",
        (fun peer stream ->
            peer.Head(stream, ok @ [ "content-length", $"+{body.Length}" ], false)
            peer.Data(stream, body, true)),
        RequestResult.Garbage,
        "content-length"
        "two lengths",
        (fun peer stream ->
            peer.Head(stream, ok @ [ "content-length", "99"; "content-length", string body.Length ], false)
            peer.Data(stream, body, true)),
        RequestResult.Garbage,
        "two content-lengths that differ"
        "no status",
        (fun peer stream -> peer.Head(stream, [ "x", "y" ], true)),
        RequestResult.Garbage,
        "no status"
        "a status of two digits",
        (fun peer stream -> peer.Head(stream, [ ":status", "20" ], true)),
        RequestResult.Garbage,
        "no status"
        "a status below 100",
        (fun peer stream ->
            peer.Head(stream, [ ":status", "099" ], false)
            peer.Right stream),
        RequestResult.Garbage,
        "no status"
        "a change of protocols",
        (fun peer stream -> peer.Head(stream, [ ":status", "101" ], true)),
        RequestResult.Garbage,
        "101"
        "an interim response at the end",
        (fun peer stream -> peer.Head(stream, [ ":status", "103" ], true)),
        RequestResult.Garbage,
        "before its head"
        "a body without a head",
        (fun peer stream -> peer.Data(stream, body, true)),
        RequestResult.Garbage,
        "before the head"
        "a second head",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Head(stream, ok, false)),
        RequestResult.Garbage,
        "second head"
        "a head that is too long",
        (fun peer stream -> peer.Head(stream, ok @ [ "x", String('y', 300_000) ], true)),
        RequestResult.HeadTooLong,
        "--max-head"
        for name, fields, words in
            [
                "two statuses", ok @ ok, "one :status"
                "a status behind a field", ("x", "y") :: ok, "one :status"
                "a field with a colon that is no status", ok @ [ ":path", "/" ], "one :status"
                "capitals in a name", ok @ [ "X-y", "z" ], "capitals"
                "a field that closes the connection", ok @ [ "connection", "close" ], "about one connection"
                "a field of chunks", ok @ [ "transfer-encoding", "chunked" ], "about one connection"
            ] do
            name,
            (fun (peer: FramePeer) stream -> peer.Head(stream, fields, true)),
            RequestResult.Garbage,
            words
        "trailers with a status",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Data(stream, body, false)
            peer.Head(stream, ok, true)),
        RequestResult.Garbage,
        "one :status"
        "a window of nothing more",
        (fun peer stream -> peer.Out.WindowUpdate(stream, 0)),
        RequestResult.Garbage,
        "window"
        for status in [ "204"; "304" ] do
            $"a body of status {status}",
            (fun peer stream ->
                peer.Head(stream, [ ":status", status; "content-length", string body.Length ], false)
                peer.Data(stream, body, true)),
            RequestResult.Garbage,
            $"a response of status {status} has a body"
        "a window that is too large",
        (fun peer stream -> peer.Out.WindowUpdate(stream, Int32.MaxValue)),
        RequestResult.Garbage,
        "window"
    ]

let wrongNames = TheoryData<string>([ for name, _, _, _ in wrongOnes -> name ])

[<Theory; MemberData(nameof wrongNames)>]
let ``a wrong response is counted under its own name and its neighbours are not touched`` (name: string) =
    let _, spoil, result, words =
        wrongOnes |> List.find (fun (other, _, _, _) -> other = name)

    use server = FrameServer.sometimes 3L spoil
    let outcome = briefly server.Url 1 |> over 4 |> attack
    Assert.Equal(server.Sent, outcome.Right)
    Assert.Equal(server.Spoiled, count result outcome)
    Assert.Equal(outcome.Requests, server.Sent + server.Spoiled)
    Assert.Contains(words, outcome.Complaints[result])
    Assert.True(server.Spoiled > 0L)
    Assert.Equal(1L, server.Connections)

/// What breaks the protocol, or the connection, instead of the answer: its result, and words of the complaint.
let private breaks: (string * (FramePeer -> int -> unit) * RequestResult * string) list =
    let raw (peer: FramePeer) (text: string) =
        peer.Out.Bytes(ReadOnlySpan(Encoding.ASCII.GetBytes text))

    [
        "text",
        (fun peer _ -> raw peer "Hello, I am no server of this kind."),
        RequestResult.Garbage,
        "not HTTP/2"
        "a frame that is too long",
        (fun peer stream -> peer.Frame(FrameType.Data, 0uy, stream, Array.zeroCreate 16385)),
        RequestResult.Garbage,
        "16385 bytes"
        "a head of a stream that is the server's",
        (fun peer stream -> peer.Head(stream + 1, ok, true)),
        RequestResult.Garbage,
        "never opened"
        "a head of a stream to come",
        (fun peer stream -> peer.Head(stream + 1000, ok, true)),
        RequestResult.Garbage,
        "never opened"
        "trailers that are not HPACK",
        (fun peer stream ->
            peer.Head(stream, ok, false)
            peer.Data(stream, body, false)

            peer.Frame(
                FrameType.Headers,
                FrameFlag.endHeaders ||| FrameFlag.endStream,
                stream,
                Array.create 8 255uy
            )),
        RequestResult.Garbage,
        "header fields"
        "a body of no stream", (fun peer _ -> peer.Data(0, "x", false)), RequestResult.Garbage, "never opened"
        "an entry of a table that there is not",
        (fun peer stream -> peer.Frame(FrameType.Headers, 5uy, stream, [| 190uy |])),
        RequestResult.Garbage,
        "size is 0"
        "more padding than bytes",
        (fun peer stream -> peer.Frame(FrameType.Data, 8uy, stream, [| 9uy; 0uy |])),
        RequestResult.Garbage,
        "padding"
        "a change of the table's size behind a field",
        (fun peer stream -> peer.Frame(FrameType.Headers, 5uy, stream, [| 0x88uy; 0x20uy |])),
        RequestResult.Garbage,
        "behind a field"
        "a priority of two bytes in a head",
        (fun peer stream ->
            peer.Frame(
                FrameType.Headers,
                FrameFlag.priority ||| FrameFlag.endHeaders,
                stream,
                Array.zeroCreate 2
            )),
        RequestResult.Garbage,
        "shorter than its padding and its priority"
        "a push",
        (fun peer stream -> peer.Frame(FrameType.PushPromise, 4uy, stream, [| 0uy; 0uy; 0uy; 2uy |])),
        RequestResult.Garbage,
        "pushes"
        "a head that another frame interrupts",
        (fun peer stream ->
            peer.Frame(FrameType.Headers, 0uy, stream, Hpack.block ok)
            peer.Data(stream, body, true)),
        RequestResult.Garbage,
        "interrupted"
        "a head that goes on without a beginning",
        (fun peer stream -> peer.Frame(FrameType.Continuation, 4uy, stream, Hpack.block ok)),
        RequestResult.Garbage,
        "without its beginning"
        "settings of seven bytes",
        (fun peer _ -> peer.Frame(FrameType.Settings, 0uy, 0, Array.zeroCreate 7)),
        RequestResult.Garbage,
        "multiple of 6"
        "settings of frames that are too small",
        (fun peer _ -> peer.Out.Settings [ Setting.MaxFrameSize, 100 ]),
        RequestResult.Garbage,
        "frames of 100 bytes"
        "settings of a window that is too large",
        (fun peer _ -> peer.Out.Settings [ Setting.InitialWindowSize, -1 ]),
        RequestResult.Garbage,
        "window of 4294967295"
        "a window of the connection that is too large",
        (fun peer _ -> peer.Out.WindowUpdate(0, Int32.MaxValue)),
        RequestResult.Garbage,
        "window"
        "a ping of three bytes",
        (fun peer _ -> peer.Frame(FrameType.Ping, 0uy, 0, [| 1uy; 2uy; 3uy |])),
        RequestResult.Garbage,
        "ping"
        "a reset of three bytes",
        (fun peer stream -> peer.Frame(FrameType.Reset, 0uy, stream, [| 1uy; 2uy; 3uy |])),
        RequestResult.Garbage,
        "reset"
        // Of the request before, which is answered.
        "a body behind the end of its response",
        (fun peer stream -> peer.Data(stream - 2, body, true)),
        RequestResult.Garbage,
        "whose response was over"
        "a head behind the end of its response",
        (fun peer stream -> peer.Head(stream - 2, ok, true)),
        RequestResult.Garbage,
        "whose response was over"
        "an end in the head of a frame",
        (fun peer stream ->
            peer.Right stream
            peer.Half 5),
        RequestResult.Closed,
        "closed"
        "an end in a body",
        (fun peer stream ->
            peer.Right stream
            peer.Half(FrameHead.size + 1 + FrameHead.size + 5)),
        RequestResult.Closed,
        "closed"
        "an end behind a word of farewell",
        (fun peer _ -> peer.Out.GoAway(Int32.MaxValue, 11)),
        RequestResult.Closed,
        "ENHANCE_YOUR_CALM"
    ]

let breakNames = TheoryData<string>([ for name, _, _, _ in breaks -> name ])

[<Theory; MemberData(nameof breakNames)>]
let ``a connection that breaks is counted by how it broke, and opened again`` (name: string) =
    let _, spoil, result, words =
        breaks |> List.find (fun (other, _, _, _) -> other = name)

    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable answered = 0
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream when answered = 3 ->
                    server.CountWrong()
                    spoil peer stream
                    peer.Flush()
                    goesOn <- false
                | Some stream ->
                    answered <- answered + 1
                    server.Right(peer, stream))

    // One request at a time: what the server has counted is then what became of each.
    let plan =
        { plan server.Url (Closed 2) 60_000 with MaxRequests = Some 40L } |> over 1

    let outcome = attack plan
    Assert.Equal(server.Sent, outcome.Right)
    Assert.Equal(server.Spoiled, count result outcome)
    Assert.Equal(outcome.Requests, server.Sent + server.Spoiled)
    Assert.Contains(words, outcome.Complaints[result])
    Assert.True(server.Spoiled > 0L)

/// What a server gets wrong, the error that it is told, and whether that is of the stream alone.
let private told: (string * (FramePeer -> int -> unit) * int * bool) list =
    [
        for name, kind, flags, length in
            [
                "settings of seven bytes", FrameType.Settings, 0uy, 7
                "an acknowledgement of settings with settings", FrameType.Settings, FrameFlag.ack, 6
                "a ping of three bytes", FrameType.Ping, 0uy, 3
                "an answer to a ping of nine bytes", FrameType.Ping, FrameFlag.ack, 9
                "a GOAWAY of seven bytes", FrameType.GoAway, 0uy, 7
                "a window update of five bytes", FrameType.WindowUpdate, 0uy, 5
            ] do
            name,
            (fun (peer: FramePeer) (_: int) -> peer.Frame(kind, flags, 0, Array.zeroCreate length)),
            Http2Error.frameSize,
            false
        "a reset of three bytes",
        (fun peer stream -> peer.Frame(FrameType.Reset, 0uy, stream, Array.zeroCreate 3)),
        Http2Error.frameSize,
        false
        "a reset of three bytes of no stream",
        (fun peer _ -> peer.Frame(FrameType.Reset, 0uy, 0, Array.zeroCreate 3)),
        Http2Error.frameSize,
        false
        "a priority of four bytes",
        (fun peer stream -> peer.Frame(FrameType.Priority, 0uy, stream, Array.zeroCreate 4)),
        Http2Error.frameSize,
        true
        "a priority of no stream",
        (fun peer _ -> peer.Frame(FrameType.Priority, 0uy, 0, Array.zeroCreate 5)),
        Http2Error.protocol,
        false
        "a ping of a stream",
        (fun peer stream -> peer.Frame(FrameType.Ping, 0uy, stream, Array.zeroCreate 8)),
        Http2Error.protocol,
        false
        "settings of a window that is too large",
        (fun peer _ -> peer.Out.Settings [ Setting.InitialWindowSize, -1 ]),
        Http2Error.flowControl,
        false
        "settings that make the window of a stream too large",
        (fun peer stream ->
            peer.Out.WindowUpdate(stream, Int32.MaxValue - FrameHead.defaultWindow)
            peer.Out.Settings [ Setting.InitialWindowSize, FrameHead.defaultWindow + 1 ]),
        Http2Error.flowControl,
        false
        "settings of frames that are too small",
        (fun peer _ -> peer.Out.Settings [ Setting.MaxFrameSize, 100 ]),
        Http2Error.protocol,
        false
        "a window of the connection that is too large",
        (fun peer _ -> peer.Out.WindowUpdate(0, Int32.MaxValue)),
        Http2Error.flowControl,
        false
        "a window of the connection of nothing more",
        (fun peer _ -> peer.Out.WindowUpdate(0, 0)),
        Http2Error.protocol,
        false
        "a window of a stream that is too large",
        (fun peer stream -> peer.Out.WindowUpdate(stream, Int32.MaxValue)),
        Http2Error.flowControl,
        true
        "a window of a stream of nothing more",
        (fun peer stream -> peer.Out.WindowUpdate(stream, 0)),
        Http2Error.protocol,
        true
    ]

let toldNames = TheoryData<string>([ for name, _, _, _ in told -> name ])

/// Runs so many requests, one after the other; the server spoils the first of a connection. Returns how many of them were garbage, and
/// what it was told: the code, and whether it is of the stream alone.
let private saidAfter (spoil: FramePeer -> int -> unit) (requests: int64) : int64 * (int * bool) =
    let mutable said = None

    use server =
        new FrameServer(fun _ peer ->
            peer.Greet []
            peer.Request() |> Option.iter (spoil peer)
            peer.Flush()
            let mutable goesOn = true

            while goesOn do
                match peer.Next() with
                | Some(struct (frame, content)) when
                    frame.Type = FrameType.Reset || frame.Type = FrameType.GoAway
                    ->
                    let code =
                        Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(
                            ReadOnlySpan(content, content.Length - 4, 4)
                        )

                    said <- Some(code, frame.Type = FrameType.Reset)
                    goesOn <- false
                | next -> goesOn <- next.IsSome)

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some requests } |> over 1 |> attack

    Assert.Equal(requests, outcome.Requests)
    Within.comes "the error" (fun () -> said.IsSome)
    count RequestResult.Garbage outcome, said.Value

[<Theory; MemberData(nameof toldNames)>]
let ``a server that breaks the protocol gets the error code`` (name: string) =
    let _, spoil, error, isOfStream =
        told |> List.find (fun (other, _, _, _) -> other = name)

    Assert.Equal((1L, (error, isOfStream)), saidAfter spoil 1L)

[<Fact>]
let ``a server that goes on behind the end of a response gets the error code`` () =
    let spoil (peer: FramePeer) (stream: int) =
        peer.Right stream
        peer.Flush()
        peer.Request() |> ignore
        peer.Data(stream, body, true)

    Assert.Equal((1L, (Http2Error.streamClosed, false)), saidAfter spoil 2L)

[<Fact; Trait("run", "more")>]
let ``every request over a connection that breaks is counted`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let streams = [ for _ in 1..8 -> peer.Request() ] |> List.choose id

            if streams.Length = 8 then
                // Three are answered, and five lie in the middle of theirs.
                for stream in streams[..2] do
                    server.Right(peer, stream)

                for stream in streams[3..] do
                    server.CountWrong()
                    peer.Head(stream, ok, false)

                peer.Flush()
                peer.Break())

    let outcome = requests server.Url (Closed 1) 8L |> over 8 |> attack
    Assert.Equal((8L, 3L), (outcome.Requests, outcome.Right))
    Assert.Equal(5L, count RequestResult.Reset outcome + count RequestResult.Closed outcome)

[<Fact>]
let ``a server of HTTP/1.1 is recognised`` () =
    use counting =
        new Counting(fun _ connection ->
            connection.Request() |> ignore
            connection.Send "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
            connection.Request() |> ignore)

    let outcome =
        requests $"{counting.Server.Url}/" (Open(Constant 50.0, 1)) 10L |> over 10 |> attack

    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Garbage outcome))
    let complaint = outcome.Complaints[RequestResult.Garbage]
    Assert.Contains("begins with 'HTTP/1.1 400 Bad Request", complaint)
    Assert.EndsWith("a response of HTTP/1.1; leave out --http2", complaint)

/// What a server sends before its settings, and the complaint about it.
let private beginnings: (string * (FramePeer -> unit) * string) list =
    [
        "GOAWAY", (fun peer -> peer.Out.GoAway(0, 0)), "it began with GOAWAY NO_ERROR, before its settings"
        "GOAWAY with an error",
        (fun peer -> peer.Out.GoAway(0, 11)),
        "it began with GOAWAY ENHANCE_YOUR_CALM, before its settings"
        "a ping",
        (fun peer -> peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)),
        "it began with PING, before its settings"
        "the acknowledgement of settings",
        (fun peer -> peer.Out.Ack()),
        "it began with SETTINGS, before its settings"
    ]

let beginningNames = TheoryData<string>([ for name, _, _ in beginnings -> name ])

[<Theory; MemberData(nameof beginningNames)>]
let ``a frame before the settings of the server is named`` (name: string) =
    let _, send, words = beginnings |> List.find (fun (other, _, _) -> other = name)

    use server =
        new FrameServer(fun _ peer ->
            send peer
            peer.Flush()
            // until the client leaves
            while peer.Next().IsSome do
                ())

    let outcome = requests server.Url (Closed 1) 2L |> over 1 |> attack
    Assert.Equal(2L, count RequestResult.Garbage outcome)
    Assert.Contains(words, outcome.Complaints[RequestResult.Garbage])

[<Fact>]
let ``a protocol error between requests is noted, with the first one`` () =
    use server =
        new FrameServer(fun _ peer ->
            peer.Greet []

            match peer.Request() with
            | None -> ()
            | Some stream ->
                // In one segment: no other request is out when the text comes.
                peer.Right stream
                peer.Out.Bytes(ReadOnlySpan(Encoding.ASCII.GetBytes "HTTP/1.1 400 Bad\r\n\r\n"))
                peer.Flush()

                // until the client leaves
                while peer.Next().IsSome do
                    ())

    let outcome = requests server.Url (Open(Constant 20.0, 10)) 6L |> over 10 |> attack

    // Requests that a machine which stands still sends together may be out when the text comes.
    Assert.Equal(6L, outcome.Right + count RequestResult.Garbage outcome)
    Assert.InRange(outcome.Counts.Violations, 1L, outcome.Counts.Connects.Count)
    let note = Outcome.notes outcome |> Assert.Single
    let number = outcome.Counts.Violations
    let connections = if number = 1L then "connection" else "connections"
    Assert.StartsWith($"{number} {connections} ended by a protocol error", note)
    Assert.Contains("(first: the answer is not HTTP/2: 'HTTP/1.1 400 Bad.", note)
    Assert.Contains("NOTE: ", AttackText.write 100 outcome)

[<Fact>]
let ``a server that allows no compression table gets an encoder without one`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.HeaderTableSize, 0 ]
            let mutable goesOn = true

            while goesOn do
                match peer.Next() with
                | Some(struct (frame, content)) when frame.Type = FrameType.Headers ->
                    // A table that was larger is made smaller before anything else (RFC 7541, 4.2).
                    if content[0] = 32uy then
                        server.Right(peer, frame.Stream)
                    else
                        peer.Out.GoAway(0, Http2Error.compression)
                        peer.Flush()
                | next -> goesOn <- next.IsSome)

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 6L } |> over 2 |> attack

    Assert.Equal((6L, 6L), (outcome.Right, outcome.Requests))

/// A block of fields, and the bytes that a head of them has: name, value and four more for each.
let private heads: (string * byte[] * int) list =
    [
        "text", Hpack.block (ok @ [ "x", String('y', 800) ]), 14 + 805
        // The code of a zero is five bits of nothing.
        "Huffman code",
        Array.concat [ [| 0x88uy; 0uy; 1uy; 120uy; 0xffuy; 0xf5uy; 2uy |]; Array.zeroCreate 500 ],
        14 + 805
        "entries of the table", Array.append [| 0x88uy |] (Array.replicate 25 0x90uy), 14 + 25 * 32
    ]

let headNames = TheoryData<string>([ for name, _, _ in heads -> name ])

/// Requests over one connection, one after the other, with this --max-head.
let private withMaxHead (most: int) (requests: int64) (server: FrameServer) : Outcome =
    let plan =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some requests } |> over 1

    attack { plan with Connecting = { plan.Connecting with MaxHead = most } }

[<Theory; MemberData(nameof headNames)>]
let ``the length of a head counts its fields in every encoding`` (name: string) =
    let _, block, length = heads |> List.find (fun (other, _, _) -> other = name)

    use server =
        FrameServer.sometimes 1L (fun peer stream ->
            peer.Frame(FrameType.Headers, FrameFlag.endHeaders, stream, block)
            peer.Data(stream, body, true))

    Assert.Equal(3L, (withMaxHead length 3L server).Right)
    let outcome = withMaxHead (length - 1) 3L server
    Assert.Equal(3L, count RequestResult.HeadTooLong outcome)
    Assert.Contains($"longer than {length - 1} bytes", outcome.Complaints[RequestResult.HeadTooLong])

[<Fact>]
let ``a head that is too long and wrong in its code breaks no head behind it`` () =
    // The fields have 799 bytes in front of the wrong one, which has five.
    let block =
        Array.concat
            [
                [| 0x88uy |]
                Array.replicate 24 0x90uy
                [| 0uy; 1uy; 120uy; 12uy |]
                Array.replicate 12 121uy
                [| 0uy; 1uy; 120uy; 0x81uy; 0uy |]
            ]

    use server =
        FrameServer.sometimes 2L (fun peer stream ->
            peer.Frame(FrameType.Headers, FrameFlag.endHeaders, stream, block)
            peer.Data(stream, body, true))

    let outcome = withMaxHead 800 6L server
    Assert.Equal((3L, 3L), (outcome.Right, count RequestResult.HeadTooLong outcome))
    Assert.Equal(1L, server.Connections)

[<Fact>]
let ``a head in many frames is too long for a small --max-head, and the other requests of its connection are right``
    ()
    =
    let parts =
        Hpack.block (ok @ [ "x-long", String('a', 60_000) ]) |> Array.chunkBySize 16_000

    use server =
        FrameServer.sometimes 2L (fun peer stream ->
            peer.Frame(FrameType.Headers, 0uy, stream, parts[0])

            for at in 1 .. parts.Length - 1 do
                let flags = if at = parts.Length - 1 then FrameFlag.endHeaders else 0uy
                peer.Frame(FrameType.Continuation, flags, stream, parts[at])

            peer.Data(stream, body, true))

    let outcome = withMaxHead 1024 6L server
    Assert.Equal((3L, 3L), (outcome.Right, count RequestResult.HeadTooLong outcome))
    Assert.Equal(1L, server.Connections)

[<Fact>]
let ``a head that never ends is too long`` () =
    use server =
        FrameServer.sometimes 1L (fun peer stream ->
            peer.Frame(FrameType.Headers, 0uy, stream, Hpack.block ok)

            for _ in 1..70 do
                peer.Frame(FrameType.Continuation, 0uy, stream, Array.zeroCreate 16384))

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 1L } |> over 1 |> attack

    Assert.Equal((1L, 1L), (outcome.Requests, count RequestResult.HeadTooLong outcome))

/// A server that answers the first request of a connection by these frames, again and again, and reads nothing.
let private flooding (first: FramePeer -> int -> unit) (again: FramePeer -> int -> unit) =
    new FrameServer(fun _ peer ->
        peer.Greet []

        match peer.Request() with
        | None -> ()
        | Some stream ->
            first peer stream

            // Until the client closes the connection.
            while true do
                for _ in 1..1000 do
                    again peer stream

                peer.Flush())

let private floods: (string * (FramePeer -> int -> unit) * (FramePeer -> int -> unit) * string) list =
    let begin' (peer: FramePeer) (stream: int) =
        peer.Frame(FrameType.Headers, 0uy, stream, Hpack.block ok)

    [
        "pings",
        (fun _ _ -> ()),
        (fun peer _ -> peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)),
        "it sends pings or settings, and has not read 10000 answers"
        "settings",
        (fun _ _ -> ()),
        (fun peer _ -> peer.Out.Settings []),
        "it sends pings or settings, and has not read 10000 answers"
        "empty parts of a head",
        begin',
        (fun peer stream -> peer.Frame(FrameType.Continuation, 0uy, stream, [||])),
        "a head goes on in CONTINUATION frames"
        "parts of a head that is too long",
        begin',
        (fun peer stream -> peer.Frame(FrameType.Continuation, 0uy, stream, Array.zeroCreate 100)),
        "a head goes on in CONTINUATION frames"
    ]

let floodNames = TheoryData<string>([ for name, _, _, _ in floods -> name ])

[<Theory; MemberData(nameof floodNames)>]
let ``a server that sends frames without an end is left, before the time of its requests is over``
    (name: string)
    =
    let _, first, again, words =
        floods |> List.find (fun (other, _, _, _) -> other = name)

    use server = flooding first again
    let outcome = requests server.Url (Closed 1) 2L |> over 2 |> attack
    let tooLong = count RequestResult.HeadTooLong outcome
    Assert.Equal((2L, 2L), (outcome.Requests, tooLong + count RequestResult.Garbage outcome))
    Assert.Contains(words, outcome.Complaints[RequestResult.Garbage])

[<Fact>]
let ``a server that sends many pings and reads the answers is right`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []

            for stream in Seq.unfold (fun () -> peer.Request() |> Option.map (fun stream -> stream, ())) () do
                for _ in 1..30 do
                    for _ in 1..1000 do
                        peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)

                    peer.Flush()
                    let mutable answers = 0

                    while answers < 1000 do
                        match peer.Next() with
                        | Some(struct (frame, _)) ->
                            if frame.Type = FrameType.Ping then
                                answers <- answers + 1
                        | None -> answers <- 1000

                server.Right(peer, stream))

    let outcome = requests server.Url (Closed 1) 2L |> over 1 |> attack
    Assert.Equal((2L, 2L), (outcome.Requests, outcome.Right))

[<Fact>]
let ``a server that ends its connections gracefully makes no failure`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable answered = 0
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream ->
                    answered <- answered + 1

                    if answered = 20 then
                        // It says so first, and goes on with all that comes.
                        peer.Out.GoAway(Int32.MaxValue, 0)

                    server.Right(peer, stream))

    let outcome =
        { plan server.Url (Closed 2) 60_000 with MaxRequests = Some 300L } |> over 5 |> attack

    Assert.Equal((300L, 300L), (outcome.Right, outcome.Requests))
    Assert.Equal(300L, server.Sent)
    // A connection has 20 requests, and those that were on their way.
    Assert.InRange(server.Connections, 300L / 26L, 300L / 20L + 2L)

[<Theory; InlineData 1; InlineData 3>]
let ``no connection has more streams than its server allows`` (allowed: int) =
    let mutable most = 0

    use server =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.MaxConcurrentStreams, allowed ]
            let mutable goesOn = true

            while goesOn do
                // As many as there may be, then all answers.
                let streams = [ for _ in 1..allowed -> peer.Request() ] |> List.choose id
                goesOn <- streams.Length = allowed
                most <- max most streams.Length

                for stream in streams do
                    server.Right(peer, stream))

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some(30L * int64 allowed) }
        |> over 10
        |> attack

    Assert.Equal((server.Sent, server.Sent), (outcome.Right, outcome.Requests))
    Assert.Equal(30L * int64 allowed, outcome.Requests)
    Assert.Equal(1L, server.Connections)
    // A server that allows three waits for three, and has them.
    Assert.Equal(allowed, most)

[<Fact>]
let ``streams that a server adds in mid-run are used, and streams that it removes are not`` () =
    // The streams that are open at once are what comes before the answers.
    let steps = [ 2, 10; 6, 10; 1, 10 ]

    use server =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.MaxConcurrentStreams, fst steps.Head ]

            for allowed, rounds in steps do
                if allowed <> fst steps.Head then
                    peer.Out.Settings [ Setting.MaxConcurrentStreams, allowed ]
                    peer.Flush()

                for _ in 1..rounds do
                    let streams = [ for _ in 1..allowed -> peer.Request() ] |> List.choose id

                    for stream in streams do
                        server.Right(peer, stream)

            // What was sent before the last settings had come.
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream -> server.Right(peer, stream))

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 90L } |> over 8 |> attack

    Assert.Equal((90L, 90L), (outcome.Right, server.Sent))
    Assert.Equal(1L, server.Connections)

[<Fact>]
let ``in the open model further connections follow one that allows few streams`` () =
    use server = FrameServer.withFewStreams 2 100

    let outcome =
        requests server.Url (Open(Constant 100.0, 60)) 50L |> over 10 |> attack

    Assert.Equal((50L, 50L), (outcome.Right, server.Sent))
    // A tenth of a second each, at 100/s.
    Assert.True(server.Connections >= 5L, $"{server.Connections} connections")
    Assert.Equal(0L, outcome.Counts.Waited.Count)

[<Theory; InlineData true; InlineData false>]
let ``a server that allows 0 streams gets one connection, and the run reports it`` (isOpen: bool) =
    use server =
        new FrameServer(fun _ peer ->
            peer.Greet [ Setting.MaxConcurrentStreams, 0 ]
            peer.Request() |> ignore)

    let model = if isOpen then Open(Constant 100.0, 60) else Closed 1
    let outcome = plan server.Url model 500 |> over 100 |> attack
    Assert.Equal(Some 0, outcome.Counts.AllowedStreams)
    Assert.Equal((1L, 0L), (server.Connections, server.Requests))
    Assert.Equal((if isOpen then 50L else 0L), count RequestResult.Unsent outcome)
    Assert.Equal(outcome.Requests, count RequestResult.Unsent outcome)
    Assert.Contains("the server allows no streams", outcome.Invalid.Head)

/// A server that allows no streams any more once it has seen so many requests.
let private forbidding (after: int) =
    new FrameServer(fun server peer ->
        peer.Greet [ Setting.MaxConcurrentStreams, (if after = 0 then 0 else 1) ]

        for answered in 1..after do
            match peer.Request() with
            | Some stream ->
                if answered = after then
                    peer.Out.Settings [ Setting.MaxConcurrentStreams, 0 ]

                server.Right(peer, stream)
            | None -> ()

        peer.Request() |> ignore)

[<Theory; InlineData(true, 0); InlineData(false, 0); InlineData(true, 3); InlineData(false, 3)>]
let ``a run without an end in time ends when the server allows no streams any more``
    (isOpen: bool, after: int)
    =
    use server = forbidding after

    let outcome =
        { plan server.Url (if isOpen then Open(Constant 100.0, 1) else Closed 1) 0 with
            Duration = Plan.endless
            MaxRequests = Some 20L
            Timeout = TimeSpan.FromMilliseconds 200.
        }
        |> over 1
        |> attack

    Assert.Equal((int64 after, 0L), (outcome.Right, count RequestResult.TimedOut outcome))
    Assert.Equal((if isOpen then 20L - int64 after else 0L), count RequestResult.Unsent outcome)
    Assert.Contains("the server allows no streams", outcome.Invalid.Head)

[<Theory; InlineData(0, 0.0); InlineData(3, 0.0); InlineData(0, 10.0); InlineData(3, 10.0)>]
let ``the closed model ends when the server allows no streams any more`` (after: int, warmUp: float) =
    use server = forbidding after

    // Ten minutes.
    let outcome =
        { plan server.Url (Closed 1) 600_000 with
            Timeout = TimeSpan.FromMilliseconds 200.
            WarmUp = TimeSpan.FromMinutes warmUp
        }
        |> over 1
        |> attack

    // Requests of the warm-up do not count.
    let right = if warmUp > 0.0 then 0L else int64 after
    Assert.Equal((right, right), (outcome.Requests, outcome.Right))
    Assert.Contains("the server allows no streams", outcome.Invalid.Head)

[<Fact>]
let ``the product of connections and streams may exceed 32 bits`` () =
    use server = FrameServer.sometimes Int64.MaxValue (fun _ _ -> ())

    let outcome =
        requests server.Url (Open(Constant 50.0, 65536)) 10L |> over 65536 |> attack

    Assert.Equal((10L, 10L), (outcome.Right, server.Sent))

/// A plan of POST requests with a body of so many bytes.
let private posting (length: int) (plan: Plan) : Plan =
    { plan with
        Requests =
            [ { plan.Requests.Head with Method = "POST"; Body = Array.init length (fun at -> byte at) } ]
    }

[<Theory; InlineData 10; InlineData 65535; InlineData 1_000_000>]
let ``no more of a body is sent than the server has room for`` (window: int) =
    let length = 300_000
    let mutable broke = false

    use server =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.InitialWindowSize, window ]
            let streams = Dictionary<int, int64>()
            // What the client may still send: over the connection, and over each stream.
            let mutable room = int64 FrameHead.defaultWindow
            let mutable goesOn = true

            while goesOn do
                match peer.Next() with
                | None -> goesOn <- false
                | Some(struct (frame, content)) ->
                    if frame.Type = FrameType.Headers then
                        streams[frame.Stream] <- int64 window
                    elif frame.Type = FrameType.Data then
                        room <- room - int64 content.Length
                        streams[frame.Stream] <- streams[frame.Stream] - int64 content.Length
                        broke <- broke || room < 0L || streams[frame.Stream] < 0L || content.Length > 16384

                        if frame.Has FrameFlag.endStream then
                            streams.Remove frame.Stream |> ignore
                            server.Right(peer, frame.Stream)
                        elif streams[frame.Stream] = 0L then
                            // One after the other, and never much.
                            peer.Out.WindowUpdate(frame.Stream, 50_000)
                            streams[frame.Stream] <- 50_000L

                        if room = 0L then
                            peer.Out.WindowUpdate(0, 70_000)
                            room <- 70_000L

                        peer.Flush())

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 20L }
        |> posting length
        |> over 4
        |> attack

    Assert.False broke
    Assert.Equal((20L, 20L), (outcome.Right, server.Sent))
    Assert.True(outcome.Counts.BytesOut > 20L * int64 length)

[<Fact>]
let ``a window that the server makes smaller in mid-run is kept, below zero too`` () =
    let length = 60_000
    let mutable early = 0L

    use server =
        new FrameServer(fun server peer ->
            peer.Greet [ Setting.InitialWindowSize, 1000 ]
            let mutable taken = 0L
            let mutable stream = 0

            while taken < 1000L do
                match peer.Next() with
                | Some(struct (frame, content)) when frame.Type = FrameType.Data ->
                    taken <- taken + int64 content.Length
                    stream <- frame.Stream
                | _ -> ()

            // 1000 were sent of 400 that it is now; 500 more make it -100, and the next 200 are 100.
            peer.Out.Settings [ Setting.InitialWindowSize, 400 ]
            peer.Out.WindowUpdate(stream, 500)
            peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)
            peer.Flush()
            let mutable isAnswered = false

            while not isAnswered do
                match peer.Next() with
                | Some(struct (frame, _)) when frame.Type = FrameType.Ping -> isAnswered <- true
                | Some(struct (frame, content)) when frame.Type = FrameType.Data ->
                    early <- early + int64 content.Length
                | Some _ -> ()
                | None -> isAnswered <- true

            peer.Out.WindowUpdate(stream, length)
            peer.Flush()

            match peer.Request() with
            | Some stream -> server.Right(peer, stream)
            | None -> ()

            peer.Request() |> ignore)

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 1L }
        |> posting length
        |> over 1
        |> attack

    Assert.Equal(0L, early)
    Assert.Equal((1L, 1L), (outcome.Right, server.Sent))

[<Fact>]
let ``an answer before the whole request is there ends it`` () =
    let mutable resets = 0

    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable goesOn = true

            while goesOn do
                match peer.Next() with
                | None -> goesOn <- false
                | Some(struct (frame, _)) when frame.Type = FrameType.Headers ->
                    server.Right(peer, frame.Stream)
                | Some(struct (frame, _)) when frame.Type = FrameType.Reset ->
                    Interlocked.Increment &resets |> ignore
                | _ -> ())

    let outcome =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 5L }
        |> posting 200_000
        |> over 1
        |> attack

    // The window of the connection is used up by the first, and no other is needed.
    Assert.Equal((5L, 5L), (outcome.Right, server.Sent))
    Within.comes "resets" (fun () -> Volatile.Read &resets >= 4)

[<Fact>]
let ``a request that is given up is broken off, and its connection kept`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None ->
                    goesOn <- false

                    for struct (_, error) in peer.Resets do
                        if error = Http2Error.cancel then
                            server.CountWrong()
                | Some stream ->
                    // Every third one gets half an answer.
                    if server.Count() % 3L = 0L then
                        peer.Head(stream, ok, false)
                        peer.Flush()
                    else
                        server.Right(peer, stream))

    let outcome =
        { plan server.Url (Closed 1) 60_000 with
            MaxRequests = Some 12L
            Timeout = TimeSpan.FromMilliseconds 300.
        }
        |> over 2
        |> attack

    Assert.Equal(12L, outcome.Requests)
    Assert.Equal(server.Sent, outcome.Right)
    Assert.Equal(12L - server.Sent, count RequestResult.TimedOut outcome)
    Assert.Equal(1L, server.Connections)
    Within.comes "resets" (fun () -> server.Spoiled = count RequestResult.TimedOut outcome)

[<Fact>]
let ``an idle connection that the server closed is opened again, and the request is retried`` () =
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []

            for _ in 1..3 do
                match peer.Request() with
                | Some stream -> server.Right(peer, stream)
                | None -> ()

            // It leaves when the next request is there, without a word.
            if (peer.Request()).IsSome then
                server.CountWrong())

    let plan =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 12L } |> over 1

    let run method' =
        attack { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }

    let outcome = run "GET"
    Assert.Equal((12L, 12L), (outcome.Right, outcome.Requests))
    Assert.Equal(server.Spoiled, outcome.Counts.Retried)
    Assert.True(outcome.Counts.Retried > 0L)
    // What was sent twice went out twice.
    let block = (Resolve.prepared plan.Connecting 0 plan.Requests.Head).Bytes
    let one = FrameHead.size + block.Length
    Assert.Equal(int64 one * (outcome.Requests + outcome.Counts.Retried), outcome.Counts.BytesOut)
    // POST may not be sent twice.
    let before = server.Spoiled
    let outcome = run "POST"
    Assert.Equal(server.Spoiled - before, count RequestResult.StaleConnection outcome)
    Assert.Equal(12L, outcome.Right + count RequestResult.StaleConnection outcome)

[<Theory; InlineData "GET"; InlineData "POST">]
let ``a connection that was opened ahead was not used before its first response`` (method': string) =
    use server =
        new FrameServer(fun _ peer ->
            peer.Greet []
            // It leaves when there is a request, without a word.
            peer.Request() |> ignore)

    let plan =
        { plan server.Url (Closed 1) 60_000 with MaxRequests = Some 5L } |> over 1

    let outcome =
        attack { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }

    Assert.Equal((5L, 5L), (outcome.Requests, count RequestResult.Closed outcome))
    Assert.Equal((0L, 5L), (outcome.Counts.Retried, server.Connections))

[<Fact>]
let ``when a socket has had all its streams another one follows`` () =
    use server = FrameServer.sometimes Int64.MaxValue (fun _ _ -> ())
    use poller = Pollers.create ()
    let plan = plan server.Url (Closed 1) 100 |> over 2
    let unflushed = List<IConnection>()

    let context =
        {
            Options = plan.Connecting
            Tls = TlsClient plan.Connecting
            Poller = poller
            ExpectedBody = null
            Expects408 = false
            Connects = Histogram()
            Violations = Violations()
        }

    use connection: IConnection =
        new Http2Connection(
            0,
            0,
            { EndPoint = server.EndPoint; Host = "127.0.0.1"; IsTls = false },
            context,
            2,
            StreamLimit(),
            ignore,
            unflushed,
            5
        )

    let over = List<RequestSlot>()
    let asked = Resolve.prepared plan.Connecting 0 plan.Requests.Head

    for _ in 1..10 do
        for slot in connection.Slots do
            Assert.False(slot.Begin asked)

        over.Clear()
        let mutable patience = 1000

        while over.Count < 2 && patience > 0 do
            connection.Flush over

            for index in 0 .. poller.Wait 10_000_000L - 1 do
                connection.Handle(poller.Token index, poller.Readable index, poller.Writable index, over)

            patience <- patience - 1

        Assert.Equal(2, over.Count)

        for slot in over do
            Assert.Equal((RequestResult.Right, 200), (slot.Result, slot.Status))

    // Streams 1, 3 and 5.
    Assert.Equal(20L, server.Sent)
    Assert.Equal(7L, server.Connections)

[<Theory; InlineData true; InlineData false>]
let ``a closed port is refused, once for each request`` (isOpen: bool) =
    let server = FrameServer.sometimes Int64.MaxValue (fun _ _ -> ())
    let url = server.Url
    (server :> IDisposable).Dispose()
    let model = if isOpen then Open(Constant 200.0, 4) else Closed 2
    let outcome = requests url model 60L |> over 2 |> attack
    Assert.Equal((60L, 60L), (outcome.Requests, count RequestResult.Refused outcome))
    Assert.Contains("while connecting", outcome.Complaints[RequestResult.Refused])

[<Fact>]
let ``a redirection is followed`` () =
    use server =
        FrameServer.sometimes 2L (fun peer stream ->
            peer.Head(stream, [ ":status", "302"; "location", "/other" ], true))

    // One at a time: of two streams, one might always be redirected.
    let plan = briefly server.Url 1 |> over 1

    let outcome =
        attack { plan with Connecting = { plan.Connecting with Redirects = 5 } }

    Assert.Equal((300L, 300L), (outcome.Requests, outcome.Right))
    Assert.Equal((300L, outcome.Counts.Redirected), (server.Sent, server.Spoiled))
    Assert.True(server.Spoiled > 0L)

let private refused (words: string) (plan: Plan) =
    let trouble = Assert.Throws<Plait.Common.BadInput>(fun () -> PlanCheck.check plan)
    Assert.Contains(words, trouble.Message)

[<Fact>]
let ``requests that HTTP/2 does not allow are refused before the run`` () =
    let plan = plan "http://127.0.0.1:1/" (Closed 1) 100 |> over 2
    let request = plan.Requests.Head
    let asking request = { plan with Requests = [ request ] }
    PlanCheck.check plan
    refused "Connection" (asking { request with Headers = [ "Connection", "keep-alive" ] })
    refused "TE" (asking { request with Headers = [ "TE", "gzip" ] })
    PlanCheck.check (asking { request with Headers = [ "TE", "trailers" ] })
    refused "CONNECT" (asking { request with Method = "CONNECT" })
    refused "streams" (over 0 plan)

    refused
        "a connection for each request"
        { plan with Connecting = { plan.Connecting with KeepsAlive = false } }
