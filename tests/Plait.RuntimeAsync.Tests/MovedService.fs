// Under test: the service of bench/service, 200 lines on FSharp.Core's `task`, to which the build adds the line `open Plait.RuntimeAsync`
// and nothing else.
module Plait.RuntimeAsync.Tests.MovedService

open System
open System.Collections.Concurrent
open System.Net
open System.Net.Http
open System.Reflection
open System.Threading
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Xunit
open Plait
open Plait.Samples.Service
open Plait.Tests

/// The sources: how often each was asked for each symbol, and what it answers then.
let private sources (asked: ConcurrentDictionary<string, int>) (app: WebApplication) =
    app.MapGet(
        "/{source}/{symbol}",
        Func<string, string, IResult>(fun source symbol ->
            let times = asked.AddOrUpdate($"{source}/{symbol}", 1, (fun _ times -> times + 1))

            match symbol with
            | "steady" -> Results.Text(if source = "north" then "10.5" else "10.25")
            | "flaky" when times < 3 -> Results.StatusCode 503
            | "flaky" -> Results.Text "20"
            | "changing" when source = "north" && times < 4 -> Results.Text(string times)
            | _ -> Results.NotFound())
    )
    |> ignore

[<Fact>]
let ``the service answers on Kestrel as before`` () =
    let asked = ConcurrentDictionary<string, int>()

    let ask (_: WebApplication) (upstream: HttpClient) : Task<unit> =
        let policy = RetryPolicy(Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds 1.)

        let sources = ByHand.Sources(upstream, policy, Within.limit)
        let quotes = ByHand.Quotes(sources, [ "north"; "south" ])

        Kestrel.served ignore (ByHand.map sources quotes) (fun _ client ->
            task {
                do!
                    Kestrel.answers
                        client
                        [
                            "/quotes/steady", 200, """{"symbol":"steady","price":10.5,"source":"north"}"""
                            "/quotes/flaky", 200, """{"symbol":"flaky","price":20,"source":"north"}"""
                            "/quotes/gone", 404, "no source knows gone"
                            "/spread/steady", 200, "0.25"
                            "/spread/gone", 502, "no source knows gone; no source knows gone"
                            "/portfolio?symbols=steady,flaky,gone", 200, """{"missing":1,"sum":30.5}"""
                            "/changes/changing", 200, String.Join(Environment.NewLine, "1", "2", "3", "")
                        ]

                // a request of the spread is one more than that of the quote
                Assert.Equal((2, 3), (asked["north/steady"], asked["north/flaky"]))
            })

    Kestrel.served ignore (sources asked) ask |> Within.result "The service and its sources"

/// Without optimisation a body is a closure.
module Methods =

    [<Theory>]
    [<InlineData(typeof<ByHand.Sources>, "ask")>]
    [<InlineData(typeof<ByHand.Sources>, "At")>]
    [<InlineData(typeof<ByHand.Sources>, "First")>]
    [<InlineData(typeof<ByHand.Sources>, "Spread")>]
    [<InlineData(typeof<ByHand.Quotes>, "Get")>]
    [<InlineData(typeof<ByHand.Quotes>, "All")>]
    let ``its functions are async methods of the runtime`` (kind: Type) (name: string) =
        match
            kind.GetMethod(name, BindingFlags.Instance ||| BindingFlags.Public ||| BindingFlags.NonPublic)
        with
        | null -> Assert.Fail $"{kind} has no {name}."
        | one -> Assert.NotEqual(0, int one.MethodImplementationFlags &&& 0x2000)
