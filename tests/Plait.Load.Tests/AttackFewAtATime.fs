// Servers that serve few connections at a time, as prefork Apache, sync workers of gunicorn, haproxy with a maxconn and programs
// of one thread do: a connection that is held idle takes a place from one that carries a request. And how connections are
// opened, used again and closed.
module Plait.Load.Tests.AttackFewAtATime

open System
open System.Collections.Concurrent
open System.Net
open System.Net.Sockets
open System.Threading
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

/// A server of so many threads. Each serves one connection until that is over, and then takes the next one of the queue.
type private Few(threads: int, backlog: int, serve: Few -> Connection -> unit) as this =
    let listener = new TcpListener(IPAddress.Loopback, 0)
    let sockets = ConcurrentBag<Socket>()
    let mutable accepted = 0L
    let mutable open' = 0L
    let mutable answered = 0L

    let work () =
        try
            while true do
                let socket = listener.AcceptSocket()
                sockets.Add socket
                Interlocked.Increment &accepted |> ignore
                Interlocked.Increment &open' |> ignore

                try
                    try
                        use socket = socket
                        socket.NoDelay <- true
                        serve this (Connection socket)
                    finally
                        Interlocked.Decrement &open' |> ignore
                with
                | :? SocketException
                | :? ObjectDisposedException -> ()
        with
        | :? SocketException
        | :? ObjectDisposedException
        | :? InvalidOperationException -> ()

    do
        listener.Start backlog

        for _ in 1..threads do
            Thread(work, IsBackground = true).Start()

    member _.Url = $"http://{listener.LocalEndpoint}/"
    /// Connections that a thread has taken up, in all and now.
    member _.Accepted = Volatile.Read &accepted
    member _.Open = Volatile.Read &open'
    member _.Answered = Volatile.Read &answered

    /// Counts an answer, before a client can have it, and sends it. Returns how many were answered before.
    member _.Answer(connection: Connection) : int64 =
        let before = Interlocked.Increment &answered - 1L
        connection.Send(Response.ok body)
        before

    interface IDisposable with
        member _.Dispose() =
            listener.Stop()

            for socket in sockets do
                socket.Dispose()

/// Serves a connection as long as the client keeps it.
let private untilTheClientLeaves (server: Few) (connection: Connection) =
    while connection.Request() do
        server.Answer connection |> ignore

/// A plan of so many requests at a rate. One that finds no place at the server fails after its timeout.
let private requests (count: int64) (perSecond: float) (server: Few) : Plan =
    { plan server.Url (Open(Constant perSecond, 500)) 60_000 with
        MaxRequests = Some count
        Timeout = TimeSpan.FromMinutes 2.
    }

let private allAreAnswered (count: int64) (server: Few) (outcome: Outcome) =
    Assert.Equal((count, count), (outcome.Requests, outcome.Right))
    Assert.Equal(count, server.Answered)

let private allAreRight (count: int64) (server: Few) (outcome: Outcome) =
    allAreAnswered count server outcome
    Assert.Equal(0L, outcome.Counts.Waited.Count)

[<Theory; InlineData(1, 128); InlineData(2, 128); InlineData(4, 128); InlineData(1, 1)>]
let ``a server with few connections serves requests instead of idle connections``
    (threads: int, backlog: int)
    =
    use server = new Few(threads, backlog, untilTheClientLeaves)
    let outcome = server |> requests 60L 50.0 |> attack
    allAreRight 60L server outcome
    // As many as were in flight at once, which a machine that stands still makes more than one.
    Assert.InRange(outcome.Counts.Connections, 1, 30)

[<Theory; InlineData(1, 128); InlineData(3, 128); InlineData(1, 1)>]
let ``after a pause of the server, waiting requests get the connections that become free``
    (threads: int, backlog: int)
    =
    use paused = new ManualResetEventSlim()

    // The first requests are not answered until more have come than there are places for.
    let serve (server: Few) (connection: Connection) =
        while connection.Request() do
            paused.Wait()
            server.Answer connection |> ignore

    use server = new Few(threads, backlog, serve)

    let told (second: Second) =
        if second.InFlight > 3 * threads then
            paused.Set()

    let plan = server |> requests 150L 50.0

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan told CancellationToken.None)
        |> Within.result "the load run"

    allAreRight 150L server outcome
    Assert.True(outcome.Counts.Connections > threads, $"{outcome.Counts.Connections} connections")
    // None of them waited for its timeout.
    Assert.InRange(outcome.Counts.Intended.Max, 0L, 15_000_000_000L)

[<Fact>]
let ``a server that serves one connection after the other answers all requests`` () =
    let gate = obj ()

    use server =
        new Few(
            50,
            128,
            fun server connection ->
                if connection.Request() then
                    lock gate (fun () ->
                        let mutable goesOn = true

                        while goesOn do
                            if server.Answer connection = 5L then
                                // Others come meanwhile.
                                Thread.Sleep 300

                            goesOn <- connection.Request())
        )

    let outcome = server |> requests 80L 50.0 |> attack
    allAreRight 80L server outcome

