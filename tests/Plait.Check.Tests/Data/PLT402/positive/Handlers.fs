// Strands for ASP.NET Core, which does not know them.
module PLT402.Positive.Handlers

open System
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Routing
open Support.Jobs
open Plait

let private hello (name: string) =
    strand {
        let! n = count name
        return $"hello {name}, {n}"
    }

let get (app: WebApplication) =
    app.MapGet("/", Func<Strand<string>>(fun () -> hello "you")) |> ignore // PLT402 warning

let getWithAParameter (app: WebApplication) =
    app.MapGet("/{name}", Func<string, Strand<string>>(fun name -> hello name)) |> ignore // PLT402 warning

let post (app: WebApplication) =
    app.MapPost("/", Func<string, Strand<string>>(hello)) |> ignore // PLT402 warning

let put (routes: IEndpointRouteBuilder) =
    routes.MapPut("/{name}", Func<string, Strand<string>>(fun name -> hello name)) |> ignore // PLT402 warning

let delete (routes: IEndpointRouteBuilder) =
    routes.MapDelete("/", Func<Strand<string>>(fun () -> hello "gone")) |> ignore // PLT402 warning

let inAGroup (app: WebApplication) =
    let group = app.MapGroup "/api"
    group.MapGet("/", Func<Strand<string>>(fun () -> hello "group")) |> ignore // PLT402 warning

let withTheContext (app: WebApplication) =
    app.MapGet("/path", Func<HttpContext, Strand<string>>(fun context -> hello context.Request.Path.Value)) |> ignore // PLT402 warning

let blockInPlace (app: WebApplication) =
    app.MapGet("/", Func<Strand<int>>(fun () -> strand { return! spun "a" })) |> ignore // PLT402 warning, PLT403 hint

type GreetingsController() =
    inherit Microsoft.AspNetCore.Mvc.ControllerBase()

    [<Microsoft.AspNetCore.Mvc.HttpGet "/greetings">]
    member _.Get(name: string) : Strand<string> = hello name // PLT402 warning
