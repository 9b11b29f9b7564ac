// Under test: the service of samples/service on Kestrel, over three builders, before sources that fail, hang, change and are gone.
module Plait.Tests.ServiceSample

open System
open System.Collections.Concurrent
open System.Net
open System.Net.Http
open System.Threading
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Routing
open Xunit
open Plait
open Plait.Samples.Service

/// The sources: how often each was asked for each symbol, and what it answers then.
let private sources (asked: ConcurrentDictionary<string, int>) (app: WebApplication) =
    let both = TaskCompletionSource()

    app.MapGet(
        "/{source}/{symbol}",
        Func<string, string, CancellationToken, Task<IResult>>(fun source symbol token ->
            task {
                let times = asked.AddOrUpdate($"{source}/{symbol}", 1, (fun _ times -> times + 1))

                match symbol with
                | "steady" -> return Results.Text(if source = "north" then "10.5" else "10.25")
                | "flaky" when times < 3 -> return Results.StatusCode 503
                | "flaky" -> return Results.Text "20"
                | "down" -> return Results.StatusCode 503
                | "slow" ->
                    do! Task.Delay(Timeout.Infinite, token)
                    return Results.Ok()
                | "left"
                | "right" ->
                    // neither is answered before both are asked for
                    if asked.ContainsKey $"{source}/left" && asked.ContainsKey $"{source}/right" then
                        both.TrySetResult() |> ignore

                    do! both.Task.WaitAsync token
                    return Results.Text "1"
                | "broken" -> return Results.Text "x"
                | "changing" when source = "north" && times < 4 -> return Results.Text(string times)
                | _ -> return Results.NotFound()
            })
    )
    |> ignore

let private policy =
    RetryPolicy(Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds 1.)

let private names = [ "north"; "south" ]
let private hasty = TimeSpan.FromMilliseconds 20.

/// The routes over each builder: those of the service, and under /hasty those of one that waits for one source, and not for long.
let private routes: (string * (HttpClient -> IEndpointRouteBuilder -> IEndpointRouteBuilder -> unit)) list =
    [
        "pooledValueTask",
        fun client app other ->
            let sources = PooledValueTasks.Sources(client, policy, Within.limit)
            PooledValueTasks.map sources (PooledValueTasks.Quotes(sources, names)) app
            let sources = PooledValueTasks.Sources(client, policy, hasty)
            PooledValueTasks.map sources (PooledValueTasks.Quotes(sources, [ "north" ])) other
        "task",
        fun client app other ->
            let sources = Tasks.Sources(client, policy, Within.limit)
            Tasks.map sources (Tasks.Quotes(sources, names)) app
            let sources = Tasks.Sources(client, policy, hasty)
            Tasks.map sources (Tasks.Quotes(sources, [ "north" ])) other
        "strand",
        fun client app other ->
            let sources = Strands.Sources(client, policy, Within.limit)
            Strands.map sources (Strands.Quotes(sources, names)) app
            let sources = Strands.Sources(client, policy, hasty)
            Strands.map sources (Strands.Quotes(sources, [ "north" ])) other
    ]

let builders = TheoryData<string>(List.map fst routes)

[<Theory; MemberData(nameof builders)>]
let ``the service answers through failures, hanging sources and wrong texts, loads once and several at a time, and streams``
    (builder: string)
    =
    let asked = ConcurrentDictionary<string, int>()
    let map = routes |> List.find (fst >> (=) builder) |> snd

    let work (_: WebApplication) (upstream: HttpClient) =
        Handlers.served (fun app -> map upstream app (app.MapGroup "/hasty")) (fun _ client ->
            task {
                // many at once, and one load
                let! answers =
                    Task.WhenAll [| for _ in 1..20 -> client.GetStringAsync "/quotes/steady" |]

                Assert.All(
                    answers,
                    (fun answer ->
                        Assert.Equal("""{"symbol":"steady","price":10.5,"source":"north"}""", answer))
                )

                Assert.Equal(1, asked["north/steady"])
                Assert.False(asked.ContainsKey "south/steady")

                do!
                    Kestrel.answers
                        client
                        [
                            "/quotes/flaky", 200, """{"symbol":"flaky","price":20,"source":"north"}"""
                            "/quotes/gone", 404, "no source knows gone"
                            "/quotes/broken", 502, "south gave 'x' as a price"
                            "/hasty/quotes/slow", 503, "north is unavailable: no answer within 0.02 s"
                            "/spread/steady", 200, "0.25"
                            "/spread/broken", 502, "north gave 'x' as a price; south gave 'x' as a price"
                            "/portfolio?symbols=steady,flaky,gone", 200, """{"missing":1,"sum":30.5}"""
                            "/portfolio?symbols=left,right", 200, """{"missing":0,"sum":2}"""
                            "/changes/changing", 200, String.Join(Environment.NewLine, "1", "2", "3", "")
                        ]

                use! down = client.GetAsync "/quotes/down"
                Assert.Equal(HttpStatusCode.ServiceUnavailable, down.StatusCode)

                Assert.Equal(1, asked["north/left"])
                Assert.False(asked.ContainsKey "south/left")

                // as many attempts as the policy allows, at each source
                for path, times in
                    [ "north/flaky", 3; "north/down", 3; "south/down", 3; "north/gone", 2; "south/gone", 2 ] do
                    Assert.Equal((path, times), (path, asked[path]))
            })

    Handlers.served (sources asked) work |> Within.result "The service and its sources"
