// The routes as the processes that the lab runs: one card service that is right, one that fails at times, and every route
// over both.
[<Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.AdapterProcesses

open System
open System.Collections.Generic
open System.Diagnostics
open System.Net
open System.Net.Http
open Xunit

open Plait.Common
open Plait.Lab.Cards
open Plait.Lab
open Plait.Tests.Support

let private patience = int Within.limit.TotalMilliseconds
let private seed = 5
let private client = new HttpClient()

let private startService (arguments: string list) =
    CandidateProcess.Start(
        "the card service",
        CardService.assembly Built.candidatesFolder "Plait.Lab.CardService",
        arguments,
        [],
        None,
        patience
    )

let private service (delay: string) (rate: string) =
    let started = startService [ string seed; delay; rate ]
    started, $"http://127.0.0.1:{started.Serve 0}/"

let private settings =
    { AdapterSettings.quick with Pairs = { AdapterSettings.quick.Pairs with Seed = seed } }

let private startRoute settings upstream name =
    let plan =
        AdapterRoutes.candidates Built.candidatesFolder
        |> RowPlan.ofCandidates
        |> List.find (fun row -> row.Id = name)
        |> AdapterRoutes.configured settings upstream

    CandidateProcess.Start(name, plan.Candidate.Assembly, plan.Arguments, [], None, patience)

let private get (url: string) =
    Within.result
        url
        (task {
            use! response = client.GetAsync url
            let! body = response.Content.ReadAsStringAsync()
            return response.StatusCode, response.Content.Headers.ContentLength, body
        })

/// What every route answers over a service, side by side; `ask` is given the route's process.
let private everywhere settings upstream (ask: CandidateProcess -> 'T) : (string * 'T) list =
    [
        for name in AdapterRoutes.names ->
            fun () ->
                use route = startRoute settings upstream name
                name, ask route
    ]
    |> Within.together "the routes"

[<Fact>]
let ``all routes give the same bytes, over a shared client and over one for each request`` () =
    let service, upstream = service "none" "0"
    use _ = service
    let expected = Deck.expectedBody seed (Deck.subject seed)

    for defects in [ []; [ ClientPerRequest; ConsoleLogging ] ] do
        let settings = { settings with Defects = defects }

        for name, (said, (status, length, body)) in
            everywhere settings upstream (fun route ->
                route.Body(), get $"http://127.0.0.1:{route.Serve 0}{AdapterRoutes.path seed}") do
            Assert.Equal((name, expected), (name, said))
            Assert.Equal((name, expected), (name, body))
            Assert.Equal((HttpStatusCode.OK, Nullable(int64 expected.Length)), (status, length))

[<Fact>]
let ``with unequal bodies the routes differ by the published defect alone`` () =
    let service, upstream = service "none" "0"
    use _ = service
    let settings = { settings with Defects = [ UnequalBodies ] }
    let plain = Deck.expectedBody seed (Deck.subject seed)

    let lengths =
        everywhere settings upstream _.Body()
        |> List.map (fun (name, body) ->
            Assert.Equal(AdapterRoutes.body settings name, body)
            Assert.Equal(plain, body.TrimEnd ' ')
            name, body.Length - plain.Length)
        |> Map.ofList

    Assert.Equal((0, 2, 1), (lengths["base"], lengths["async"], lengths["task"]))

[<Fact>]
let ``an error of the service is an error of every route, with the same sentence`` () =
    let service, upstream = service "none" "0"
    use _ = service

    for name, (status, _, body) in
        everywhere settings upstream (fun route -> get $"http://127.0.0.1:{route.Serve 0}/cards/Nobody") do
        Assert.Equal((name, HttpStatusCode.BadGateway), (name, status))
        Assert.Equal("the card service answered with status 404", body)

[<Fact>]
let ``a service that cannot be reached is an error of every route`` () =
    // nobody listens on port 1 of the loopback
    for name, (status, _, body) in
        everywhere settings "http://127.0.0.1:1/" (fun route ->
            get $"http://127.0.0.1:{route.Serve 0}{AdapterRoutes.path seed}") do
        Assert.Equal((name, HttpStatusCode.BadGateway), (name, status))
        Assert.Contains("cannot be reached", body)

[<Fact>]
let ``the service fails exactly the requests that its seed draws`` () =
    let service, upstream = service "none" "0.2"
    use _ = service

    let failed =
        [
            for _ in 0..199 ->
                let status, _, _ = get $"{upstream}cards/{Deck.name seed 0}"
                status <> HttpStatusCode.OK
        ]

    Assert.Equal<bool list>([ for index in 0L .. 199L -> Delay.fails 0.2 seed index ], failed)
    Assert.Contains(true, failed)

let private slowest (upstream: string) (span: TimeSpan) =
    let clock = Stopwatch.StartNew()
    let taken = List<TimeSpan>()

    while clock.Elapsed < span do
        let started = clock.Elapsed
        get $"{upstream}cards/{Deck.name seed 0}" |> ignore
        taken.Add(clock.Elapsed - started)

    List.ofSeq taken

[<Fact>]
let ``a constant delay is in every answer, and a stall comes once in its time`` () =
    let constant, url = service "constant:40ms" "0"
    use _ = constant
    // timers may fire a millisecond early
    Assert.All(
        slowest url (TimeSpan.FromMilliseconds 400.),
        (fun time -> Assert.True(time.TotalMilliseconds > 38.0))
    )

    let stalling, url = service "stall:400ms:1000ms" "0"
    use _ = stalling
    let taken = slowest url (TimeSpan.FromMilliseconds 2500.)
    // whoever asks one after the other for longer than a period is held back by most of a stall
    Assert.Contains(taken, (fun time -> time.TotalMilliseconds > 200.0))

[<Fact>]
let ``processes refuse wrong input in one sentence`` () =
    let refused start =
        (Assert.Throws<WorkerFailed>(fun () -> start () |> ignore)).Message

    Assert.Contains("log-normal", refused (fun () -> startService [ "1"; "slow"; "0" ]))

    let web = CardService.assembly Built.candidatesFolder "Plait.Lab.CardWeb"

    Assert.Contains(
        "--route NAME",
        refused (fun () ->
            CandidateProcess.Start("a route", web, [ "--route"; "elephant" ], [], None, patience))
    )
