// Layer: host. The programs behind Kestrel: one handler, no middleware, no logging unless it is asked for, HTTP/1.1 on the loopback.
namespace Plait.Lab.Host

open System
open System.IO
open System.Net
open System.Text.Json
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Hosting
open Microsoft.AspNetCore.Hosting.Server
open Microsoft.AspNetCore.Hosting.Server.Features
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Server.Kestrel.Core
open Microsoft.Extensions.DependencyInjection
open Microsoft.Extensions.Logging
open Plait.Lab.Language

/// Serves an evaluator.
module Server =

    // Nothing is flushed here: Kestrel sends head and body together when the handler has ended.
    let private write (context: HttpContext) (value: Dval) =
        let response = context.Response
        response.ContentType <- Defects.contentType ()
        use writer = new Utf8JsonWriter(response.BodyWriter, Defects.json ())
        ValueJson.write writer value
        writer.Flush()
        response.ContentLength <- writer.BytesCommitted

    let private finish (context: HttpContext) (value: ValueTask<Dval>) : Task =
        task {
            let! value = value
            write context value
        }

    let private evaluate (engine: Engine) (context: HttpContext) program : Task =
        let started = engine.Start program

        if started.IsCompletedSuccessfully then
            write context started.Result
            Task.CompletedTask
        else
            finish context started

    let private nothing = "[]"B

    let private answerNothing (context: HttpContext) : Task =
        context.Response.ContentType <- "application/json"
        context.Response.ContentLength <- int64 nothing.Length
        context.Response.Body.WriteAsync(nothing, 0, nothing.Length)

    let private answerStatus (context: HttpContext) status : Task =
        context.Response.StatusCode <- status
        Task.CompletedTask

    let private handle (engine: Engine) (fizzBoom: unit -> Expr option) (context: HttpContext) : Task =
        match context.Request.Path.Value with
        | "/fizzbuzz" -> evaluate engine context Program.fizzBuzz
        | "/null" -> answerNothing context
        | "/fizzboom" ->
            match fizzBoom () with
            | Some program -> evaluate engine context program
            | None -> answerStatus context StatusCodes.Status503ServiceUnavailable
        | _ -> answerStatus context StatusCodes.Status404NotFound

    let private portOf (host: WebApplication) =
        match host.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>() with
        | null -> invalidOp "the server does not say where it listens"
        | feature -> Uri(Seq.head feature.Addresses).Port

    /// Starts to serve on `port` (0: one that the system chooses) of `address` and returns the port. FizzBoom is asked
    /// for at each of its requests, and is answered by 503 while there is none.
    let startOn (address: IPAddress) (engine: Engine) (fizzBoom: unit -> Expr option) (port: int) : int =
        let builder = WebApplication.CreateEmptyBuilder(WebApplicationOptions())

        builder.WebHost
            .UseKestrelCore()
            .ConfigureKestrel(fun (options: KestrelServerOptions) ->
                options.AddServerHeader <- false
                // The connections of the base are idle while other rows are measured.
                options.Limits.KeepAliveTimeout <- TimeSpan.FromHours 24.0
                options.Listen(address, port, (fun listen -> listen.Protocols <- HttpProtocols.Http1)))
        |> ignore

        if Defects.Current.Logging then
            // Standard output belongs to the answers of this process.
            builder.Logging
                .SetMinimumLevel(LogLevel.Debug)
                .AddConsole(fun options -> options.LogToStandardErrorThreshold <- LogLevel.Trace)
                .AddDebug()
            |> ignore

        let host = builder.Build()
        host.Run(RequestDelegate(handle engine fizzBoom))

        try
            host.StartAsync().GetAwaiter().GetResult()
        with :? IOException ->
            raise (IOException $"port {port} on {address} is taken by another process, or may not be used")

        portOf host

    /// The same on the loopback.
    let start: Engine -> (unit -> Expr option) -> int -> int =
        startOn IPAddress.Loopback
