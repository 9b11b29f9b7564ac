// Handlers of ASP.NET Core that await strands and pooled values: the code of docs/how-to/handle-requests.md. A test runs it on
// Kestrel.
namespace Plait.Samples

open System
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Mvc
open Microsoft.AspNetCore.Routing
open Plait

type Item = { Id: int; Name: string }

module Handlers =

    /// Stands for a cache in front of a database: the even numbers are cached.
    let find (id: int) =
        strand {
            if id % 2 = 1 then
                do! Task.Yield()

            return { Id = id; Name = $"item {id}" }
        }

    let edge (app: IEndpointRouteBuilder) =
        app.MapGet("/items/{id}", Func<int, Task<Item>>(fun id -> (find id).AsTask())) |> ignore

        app.MapGet(
            "/names/{id}",
            Func<int, ValueTask<IResult>>(fun id ->
                pooledValueTask {
                    let! item = find id
                    return if id < 0 then Results.NotFound() else Results.Text item.Name
                })
        )
        |> ignore

    type StrandHandlers =

        /// Awaits the strand that the next filter or the handler returns.
        static member Await<'T>(next: EndpointFilterDelegate) =
            EndpointFilterDelegate(fun context ->
                pooledValueTask {
                    match! next.Invoke context with
                    | :? Strand<'T> as result ->
                        let! value = result
                        return if typeof<'T> = typeof<unit> then box Results.Empty else box value
                    | other -> return other
                })

        /// Lets the handlers of a group return strands. Looks at a handler once, when its route is built.
        static member Filter (handler: EndpointFilterFactoryContext) (next: EndpointFilterDelegate) =
            let result = handler.MethodInfo.ReturnType

            if result.IsGenericType && result.GetGenericTypeDefinition() = typedefof<Strand<_>> then
                let await = nonNull (typeof<StrandHandlers>.GetMethod "Await")
                let awaits = await.MakeGenericMethod result.GenericTypeArguments
                awaits.CreateDelegate<Func<EndpointFilterDelegate, EndpointFilterDelegate>>().Invoke next
            else
                next

    let group (app: IEndpointRouteBuilder) =
        let strands =
            app.MapGroup("/strands").AddEndpointFilterFactory StrandHandlers.Filter

        strands.MapGet("/items/{id}", Func<int, Strand<Item>>(fun id -> find id)) |> ignore

        strands.MapGet(
            "/found/{id}",
            Func<int, Strand<IResult>>(fun id -> find id |> Strand.map (fun item -> Results.Text item.Name))
        )
        |> ignore

        strands.MapGet(
            "/written/{id}",
            Func<int, HttpContext, Strand<unit>>(fun id context ->
                strand {
                    let! item = find id
                    do! context.Response.WriteAsync item.Name
                })
        )
        |> ignore

    /// A function of the context: ASP.NET's RequestDelegate, and the handlers of Falco and Oxpecker.
    let show (id: int) (context: HttpContext) : Task =
        Tasks.taskUnit {
            let! item = find id
            do! context.Response.WriteAsync item.Name
        }

    /// A function that calls the next one: the handlers of Giraffe.
    let name (id: int) (next: HttpContext -> Task<HttpContext option>) (context: HttpContext) =
        Tasks.task {
            let! item = find id
            context.Response.Headers["X-Name"] <- item.Name
            return! next context
        }

    let functions (app: IEndpointRouteBuilder) =
        app.MapGet("/falco", RequestDelegate(show 7)) |> ignore

        let last (context: HttpContext) = Task.FromResult(Some context)
        app.MapGet("/giraffe", RequestDelegate(fun context -> name 7 last context)) |> ignore

    let streaming (app: IEndpointRouteBuilder) =
        app.MapGet(
            "/lines",
            Func<HttpContext, ValueTask>(fun context ->
                pooledValueTaskUnit {
                    context.Response.ContentType <- "text/plain"

                    for id in 1..3 do
                        let! item = find id
                        do! context.Response.WriteAsync(item.Name + "\n", context.RequestAborted)
                        do! context.Response.Body.FlushAsync context.RequestAborted
                })
        )
        |> ignore

[<ApiController; Route "controller">]
type ItemsController() =
    inherit ControllerBase()

    [<HttpGet "items/{id}">]
    member _.Item(id: int) : Strand<Item> = Handlers.find id
