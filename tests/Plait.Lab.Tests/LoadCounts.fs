// Slices of load over connections that stay open count what the server did, to the last request: right responses, and each
// kind of error by its name.
module Plait.Lab.Tests.LoadCounts

open System
open System.Threading
open Xunit

open Plait.Report
open Plait.Load
open Plait.Lab
open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

/// Four connections to the server that stay open from one slice to the next.
let private session (timeout: int) (counting: Counting) : AttackSession =
    let plan =
        { Plan.ofOne (HttpRequest.Get $"{counting.Server.Url}/fizzbuzz") body (Closed 4) with
            Timeout = TimeSpan.FromMilliseconds(float timeout)
        }

    new AttackSession(plan, Share.Whole, SharedServers(), DataRows.none, Pollers.create)

/// A slice of load.
let private slice (milliseconds: int) (session: AttackSession) : Outcome =
    session.Run(TimeSpan.FromMilliseconds(float milliseconds), 0, ignore, CancellationToken.None)

/// What was counted against the server in slices of `milliseconds`, one after the other.
let private load (timeout: int) (milliseconds: int list) (counting: Counting) : Outcome list =
    use session = session timeout counting
    session.Open() |> ignore
    [ for milliseconds in milliseconds -> slice milliseconds session ]

/// The sum of requests and errors of some slices.
let private total (slices: Outcome list) : int64 * ErrorCounts =
    slices |> List.sumBy _.Right,
    slices |> List.fold (fun sum slice -> sum + HttpSlice.errors slice) ErrorCounts.None

// Long enough for hundreds of requests; a machine that stands still sends one for each slice and connection.
let private slices = [ 150; 20; 60; 20; 20; 20; 20 ]
let private patient = 30000
let private run counting = load patient slices counting

let private complaint (slices: Outcome list) =
    slices |> List.tryPick Outcome.complaint |> Option.defaultValue ""

let private whole (counting: Counting) (slices: Outcome list) (errors: ErrorCounts) =
    Assert.Equal((counting.Sent, errors), total slices)
    Assert.True(counting.Sent > 20L, $"only {counting.Sent} requests were answered")

[<Fact>]
let ``every right response is counted in the slice it belongs to`` () =
    use counting = sometimes Int64.MaxValue ""
    let slices = run counting
    whole counting slices ErrorCounts.None
    Assert.Equal("", complaint slices)

    for slice in slices do
        Assert.True(slice.Right >= 4L, "each connection sends at least one request in a slice")
        Assert.True(slice.Elapsed >= TimeSpan.FromMilliseconds 20.)

/// A wrong response, the kind it counts as, and a word of the complaint.
let private wrongs: (string * string * (int64 -> ErrorCounts) * string) list =
    let status count =
        { ErrorCounts.None with Status = count }

    let length count =
        { ErrorCounts.None with Length = count }

    [
        "a wrong status", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno", status, "500"
        "a wrong status without a body", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", status, "503"
        "a body that is too short", Response.ok "[]", length, "2 bytes instead of 16"
        "a body that is too long", Response.ok (String('x', 20000)), length, "20000 bytes instead of 16"
        "a body that goes on behind its end", Response.ok body + "x", length, "after the end"
        "a negative Content-Length",
        "HTTP/1.1 200 OK\r\nContent-Length: -16\r\n\r\n",
        length,
        "Content-Length"
        "garbage", "Hello, I am no server of this kind.\r\n\r\n", length, "HTTP/1.1"
        "a head without an end",
        "HTTP/1.1 200 OK\r\nX: " + String('x', 300_000),
        length,
        "longer than 262144 bytes"
    ]

let names = TheoryData<string>([ for name, _, _, _ in wrongs -> name ])

[<Theory; MemberData(nameof names)>]
let ``a wrong response is counted under its own name, and all others as right`` (name: string) =
    let _, response, errors, word =
        wrongs |> List.find (fun (other, _, _, _) -> other = name)

    use counting = sometimes 10L response
    let slices = run counting
    whole counting slices (errors counting.Spoiled)
    Assert.True(counting.Spoiled > 0L)
    Assert.Contains(word, complaint slices)

[<Fact>]
let ``a reset in the middle is a connection error and the connection is opened again`` () =
    use counting =
        ending 5 (fun counting connection ->
            counting.Wrong()
            connection.Reset())

    whole counting (run counting) { ErrorCounts.None with Connection = counting.Spoiled }
    Assert.True(counting.Spoiled > 0L)