[<Fact>]
let ``a timeout over a connection that the server did not take up has this cause`` () =
    let mutable connections = 0

    // The first connection is slow enough for a second to be opened, which nobody serves.
    let serve (server: Few) (connection: Connection) =
        if Interlocked.Increment &connections = 2 then
            Thread.Sleep Timeout.Infinite

        while connection.Request() do
            Thread.Sleep 150
            server.Answer connection |> ignore

    use server = new Few(20, 128, serve)

    let outcome =
        { requests 30L 10.0 server with Timeout = TimeSpan.FromSeconds 2.0 } |> attack

    Assert.Contains(
        "a connection that the server did not take up, although it served others",
        outcome.Complaints[RequestResult.TimedOut]
    )

/// How a server ends its connections.
let private endings: (string * (Few -> Connection -> unit)) list =
    [
        "behind each response, as HTTP/1.0 does",
        (fun _ connection ->
            if connection.Request() then
                connection.Send $"HTTP/1.0 200 OK\r\n\r\n{body}")
        "behind every third response, and says so",
        (fun _ connection ->
            for at in 1..3 do
                if connection.Request() then
                    if at = 3 then
                        connection.Send(
                            (Response.ok body)
                                .Replace("\r\nContent-Type", "\r\nConnection: close\r\nContent-Type")
                        )
                    else
                        connection.Send(Response.ok body))
        "behind every third response, without a word",
        (fun _ connection ->
            for _ in 1..3 do
                if connection.Request() then
                    connection.Send(Response.ok body))
    ]

let endingNames = TheoryData<string>([ for name, _ in endings -> name ])

[<Theory; MemberData(nameof endingNames)>]
let ``a server of one thread that ends its connections gets new ones`` (name: string) =
    let _, serve = endings |> List.find (fun (other, _) -> other = name)
    use server = new Few(1, 128, serve)
    let outcome = server |> requests 60L 50.0 |> attack
    Assert.Equal((60L, 60L), (outcome.Requests, outcome.Right))
    Assert.True(server.Accepted >= 20L, $"{server.Accepted} connections")

[<Fact>]
let ``a server that closes idle connections gets new ones`` () =
    use server =
        new Few(
            1,
            128,
            fun server connection ->
                connection.Limit 200
                untilTheClientLeaves server connection
        )

    let outcome = server |> requests 6L 2.0 |> attack
    Assert.Equal((6L, 6L), (outcome.Requests, outcome.Right))
    Assert.True(server.Accepted >= 5L, $"{server.Accepted} connections")

[<Fact>]
let ``connections that a busy moment needed are closed when they stay idle`` () =
    use busy = new ManualResetEventSlim()
    use stop = new CancellationTokenSource()

    let serve (server: Few) (connection: Connection) =
        while connection.Request() do
            busy.Wait()
            server.Answer connection |> ignore

    use server = new Few(300, 128, serve)

    let plan =
        { plan server.Url (Open(Constant 50.0, 300)) 60_000 with
            Timeout = TimeSpan.FromMinutes 10.
            Duration = TimeSpan.FromMinutes 10.
        }

    let run = Tasks.Task.Run(fun () -> Attack.run plan ignore stop.Token)
    Within.comes "20 connections" (fun () -> server.Open >= 20L)
    busy.Set()
    Within.comes "that most are closed" (fun () -> server.Open <= 3L)
    stop.Cancel()
    let outcome = Within.result "the load run" run
    Assert.Equal(outcome.Requests, outcome.Right)
    Assert.True(outcome.Counts.Connections >= 20)
    Assert.True(server.Open <= 3L)

[<Fact>]
let ``one connection stays where the next request comes soon`` () =
    use server = new Few(4, 128, untilTheClientLeaves)
    let outcome = server |> requests 8L 2.0 |> attack
    allAreRight 8L server outcome
    Assert.Equal(1L, server.Accepted)

[<Theory; InlineData 1; InlineData 2>]
let ``a rare request keeps no connection open in between`` (threads: int) =
    use server = new Few(1, 128, untilTheClientLeaves)
    use stop = new CancellationTokenSource()

    let plan =
        { plan server.Url (Open(Constant 0.1, 10)) 600_000 with Threads = threads }

    let run = Tasks.Task.Run(fun () -> Attack.run plan ignore stop.Token)

    Within.comes "an answer, and that its connection is closed before the next" (fun () ->
        server.Answered = 1L && server.Open = 0L || server.Answered > 1L)

    Assert.Equal((1L, 0L), (server.Answered, server.Open))
    stop.Cancel()
    let outcome = Within.result "the load run" run
    Assert.Equal(outcome.Requests, outcome.Right)

