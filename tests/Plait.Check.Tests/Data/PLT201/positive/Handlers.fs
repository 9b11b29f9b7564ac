// Functions that return a Task without a computation expression, or handle a route, and are given to code that calls them on the pool.
module PLT201.Positive.Handlers

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Hosting
open Microsoft.AspNetCore.Http
open Microsoft.Extensions.Hosting
open Support.Jobs

let routes (app: WebApplication) =
    app.MapGet("/size", Func<string, Task<int>>(fun key -> Thread.Sleep 10; count key)) |> ignore // PLT201 warning
    app.MapGet("/text", Func<string>(fun () -> string (count "a").Result)) |> ignore // PLT201 warning

let middleware (app: WebApplication) =
    app.Use(
        Func<HttpContext, RequestDelegate, Task>(fun context next ->
            (save "a").Wait() // PLT201 warning
            next.Invoke context)
    )
    |> ignore

let body (context: HttpContext) =
    task {
        use reader = new IO.StreamReader(context.Request.Body)
        let text = reader.ReadToEnd() // PLT201 warning
        context.Response.Body.WriteByte 1uy // PLT201 warning
        return text
    }

let private attempts (times: int) (work: Func<Task>) =
    task {
        for _ in 1..times do
            do! work.Invoke()
    }

let givenToAFunction () =
    attempts 3 (Func<Task>(fun () -> Thread.Sleep 10; Task.CompletedTask)) // PLT201 warning

let inOneOfTwoWays (isFirst: bool) =
    let read = if isFirst then (fun () -> (count "a").Result) else (fun () -> 0)
    task { return read () } // PLT202 warning

// Waits with a limit, and streams as sequences

let takenInTime (jobs: BlockingCollection<int>) = task { return jobs.TryTake(ref 0, 1000) } // PLT201 warning

let addedInTime (jobs: BlockingCollection<int>) = task { return jobs.TryAdd(0, 1000) } // PLT201 warning

let asASequence (numbers: IAsyncEnumerable<int>) =
    task { return numbers.ToBlockingEnumerable() |> Seq.sum } // PLT201 warning

// A function of the block that a function outside of it calls

let throughAFunctionOutside () =
    let attempt f = try f () with _ -> f ()
    task { return attempt (fun () -> (count "a").Result) } // PLT201 warning

let throughAListOutside () =
    let each f = [ 1; 2 ] |> List.iter f
    task { each (fun _ -> (count "a").Wait()) } // PLT201 warning

let untilTheEnd (host: IHost) =
    task {
        host.Start() // PLT201 warning
        host.WaitForShutdown() // PLT201 warning
    }

let wholeRun (host: IHost) = async { host.Run() } // PLT201 warning

let runOfAnApplication (app: WebApplication) =
    task {
        app.Run() // PLT201 warning
        app.Run "http://localhost:5000" // PLT201 warning
    }

let untilTheEndOfAnApplication (app: WebApplication) =
    task {
        app.Start() // PLT201 warning
        app.WaitForShutdown() // PLT201 warning
    }

let startOfABuilder (builder: IHostBuilder) = task { return builder.Start() } // PLT201 warning

#nowarn "44"

let ofAWebHost (host: IWebHost) =
    task {
        host.Start() // PLT201 warning
        host.Run() // PLT201 warning
        host.WaitForShutdown() // PLT201 warning
    }
