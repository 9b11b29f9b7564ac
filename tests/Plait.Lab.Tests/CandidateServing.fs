// Candidates behind HTTP: the same bytes as in process; and FizzBoom, which waits six times for a slow upstream without
// holding a thread of the pool.
module Plait.Lab.Tests.CandidateServing

open System
open System.Net
open System.Net.Http
open System.Net.Sockets
open System.Threading
open Xunit

open Plait.Common
open Plait.Lab.Language
open Plait.Lab
open Plait.Tests.Support

let private http = new HttpClient(Timeout = Within.limit)

let private get (ship: Fleet.Ship) (path: string) =
    http.GetAsync $"http://127.0.0.1:{ship.Port}{path}"
    |> Within.result $"{path} of {ship.Id}"

let private text (response: HttpResponseMessage) =
    response.Content.ReadAsStringAsync() |> Within.result "a body"

let ids = Fleet.ids

/// Path, status and body.
let private routes =
    [ "/fizzbuzz", 200, Program.expectedBody; "/null", 200, "[]"; "/nothing-here", 404, "" ]

[<Theory; MemberData(nameof ids)>]
let ``every route answers with its status, its bytes and their length`` (id: string) =
    let ship = Fleet.ship id

    for path, status, body in routes do
        use response = get ship path
        Assert.Equal(status, int response.StatusCode)
        Assert.Equal(body, text response)

        if status = 200 then
            Assert.Equal("application/json", string response.Content.Headers.ContentType)
            Assert.Equal(Nullable(int64 body.Length), response.Content.Headers.ContentLength)

[<Fact>]
let ``a port that is taken gives one sentence and the worker goes on`` () =
    let taken = new TcpListener(IPAddress.Loopback, 0)
    taken.Start()
    let port = (taken.LocalEndpoint :?> IPEndPoint).Port

    let sync =
        Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = "strand")

    use started = CandidateProcess.Start("strand", sync.Assembly, [], [], None, 60000)

    let trouble =
        Assert.Throws<WorkerFailed>(Action(fun () -> started.Serve port |> ignore))

    Assert.Contains($"port {port} on 127.0.0.1 is taken", trouble.Message)
    taken.Stop()
    Assert.Equal(port, started.Serve port)

// Far above the delays of a busy scheduler, which must not look like a blocked thread.
let private wait = TimeSpan.FromMilliseconds 600.0

let private fizzBoomBody = Program.expectedBody.Replace("fizzbuzz", "boom")

/// An upstream that takes its time, and the number of its answers.
let private slowUpstream (served: int ref) =
    new Loopback(fun connection ->
        while connection.Request() do
            Thread.Sleep wait
            Interlocked.Increment &served.contents |> ignore
            connection.Send(Response.ok """{"data":"boom"}"""))

/// Asks all these ships at the same time.
let private all
    (upstream: Loopback)
    (ships: Fleet.Ship list)
    (ask: Fleet.Ship -> 'T)
    : (Fleet.Ship * 'T) list =
    ships
    |> List.map (fun ship () ->
        ship.Ask $"""{{"do":"upstream","url":"{upstream.Url}"}}""" |> ignore
        ship, ask ship)
    |> Within.together "FizzBoom"

/// A busy machine can delay a heartbeat as long as a blocked thread does, but not every time; a blocked thread does it
/// every time. So what looks blocked and should not be is asked again, and the number of times is told.
let private boom (ship: Fleet.Ship) =
    let rec ask times =
        let reply = ship.Ask """{"do":"boom"}"""
        let looksBlocked = reply.GetProperty("blockedPoolThreads").GetInt32() > 0

        if looksBlocked && not ship.Plan.Candidate.Blocks && times < 5 then
            ask (times + 1)
        else
            times, reply

    ask 1

[<Fact; Trait("run", "more")>]
let ``FizzBoom waits six times without holding a thread of the pool, unless the candidate says that it blocks``
    ()
    =
    let served = ref 0
    use upstream = slowUpstream served
    let ships = Fleet.ships.Value
    let replies = all upstream ships boom

    for ship, (_, reply) in replies do
        let number (name: string) = reply.GetProperty(name).GetInt32()
        let blocked = if ship.Plan.Candidate.Blocks then 1 else 0
        Assert.Equal(fizzBoomBody, reply.GetProperty("body").GetString())
        Assert.True((number "waits" = 6), $"{ship.Id} answered {reply}")
        Assert.True((number "blockedPoolThreads" = blocked), $"{ship.Id} answered {reply}")

    // Each time it is evaluated once before, without the limit of threads.
    Assert.Equal(12 * List.sumBy (snd >> fst) replies, served.Value)

[<Fact; Trait("run", "more")>]
let ``FizzBoom over HTTP waits six times, also if waiting blocks`` () =
    let served = ref 0
    use upstream = slowUpstream served
    let ships = Fleet.ships.Value

    for ship, (before, body) in
        all upstream ships (fun ship ->
            use response = get ship "/fizzboom"
            int response.StatusCode, text response) do
        Assert.True((200 = before), ship.Id)
        Assert.Equal(fizzBoomBody, body)

    Assert.Equal(6 * ships.Length, served.Value)

[<Fact>]
let ``only the synchronous candidates say that they block`` () =
    let blocking =
        Fleet.ships.Value |> List.filter _.Plan.Candidate.Blocks |> List.map _.Id

    Assert.Equal<string list>([ "sync"; "sync-again" ], blocking)