[<Theory;
  InlineData(2, 1, 128);
  InlineData(3, 1, 128);
  InlineData(2, 2, 128, Traits = [| "run"; "more" |]);
  InlineData(3, 2, 128, Traits = [| "run"; "more" |]);
  InlineData(2, 1, 1, Traits = [| "run"; "more" |])>]
let ``an idle connection of one thread is closed for a request of another``
    (threads: int, places: int, backlog: int)
    =
    use server = new Few(places, backlog, untilTheClientLeaves)

    // Longer than the timeout: the connections of a thread that is over make place in any case.
    let outcome =
        { requests 100L 20.0 server with Threads = threads; Timeout = TimeSpan.FromSeconds 2. }
        |> attack

    allAreRight 100L server outcome
    // Each thread has its own first connection, of which the server serves one.
    if places = 1 then
        Assert.InRange(outcome.Counts.WaitedForClose, 1L, 100L)

        Assert.Contains(
            $"{outcome.Counts.WaitedForClose} requests waited until an idle connection to the server was closed",
            Outcome.notes outcome |> Assert.Single
        )

        Assert.Contains("--threads 1", Outcome.notes outcome |> Assert.Single)

/// Requests to several hosts of which each is the same server.
let private hosts (names: string list) (plan: Plan) : Plan =
    let url = plan.Requests.Head.Url

    { plan with
        Requests = [ for name in names -> get $"http://{name}:{url.Port}/" ]
        Connecting = { plan.Connecting with ConnectTo = Some $"127.0.0.1:{url.Port}" }
    }

[<Theory;
  InlineData(2, 1, 1);
  InlineData(3, 1, 1, Traits = [| "run"; "more" |]);
  InlineData(3, 2, 1, Traits = [| "run"; "more" |]);
  InlineData(2, 1, 2, Traits = [| "run"; "more" |])>]
let ``an idle connection of one host is closed for a request to another``
    (count: int, places: int, threads: int)
    =
    use server = new Few(places, 128, untilTheClientLeaves)

    let outcome =
        { requests 100L 20.0 server with Threads = threads; Timeout = TimeSpan.FromSeconds 2. }
        |> hosts [ for at in 1..count -> $"host{at}" ]
        |> attack

    allAreRight 100L server outcome

[<Fact>]
let ``names of one address are one server`` () =
    use server = new Few(1, 128, untilTheClientLeaves)
    let plan = requests 40L 20.0 server

    let outcome =
        attack
            { plan with
                Requests = [ get server.Url; get (server.Url.Replace("127.0.0.1", "localhost")) ]
            }

    allAreRight 40L server outcome

[<Theory; InlineData(2, 1); InlineData(1, 2)>]
let ``an idle connection of HTTP/2 is closed for another`` (hostCount: int, threads: int) =
    let gate = obj ()

    // It greets one client when the one before has left.
    use server =
        new FrameServer(fun server peer ->
            lock gate (fun () ->
                peer.Greet []
                let mutable goesOn = true

                while goesOn do
                    match peer.Request() with
                    | Some stream -> server.Right(peer, stream)
                    | None -> goesOn <- false))

    let plan =
        { plan server.Url (Open(Constant 10.0, 50)) 60_000 with
            MaxRequests = Some 50L
            Threads = threads
            Timeout = TimeSpan.FromMinutes 1.
            Connecting = { ConnectionOptions.Default with Protocol = Http2 10 }
        }

    let outcome = plan |> hosts [ for at in 1..hostCount -> $"host{at}" ] |> attack
    Assert.Equal((50L, 50L), (outcome.Requests, outcome.Right))

[<Theory; InlineData(1, 1); InlineData(3, 1); InlineData(1, 3)>]
let ``no more than one connection to a server is opened before the run`` (hostCount: int, threads: int) =
    use server = new Few(64, 128, untilTheClientLeaves)

    let outcome =
        { requests 1L 20.0 server with Threads = threads }
        |> hosts [ for at in 1..hostCount -> $"host{at}" ]
        |> attack

    Assert.Equal((1L, 1, 1L), (outcome.Right, outcome.Counts.Connections, server.Accepted))

[<Theory; InlineData true; InlineData false>]
let ``connections that a server does not take up are named in the report`` (isOpen: bool) =
    use server = new Few(1, 128, untilTheClientLeaves)
    let plan = requests 20L 20.0 server

    let outcome =
        attack
            { plan with
                Model = (if isOpen then Open(Constant 20.0, 2) else Closed 2)
                // Longer than the timeout: the connection of a thread that is over makes place.
                MaxRequests = None
                Duration = TimeSpan.FromSeconds 3.
                Threads = 2
                Timeout = TimeSpan.FromSeconds 1.
                Connecting = { plan.Connecting with Grows = false }
            }

    Assert.True(count RequestResult.TimedOut outcome > 0L)

    Assert.Contains(
        "a connection that the server did not take up, although it served others",
        outcome.Complaints[RequestResult.TimedOut]
    )

