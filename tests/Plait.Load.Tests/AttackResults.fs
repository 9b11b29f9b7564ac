// Each way in which a request can fail is counted under its own name, and the sum is what the server saw.
module Plait.Load.Tests.AttackResults

open System
open System.Threading
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

/// A response that is right, though it is not the usual one.
let private rightOnes =
    [
        "chunks",
        chunked
        + "5\r\n"
        + body[..4]
        + "\r\nB;x=y\r\n"
        + body[5..]
        + "\r\n0\r\nTrailer: x\r\n\r\n"
        "chunks with blanks and zeros",
        chunked + "000000000000000000010\t;x=y\r\n" + body + "\r\n0000000000000000000\r\n\r\n"
        "its length twice in a line",
        $"HTTP/1.1 200 OK\r\nContent-Length: {body.Length}, {body.Length}\r\n\r\n{body}"
        "an interim response before it", "HTTP/1.1 100 Continue\r\n\r\n" + Response.ok body
        "two interim responses before it",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        + Response.ok body
        "HTTP/1.0 that keeps the connection",
        $"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: {body.Length}\r\n\r\n{body}"
        "lines that end with a line feed alone", $"HTTP/1.1 200 OK\nContent-Length: {body.Length}\n\n{body}"
        "a blank in front of the colon", $"HTTP/1.1 200 OK\r\nContent-Length : {body.Length}\r\n\r\n{body}"
        "a head of 200 kB",
        $"HTTP/1.1 200 OK\r\nX: {String('x', 200_000)}\r\nContent-Length: {body.Length}\r\n\r\n{body}"
        "no reason phrase", $"HTTP/1.1 200\r\nContent-Length: {body.Length}\r\n\r\n{body}"
    ]

let rightNames = TheoryData<string>([ for name, _ in rightOnes -> name ])

[<Theory; MemberData(nameof rightNames)>]
let ``an unusual response that the protocol allows is right`` (name: string) =
    let _, response = rightOnes |> List.find (fun (other, _) -> other = name)
    use counting = sometimes 2L response
    let outcome = briefly $"{counting.Server.Url}/" 3 |> attack
    Assert.Equal(counting.Sent + counting.Spoiled, outcome.Right)
    Assert.Equal(outcome.Right, outcome.Requests)
    Assert.True(counting.Spoiled > 0L)

/// The bytes may come in two segments, the first of which has `first` bytes.
[<Theory>]
[<InlineData("400 Bad Request", 0, 1L)>]
// RFC 9110, 15.5.9: a server may end an idle connection so
[<InlineData("408 Request Timeout", 0, 0L)>]
[<InlineData("408 Request Timeout", 11, 0L)>]
[<InlineData("400 Bad Request", 11, 1L)>]
let ``bytes that come between requests are noted, with the first of them, but for the end of an idle connection``
    (status: string, first: int, violations: int64)
    =
    use answered = new ManualResetEventSlim()

    // The first connection gets them when its client has had the response for a while; the next request is due a second later.
    use talking =
        new Counting(fun counting connection ->
            if connection.Request() then
                counting.Right(connection, Response.ok body)
                answered.Wait()
                let bytes = $"HTTP/1.1 {status}\r\n\r\n"

                if first > 0 then
                    connection.Send(bytes.Substring(0, first))
                    // The client reads them meanwhile.
                    Thread.Sleep 200

                connection.Send(bytes.Substring first)
                connection.Request() |> ignore)

    let told (second: Second) =
        if second.Right > 0L then
            answered.Set()

    let plan = requests $"{talking.Server.Url}/" (Open(Constant 0.5, 10)) 2L

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan told CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal(2L, outcome.Requests)
    Assert.Equal(violations, outcome.Counts.Violations)

    if violations > 0L then
        let note = Outcome.notes outcome |> Assert.Single
        Assert.Contains($"(first: it sent 'HTTP/1.1 {status}....' although no request was out)", note)

