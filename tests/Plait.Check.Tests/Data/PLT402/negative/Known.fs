// What ASP.NET Core knows, and what is made of a strand before it is given away.
module PLT402.Negative.Known

open System
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Support.Jobs
open Plait

let private hello (name: string) =
    strand {
        let! n = count name
        return $"hello {name}, {n}"
    }

let asTask (app: WebApplication) =
    app.MapGet("/", Func<Task<string>>(fun () -> (hello "you").AsTask())) |> ignore

let asValueTask (app: WebApplication) =
    app.MapGet("/{name}", Func<string, ValueTask<string>>(fun name -> (hello name).AsValueTask()))
    |> ignore

let aTask (app: WebApplication) =
    app.MapPost("/", Func<Task<string>>(fun () -> task { let! text = hello "you" in return text + "!" }))
    |> ignore

let aPlainValue (app: WebApplication) =
    app.MapGet("/plain", Func<string>(fun () -> "plain")) |> ignore

let aContext (app: WebApplication) =
    app.MapGet(
        "/context",
        RequestDelegate(fun context ->
            task {
                let! text = hello "context"
                do! context.Response.WriteAsync text
            })
    )
    |> ignore

let boxedTask () = box ((spun "a").AsTask())

let ownFunction (handle: string -> Strand<int>) =
    strand {
        let! n = handle "a"
        return n + 1
    }

let ownDelegate () = Func<string, Strand<string>>(hello)

type GreetingsController() =
    inherit Microsoft.AspNetCore.Mvc.ControllerBase()

    [<Microsoft.AspNetCore.Mvc.HttpGet "/greetings">]
    member _.Get(name: string) : Task<string> = (hello name).AsTask()

    [<Microsoft.AspNetCore.Mvc.NonAction>]
    member _.Other(name: string) : Strand<string> = hello name