[<Fact>]
let ``an end in the middle of a body is a connection error`` () =
    use counting =
        ending 5 (fun counting connection ->
            counting.Wrong()
            connection.Send((Response.ok body).Substring(0, 60)))

    whole counting (run counting) { ErrorCounts.None with Connection = counting.Spoiled }
    Assert.True(counting.Spoiled > 0L)

[<Fact>]
let ``a server that announces the close of its connection causes no error`` () =
    use counting =
        ending 5 (fun counting connection ->
            counting.Wrong()

            counting.Right(
                connection,
                (Response.ok body).Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
            ))

    whole counting (run counting) ErrorCounts.None
    Assert.True(counting.Spoiled > 0L)

[<Fact>]
let ``a server that closes without a word makes connection errors and nothing else`` () =
    use counting =
        ending 5 (fun counting connection ->
            counting.Wrong()
            counting.Right(connection, Response.ok body))

    let slices = run counting
    let requests, errors = total slices
    Assert.Equal(counting.Sent, requests)
    Assert.InRange(errors.Connection, 1L, counting.Spoiled)
    Assert.Equal({ ErrorCounts.None with Connection = errors.Connection }, errors)

[<Fact>]
let ``a response in pieces is a response`` () =
    let text = Response.ok body

    use counting =
        new Counting(fun counting connection ->
            let cut = Random(1)

            while connection.Request() do
                // Cuts fall anywhere: inside the status line, a field, the empty line, the body.
                let first = cut.Next(1, text.Length - 1)
                let second = cut.Next(first, text.Length)
                connection.Send(text.Substring(0, first))
                Thread.Sleep 1
                connection.Send(text.Substring(first, second - first))
                Thread.Sleep 1
                counting.Right(connection, text.Substring second))

    let slices = load patient [ 400 ] counting
    whole counting slices ErrorCounts.None

[<Fact>]
let ``a request without an answer is a time-out, one for each connection, and the slice ends`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                counting.Wrong())

    let slices = load 300 [ 20 ] counting
    Assert.Equal((0L, { ErrorCounts.None with Timeout = 4L }), total slices)
    Assert.Equal(4L, counting.Spoiled)

[<Fact>]
let ``half an answer is a time-out as well`` () =
    use counting =
        new Counting(fun _ connection ->
            while connection.Request() do
                connection.Send "HTTP/1.1 200 OK\r\nContent-Le")

    Assert.Equal((0L, { ErrorCounts.None with Timeout = 4L }), load 300 [ 20 ] counting |> total)

[<Fact>]
let ``a session that timed out goes on with new connections`` () =
    let mutable asleep = true

    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                if not asleep then
                    counting.Right(connection, Response.ok body))

    // long enough for answers on a busy machine
    use session = session 3_000 counting
    let first = session |> slice 20
    Assert.Equal((0L, { ErrorCounts.None with Timeout = 4L }), total [ first ])
    asleep <- false
    let second = session |> slice 100
    Assert.Equal(ErrorCounts.None, HttpSlice.errors second)
    Assert.True(second.Right >= 4L, $"{second.Right}")

[<Fact>]
let ``connections stay open from one slice to the next`` () =
    let mutable connections = 0

    use counting =
        new Counting(fun counting connection ->
            Interlocked.Increment &connections |> ignore

            while connection.Request() do
                counting.Right(connection, Response.ok body))

    load patient [ 20; 20; 20 ] counting |> ignore
    Assert.Equal(4, Volatile.Read &connections)

[<Fact>]
let ``a server that dies in the middle of a slice ends it with connection errors`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                if counting.Next() = 20L then
                    counting.Server.Stop()
                else
                    counting.Right(connection, Response.ok body))

    let requests, errors = load patient [ 2000 ] counting |> total
    Assert.InRange(requests, 10L, counting.Sent)
    Assert.True(errors.Connection >= 4L, $"{errors}")
    Assert.Equal({ ErrorCounts.None with Connection = errors.Connection }, errors)

[<Fact>]
let ``a closed port is reported at once`` () =
    let counting = sometimes Int64.MaxValue ""
    counting.Server.Stop()
    use session = session patient counting

    match session.Open() with
    | Error trouble -> Assert.Contains("refused", trouble)
    | Ok() -> Assert.Fail "It opened."