/// A wrong response, its name, and words of the complaint.
let private wrongOnes =
    [
        "a wrong status", "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", RequestResult.WrongStatus, "404"
        "a wrong status without a body", "HTTP/1.1 204 None\r\n\r\n", RequestResult.WrongStatus, "204"
        "a body that is too short", Response.ok "[]", RequestResult.WrongBody, "of 2 bytes"
        "a body that is too long", Response.ok (String('x', 50000)), RequestResult.WrongBody, "of 50000 bytes"
        "a body that differs",
        Response.ok (String('x', body.Length)),
        RequestResult.WrongBody,
        "not the expected one"
        "chunks that are another body",
        chunked + "2\r\n[]\r\n0\r\n\r\n",
        RequestResult.WrongBody,
        "of 2 bytes"
        "text that is no response",
        "Hello, I am no server of this kind.\r\n\r\n",
        RequestResult.Garbage,
        "HTTP/1.1"
        "another protocol",
        "SSH-2.0-OpenSSH_9.2\r\n",
        RequestResult.Garbage,
        "it begins with 'SSH-2.0-OpenSSH_9.2..'"
        "an alert of TLS", "\021\003\003\000\002\002\022", RequestResult.Garbage, "it is a response of TLS"
        "settings of HTTP/2",
        "\000\000\000\004\000\000\000\000\000",
        RequestResult.Garbage,
        "it is a response of HTTP/2; add --http2"
        "a status below 100", "HTTP/1.1 000 X\r\n\r\n", RequestResult.Garbage, "HTTP/1.1"
        "a head without an end",
        "HTTP/1.1 200 OK\r\nX: " + String('x', 300_000),
        RequestResult.HeadTooLong,
        "longer than 262144 bytes"
        "a length that is none",
        "HTTP/1.1 200 OK\r\nContent-Length: -16\r\n\r\n",
        RequestResult.Garbage,
        "Content-Length is '-16', which is not one number"
        "a length of 67 bits",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nxx",
        RequestResult.Garbage,
        "Content-Length is '99999999999999999999', which is not one number from 0 to 9223372036854775807"
        "two lengths",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        RequestResult.Garbage,
        "Content-Length is '1, 2', which is not one number"
        "a chunk that is too long",
        chunked + "8000000000000000\r\n",
        RequestResult.Garbage,
        "came where the size of a chunk belongs"
        "chunks that are none",
        chunked + "five\r\nabcde\r\n",
        RequestResult.Garbage,
        "'ive..abcde..' came where the size of a chunk belongs"
        "a chunk that is longer than its size",
        chunked + "2\r\nabcde\r\n0\r\n\r\n",
        RequestResult.Garbage,
        "'cde..0....' came behind the data of a chunk"
        "a body that goes on behind its end",
        Response.ok body + "x",
        RequestResult.Garbage,
        "1 byte came after"
    ]

let wrongNames = TheoryData<string>([ for name, _, _, _ in wrongOnes -> name ])

[<Theory; MemberData(nameof wrongNames)>]
let ``a wrong response is counted under its own name, and all others as right`` (name: string) =
    let _, response, result, words =
        wrongOnes |> List.find (fun (other, _, _, _) -> other = name)

    // Each of three connections sends one request at least.
    use counting = sometimes 3L response
    let outcome = briefly $"{counting.Server.Url}/" 3 |> attack
    Assert.Equal(counting.Sent, outcome.Right)
    Assert.Equal(counting.Spoiled, count result outcome)
    Assert.Equal(outcome.Requests, counting.Sent + counting.Spoiled)
    Assert.Contains(words, outcome.Complaints[result])
    Assert.True(counting.Spoiled > 0L)

/// A way to break a connection instead of answering, and its name.
let private breaks: (string * (Connection -> unit) * RequestResult) list =
    [
        "a reset in the body",
        (fun connection ->
            connection.Send((Response.ok body).Substring(0, 60))
            // What is on its way when a connection is reset may be lost.
            Thread.Sleep 30
            connection.Reset()),
        RequestResult.Reset
        "a close in the head", _.Send("HTTP/1.1 200 OK\r\nContent-Le"), RequestResult.Closed
        "a close in the body", _.Send((Response.ok body).Substring(0, 60)), RequestResult.Closed
        "a half-close in the head",
        (fun connection ->
            connection.Send "HTTP/1.1 200 OK\r\nContent-Le"
            connection.HalfClose()
            connection.Request() |> ignore),
        RequestResult.Closed
        "a half-close in the body",
        (fun connection ->
            connection.Send((Response.ok body).Substring(0, 60))
            connection.HalfClose()
            connection.Request() |> ignore),
        RequestResult.Closed
        "a close in the chunks", _.Send(chunked + "10\r\n" + body[..5]), RequestResult.Closed
    ]

let breakNames = TheoryData<string>([ for name, _, _ in breaks -> name ])

