// An ASP.NET Core application for a test.
module Plait.Tests.Kestrel

open System
open System.Net
open System.Net.Http
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Hosting
open Microsoft.Extensions.Logging
open Xunit

/// Serves the routes, with what is added to the application, on a free port of this machine while the work runs.
let served
    (add: WebApplicationBuilder -> unit)
    (routes: WebApplication -> unit)
    (work: WebApplication -> HttpClient -> Task<'T>)
    : Task<'T> =
    task {
        let builder = WebApplication.CreateSlimBuilder()
        builder.Logging.ClearProviders() |> ignore
        add builder
        builder.WebHost.UseUrls "http://127.0.0.1:0" |> ignore
        use app = builder.Build()
        routes app
        do! app.StartAsync()
        use client = new HttpClient(BaseAddress = Uri(Seq.head app.Urls))
        let! result = work app client
        do! app.StopAsync()
        return result
    }

/// Each path is answered with this status and this body.
let answers (client: HttpClient) (expected: (string * int * string) list) : Task<unit> =
    task {
        for path, status, body in expected do
            use! response = client.GetAsync path
            let! answer = response.Content.ReadAsStringAsync()
            Assert.Equal((path, enum<HttpStatusCode> status, body), (path, response.StatusCode, answer))
    }
