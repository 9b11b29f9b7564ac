// The service behind Kestrel: GET /cards/{name}, from bytes that were rendered before, and GET /delay/{any}, for which
// FizzBoom waits. Its options set the delay and the share of failures.
namespace Plait.Lab.CardService

open System
open System.Diagnostics
open System.IO
open System.Net
open System.Threading
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Hosting
open Microsoft.AspNetCore.Hosting.Server
open Microsoft.AspNetCore.Hosting.Server.Features
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Server.Kestrel.Core
open Microsoft.Extensions.DependencyInjection
open Plait.Lab.Cards

/// The options of a service.
type Manner = { Seed: int; Delay: Delay; ErrorRate: float }

/// A card service. It counts the requests that it answered, and those that it failed.
type Service(manner: Manner) =
    let bodies =
        dict
            [
                for number in 0 .. Deck.size - 1 ->
                    Deck.name manner.Seed number, Deck.upstreamBody manner.Seed number
            ]

    let began = Stopwatch.GetTimestamp()
    let mutable index = -1L
    let mutable answered = 0L
    let mutable failed = 0L
    let mutable inFlight = 0
    let mutable mostInFlight = 0

    // FizzBoom with this answer has the body of FizzBuzz
    let data = """{"data":"fizzbuzz"}"""B

    let enter () =
        let now = Interlocked.Increment &inFlight
        let mutable seen = Volatile.Read &mostInFlight

        while now > seen && Interlocked.CompareExchange(&mostInFlight, now, seen) <> seen do
            seen <- Volatile.Read &mostInFlight

    let send (context: HttpContext) (body: byte[]) : Task =
        Interlocked.Increment &answered |> ignore
        context.Response.ContentType <- "application/json"
        context.Response.ContentLength <- int64 body.Length
        context.Response.Body.WriteAsync(body, 0, body.Length)

    let respond (context: HttpContext) (number: int64) : Task =
        let name = context.Request.Path.Value |> Option.ofObj |> Option.defaultValue ""

        if Delay.fails manner.ErrorRate manner.Seed number then
            Interlocked.Increment &failed |> ignore
            context.Response.StatusCode <- StatusCodes.Status500InternalServerError
            Task.CompletedTask
        elif name.StartsWith("/delay/", StringComparison.Ordinal) then
            send context data
        elif name.StartsWith("/cards/", StringComparison.Ordinal) then
            match bodies.TryGetValue(name.Substring "/cards/".Length) with
            | true, body -> send context body
            | _ ->
                context.Response.StatusCode <- StatusCodes.Status404NotFound
                Task.CompletedTask
        else
            context.Response.StatusCode <- StatusCodes.Status404NotFound
            Task.CompletedTask

    let handle (context: HttpContext) : Task =
        let number = Interlocked.Increment &index

        let wait =
            Delay.wait manner.Delay manner.Seed number (Stopwatch.GetElapsedTime began)

        if wait > TimeSpan.Zero then
            task {
                enter ()

                try
                    do! Task.Delay wait
                finally
                    Interlocked.Decrement &inFlight |> ignore

                do! respond context number
            }
        else
            respond context number

    /// Requests that were answered with cards.
    member _.Answered = Volatile.Read &answered
    /// Requests that were failed on purpose.
    member _.Failed = Volatile.Read &failed
    /// Requests that are being delayed now.
    member _.InFlight = Volatile.Read &inFlight

    /// The most that were delayed at once since this was asked last.
    member _.TakeMostInFlight() : int =
        Interlocked.Exchange(&mostInFlight, Volatile.Read &inFlight)

    /// Starts to listen on the loopback, on `port` or, for 0, on one that the system chooses. Returns the port.
    member _.Start(port: int) : int =
        let builder = WebApplication.CreateEmptyBuilder(WebApplicationOptions())

        builder.WebHost
            .UseKestrelCore()
            .ConfigureKestrel(fun (options: KestrelServerOptions) ->
                options.AddServerHeader <- false

                options.Listen(
                    IPAddress.Loopback,
                    port,
                    (fun listen -> listen.Protocols <- HttpProtocols.Http1)
                ))
        |> ignore

        let host = builder.Build()
        host.Run(RequestDelegate handle)

        try
            host.StartAsync().GetAwaiter().GetResult()
        with :? IOException ->
            raise (IOException $"port {port} on 127.0.0.1 is taken by another process, or may not be used")

        match host.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>() with
        | null -> invalidOp "the card service does not say where it listens"
        | feature -> Uri(Seq.head feature.Addresses).Port