[<Theory; MemberData(nameof breakNames)>]
let ``a connection that breaks is counted by how it broke, and opened again`` (name: string) =
    let _, spoil, result = breaks |> List.find (fun (other, _, _) -> other = name)

    use counting =
        ending 4 (fun counting connection ->
            counting.Wrong()
            spoil connection)

    let outcome = briefly $"{counting.Server.Url}/" 3 |> attack
    Assert.Equal(counting.Sent, outcome.Right)
    Assert.Equal(counting.Spoiled, count result outcome)
    Assert.Equal(outcome.Requests, counting.Sent + counting.Spoiled)
    Assert.True(counting.Spoiled > 0L)

[<Fact>]
let ``a body that ends with the connection is a body`` () =
    use counting =
        ending 1 (fun counting connection -> counting.Right(connection, "HTTP/1.1 200 OK\r\n\r\n" + body))

    let outcome = briefly $"{counting.Server.Url}/" 3 |> attack
    Assert.Equal((counting.Sent, counting.Sent), (outcome.Right, outcome.Requests))

[<Fact>]
let ``a server that announces the close of its connection causes no failure`` () =
    use counting =
        ending 3 (fun counting connection ->
            counting.Right(
                connection,
                (Response.ok body).Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
            ))

    let outcome =
        requests $"{counting.Server.Url}/" (Open(Constant 300.0, 4)) 120L |> attack

    wholly 120L 120L outcome
    Assert.Equal(120L, counting.Sent)

[<Theory; InlineData true; InlineData false>]
let ``a closed port is refused, once for each request`` (isOpen: bool) =
    let counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"
    counting.Server.Stop()
    let model = if isOpen then Open(Constant 200.0, 4) else Closed 4
    let outcome = requests url model 60L |> attack
    Assert.Equal((60L, 60L), (outcome.Requests, count RequestResult.Refused outcome))
    Assert.Contains("while connecting", outcome.Complaints[RequestResult.Refused])

    // Each of four connections rests 10 ms between its 15 attempts instead of hammering.
    if not isOpen then
        Assert.True(outcome.Elapsed >= TimeSpan.FromMilliseconds 140., $"it took {outcome.Elapsed}")

/// Three requests that time out after so many milliseconds.
let private timesOut (milliseconds: float) (counting: Counting) : Outcome =
    let outcome =
        { requests $"{counting.Server.Url}/" (Closed 3) 3L with
            Timeout = TimeSpan.FromMilliseconds milliseconds
        }
        |> attack

    // The server may read what was sent only when the time for an answer is over.
    Within.comes "all requests" (fun () -> counting.Spoiled >= 3L)
    Assert.Equal((3L, 3L), (counting.Spoiled, count RequestResult.TimedOut outcome))
    Assert.Equal(3L, outcome.Requests)
    outcome

[<Fact>]
let ``no answer and half an answer are time-outs, counted from the sending`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                counting.Wrong()
                connection.Send "HTTP/1.1 200 OK\r\nContent-Le")

    let outcome = timesOut 200. counting
    Assert.Contains("200 ms", outcome.Complaints[RequestResult.TimedOut])

[<Fact>]
let ``the complaint of a time-out has the state of its request`` () =
    // Long enough for a loaded machine to come to where the server leaves the request.
    let request (url: string) =
        { requests url (Closed 1) 1L with Timeout = TimeSpan.FromSeconds 4. }

    let post (plan: Plan) =
        { plan with
            Requests = [ { plan.Requests.Head with Method = "POST"; Body = Array.zeroCreate 30_000_000 } ]
        }

    use over = new ManualResetEventSlim()
    // It reads nothing, and does not answer TLS; the other one has a window of no byte.
    use server = new Loopback(fun _ -> over.Wait())

    use windowless =
        new FrameServer(fun _ peer ->
            peer.Greet [ Setting.InitialWindowSize, 0 ]
            peer.Request() |> ignore)

    use endless =
        new Loopback(fun connection ->
            if connection.Request() then
                connection.Send "HTTP/1.1 200 OK\r\n\r\nhi"
                over.Wait())

    let overHttp2 (plan: Plan) =
        { plan with Connecting = { plan.Connecting with Protocol = Http2 1 } }

    let runs =
        [
            request $"{server.Url}/" |> post, " bytes of the request"
            request windowless.Url |> post |> overHttp2,
            "the server had not taken 30000000 bytes of the request"
            request $"https://{server.Address}/", "TLS was not agreed on by then"
            request $"{server.Url}/" |> overHttp2, ": the server had not sent its settings by then"
            request $"{endless.Url}/",
            ": 21 bytes had come of a response without a length, which ends when the server closes the connection"
        ]

    let outcomes =
        runs
        |> List.map (fun (plan, _) -> fun () -> attack plan)
        |> Within.together "the load runs"

    over.Set()

    for outcome, (_, words) in List.zip outcomes runs do
        Assert.Equal((1L, 1L), (outcome.Requests, count RequestResult.TimedOut outcome))
        Assert.Contains(words, outcome.Complaints[RequestResult.TimedOut])

[<Fact>]
let ``a slow answer times out, however much of it has arrived`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                counting.Wrong()

                for letter in Response.ok body do
                    connection.Send(string letter)
                    Thread.Sleep 20)

    timesOut 300. counting |> ignore