[<Fact>]
let ``--connections are opened, stay open and are used in turn`` () =
    // By the number of the request.
    let used = ConcurrentDictionary<int, Connection>()

    use server =
        new Few(
            10,
            128,
            fun server connection ->
                while connection.Request() do
                    let number = connection.Head.Split(' ', '/')[2]
                    used[int number] <- connection
                    server.Answer connection |> ignore
        )

    // Requests are 50 ms apart: in a second like this one, each of them finds all connections free.
    use calm = new CancellationTokenSource()

    let told (second: Second) =
        if second.InFlight = 0 && second.Right >= 15L && second.Latency.Max < 25_000_000L then
            calm.Cancel()

    let plan =
        { plan server.Url (Open(Constant 20.0, 3)) 600_000 with
            Requests = [ get (server.Url + "{{seq}}") ]
            Timeout = TimeSpan.FromMinutes 10.
            Connecting = { ConnectionOptions.Default with Grows = false }
        }

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan told calm.Token)
        |> Within.result "a second without a pause of the machine"

    // The stop leaves unsent what was due at the end of the second that told of it.
    let samples =
        outcome.Samples
        |> Array.filter (fun sample -> sample.Result <> RequestResult.Unsent)
        |> Array.sortBy _.Intended

    Assert.Equal((int64 samples.Length, int64 samples.Length), (outcome.Right, server.Answered))
    Assert.Equal(3L, server.Accepted)

    let connections = used |> Seq.sortBy _.Key |> Seq.map _.Value |> Array.ofSeq

    Assert.Equal(samples.Length, connections.Length)
    Assert.Equal(3, (Array.distinct connections).Length)
    let mutable compared = 0

    for at in 0 .. samples.Length - 1 do
        let before = samples[.. at - 1]

        // Requests that wait take whichever is free first, and are not compared.
        if before |> Array.forall (fun earlier -> earlier.Done < samples[at].Sent) then
            compared <- compared + 1

            let freeSince (connection: Connection) =
                Array.zip before connections[.. at - 1]
                |> Array.fold
                    (fun since (earlier, other) ->
                        if Object.ReferenceEquals(other, connection) then max since earlier.Done else since)
                    -1L

            let longest = connections |> Array.distinct |> Array.map freeSince |> Array.min
            Assert.Equal(longest, freeSince connections[at])

    Assert.InRange(compared, 10, samples.Length)

[<Theory; InlineData(64, 3L); InlineData(2, 10L)>]
let ``the closed model opens no connection without a request`` (connections: int, count: int64) =
    use server = new Few(64, 128, untilTheClientLeaves)

    let outcome =
        { plan server.Url (Closed connections) 60_000 with MaxRequests = Some count } |> attack

    allAreRight count server outcome
    Assert.Equal(min connections (int count), outcome.Counts.Connections)

[<Theory; InlineData true; InlineData false>]
let ``HTTP/2 opens no connection without a request`` (isOpen: bool) =
    use server = FrameServer.sometimes Int64.MaxValue (fun _ _ -> ())
    let model = if isOpen then Open(Constant 50.0, 50) else Closed 4

    let outcome =
        { plan server.Url model 60_000 with
            MaxRequests = Some 3L
            Connecting = { ConnectionOptions.Default with Protocol = Http2 10 }
        }
        |> attack

    Assert.Equal((3L, 3L), (outcome.Requests, outcome.Right))
    Assert.Equal((if isOpen then 1L else 3L), server.Connections)

[<Fact>]
let ``a request whose connection does not open goes over one that becomes free`` () =
    let mutable connections = 0

    // Only the first connection is greeted: over the others nothing can be sent.
    use server =
        new FrameServer(fun server peer ->
            if Interlocked.Increment &connections = 1 then
                peer.Greet [ Setting.MaxConcurrentStreams, 1 ]
                let mutable goesOn = true

                while goesOn do
                    match peer.Request() with
                    | Some stream ->
                        if server.Sent < 3L then
                            Thread.Sleep 200

                        server.Right(peer, stream)
                    | None -> goesOn <- false
            else
                // Until the client leaves.
                while (peer.Next()).IsSome do
                    ())

    let outcome =
        { plan server.Url (Open(Constant 20.0, 50)) 60_000 with
            MaxRequests = Some 40L
            Connecting = { ConnectionOptions.Default with Protocol = Http2 10 }
        }
        |> attack

    Assert.Equal((40L, 40L), (outcome.Requests, outcome.Right))
    Assert.True(server.Connections > 1L)
    Assert.Equal(0L, outcome.Counts.Retried)
