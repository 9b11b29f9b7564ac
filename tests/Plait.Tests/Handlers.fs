// Under test: the handlers of samples/web on Kestrel, each way of returning an operation to ASP.NET Core, completed at once and
// after a wait; and what ASP.NET Core refuses.
module Plait.Tests.Handlers

open System
open System.Net
open System.Net.Http
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Http.Metadata
open Microsoft.AspNetCore.Routing
open Microsoft.Extensions.DependencyInjection
open Xunit
open Plait
open Plait.Samples

/// Serves the routes, and the controllers of samples/web, while the work runs.
let served (routes: WebApplication -> unit) (work: WebApplication -> HttpClient -> Task<'T>) : Task<'T> =
    Kestrel.served
        (fun builder ->
            builder.Services.AddControllers().AddApplicationPart(typeof<ItemsController>.Assembly)
            |> ignore)
        routes
        work

let private serving (routes: WebApplication -> unit) (work: WebApplication -> HttpClient -> Task<'T>) =
    Within.result "The service" (served routes work)

let private sample (app: WebApplication) =
    Handlers.edge app
    Handlers.group app
    Handlers.functions app
    Handlers.streaming app
    app.MapGet("/async", Func<Async<int>>(fun () -> async { return 1 })) |> ignore
    app.MapControllers() |> ignore

[<Fact>]
let ``each way of returning an operation answers, at once and after a wait`` () =
    let json id = $"""{{"id":{id},"name":"item {id}"}}"""

    serving sample (fun _ client ->
        task {
            for path, body in
                [
                    for id in [ 2; 3 ] do
                        $"/items/{id}", json id
                        $"/names/{id}", $"item {id}"
                        $"/strands/items/{id}", json id
                        $"/strands/found/{id}", $"item {id}"
                        $"/strands/written/{id}", $"item {id}"
                        $"/controller/items/{id}", json id
                    "/async", "1"
                    "/falco", "item 7"
                    "/giraffe", ""
                    "/lines", "item 1\nitem 2\nitem 3\n"
                ] do
                use! response = client.GetAsync path
                let! answer = response.Content.ReadAsStringAsync()
                Assert.Equal((path, HttpStatusCode.OK, body), (path, response.StatusCode, answer))

            use! missing = client.GetAsync "/names/-2"
            Assert.Equal(HttpStatusCode.NotFound, missing.StatusCode)
            use! named = client.GetAsync "/giraffe"
            Assert.Equal<string seq>([ "item 7" ], named.Headers.GetValues "X-Name")
        })

[<Fact>]
let ``handlers with the filter answer many requests at once, each with its own item`` () =
    serving sample (fun _ client ->
        task {
            let! answers =
                Task.WhenAll [| for id in 0..199 -> client.GetStringAsync $"/strands/found/{id}" |]

            Assert.Equal<string[]>([| for id in 0..199 -> $"item {id}" |], answers)
        })

[<Fact>]
let ``the description of a handler with the filter names the strand's result`` () =
    serving sample (fun app _ ->
        task {
            let endpoints =
                (app :> IEndpointRouteBuilder).DataSources |> Seq.collect _.Endpoints

            let described (path: string) =
                [
                    for endpoint in endpoints do
                        if (string endpoint).Contains path then
                            for produced in
                                endpoint.Metadata.GetOrderedMetadata<IProducesResponseTypeMetadata>() do
                                produced.Type
                ]

            Assert.Equal<(Type | null) list>([ typeof<Item> ], described "/strands/items")
        })

[<Fact>]
let ``a failure after a wait is answered with 500, and the next request is served`` () =
    serving
        (fun app ->
            sample app
            let group = app.MapGroup("").AddEndpointFilterFactory Handlers.StrandHandlers.Filter

            group.MapGet(
                "/fails",
                Func<Strand<int>>(fun () ->
                    strand {
                        do! Task.Yield()
                        return raise (TimeoutException "of the handler")
                    })
            )
            |> ignore)
        (fun _ client ->
            task {
                use! failed = client.GetAsync "/fails"
                Assert.Equal(HttpStatusCode.InternalServerError, failed.StatusCode)
                let! next = client.GetStringAsync "/strands/found/1"
                Assert.Equal("item 1", next)
            })

/// Whether a service with this route beside those of the sample answers at the sample's.
let private othersAnswer (route: WebApplication -> unit) =
    try
        serving
            (fun app ->
                sample app
                route app)
            (fun _ client ->
                task {
                    use! answer = client.GetAsync "/items/1"
                    return answer.StatusCode = HttpStatusCode.OK
                })
    with :? NotSupportedException ->
        false

// why the page asks for AsTask or the filter; where one of these begins to work, the page has less to say
[<Fact>]
let ``a minimal handler that returns another awaitable than a Task or ValueTask breaks every route`` () =
    Assert.True(othersAnswer ignore)

    let refused: Delegate list =
        [
            Func<Strand<int>>(fun () -> Strand<int>.Of 1)
            Func<PooledValueTask<int>>(fun () -> PooledValueTask<int> 1)
            Func<PooledTask<int>>(fun () -> PooledTask<int>(Task.FromResult 1))
        ]

    for handler in refused do
        Assert.False(othersAnswer (fun app -> app.MapGet("/refused", handler) |> ignore), string handler)

[<Fact>]
let ``a handler that is composed loses the names of its parameters`` () =
    serving
        (fun app ->
            let handler = Handlers.find >> fun item -> item.AsTask()
            app.MapGet("/composed/{id}", Func<int, Task<Item>> handler) |> ignore)
        (fun _ client ->
            task {
                use! answer = client.GetAsync "/composed/1"
                Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode)
            })