[<Fact>]
let ``a request that finds no free connection until the end is unsent, and none is lost`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                Thread.Sleep 120
                counting.Right(connection, Response.ok body))

    let outcome = plan $"{counting.Server.Url}/" (Open(Constant 100.0, 2)) 500 |> attack
    Assert.Equal(50L, outcome.Requests)
    Assert.Equal(counting.Sent, outcome.Right)
    Assert.Equal(50L - counting.Sent, count RequestResult.Unsent outcome)
    Assert.True(count RequestResult.Unsent outcome > 10L)
    // Waiting for a connection is not the generator's fault.
    Assert.True(outcome.Counts.GeneratorLag.Percentile 50.0 < outcome.Counts.Lag.Percentile 50.0)

[<Fact>]
let ``the warm-up is not counted`` () =
    use counting = sometimes Int64.MaxValue ""

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 200.0, 4)) 300 with
            WarmUp = TimeSpan.FromMilliseconds 200.
        }
        |> attack

    Assert.Equal(60L, outcome.Requests)
    // on a busy machine the generator is late, and sends fewer than 40 before the warm-up is over
    Assert.InRange(counting.Sent - outcome.Right, 1L, 40L)

[<Fact>]
let ``a stopped run reports its requests so far`` () =
    use counting = sometimes Int64.MaxValue ""
    use stop = new CancellationTokenSource()
    let mutable seconds = 0

    let tell (_: Second) =
        seconds <- seconds + 1
        stop.Cancel()

    let outcome =
        Attack.run (plan $"{counting.Server.Url}/" (Closed 2) 60000) tell stop.Token

    Assert.True outcome.Stopped
    Assert.Equal(counting.Sent, outcome.Right)
    Assert.Equal(1, seconds - (outcome.Seconds.Length - 1))

[<Fact>]
let ``a request that is out when a run is stopped is no failure of the server`` () =
    use stop = new CancellationTokenSource()

    // Each connection answers its first request, and no other one.
    use counting =
        new Counting(fun counting connection ->
            if connection.Request() then
                counting.Right(connection, Response.ok body)

            if connection.Request() then
                counting.Wrong()
                connection.Request() |> ignore)

    let tell (second: Second) =
        if counting.Spoiled = 2L then
            stop.Cancel()

    let outcome =
        Attack.run (plan $"{counting.Server.Url}/" (Closed 2) 60000) tell stop.Token

    Assert.Equal((2L, 2L), (outcome.Right, count RequestResult.Abandoned outcome))
    Assert.Equal((4L, 2L, 1.0), (outcome.Requests, outcome.Judged, outcome.Success))

[<Fact>]
let ``several requests go in turn to their own hosts`` () =
    use one = sometimes Int64.MaxValue ""
    use other = sometimes Int64.MaxValue ""

    let both =
        { requests $"{one.Server.Url}/" (Open(Constant 300.0, 4)) 120L with
            Requests = [ get $"{one.Server.Url}/a"; get $"{other.Server.Url}/b"; get $"{other.Server.Url}/c" ]
        }

    let outcome = attack both
    wholly 120L 120L outcome
    Assert.Equal((40L, 80L), (one.Sent, other.Sent))

[<Fact>]
let ``a response to HEAD has no body`` () =
    use counting =
        sometimes 1L $"HTTP/1.1 200 OK\r\nContent-Length: {body.Length}\r\n\r\n"

    let plan = requests $"{counting.Server.Url}/" (Closed 2) 20L

    let outcome =
        attack
            { plan with
                Requests = [ { plan.Requests.Head with Method = "HEAD" } ]
                ExpectBody = None
            }

    Assert.Equal((20L, 20L, 20L), (counting.Spoiled, outcome.Right, outcome.Requests))
