// The service of samples/service on FSharp.Core's `task` alone: Results are taken apart by hand, validations are collected by hand, and
// changes go through a channel, because FSharp.Core has no builder for them. The base of its compile time.
module Plait.Samples.Service.ByHand

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Globalization
open System.Net
open System.Net.Http
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Routing
open Plait

type Quote = { Symbol: string; Price: decimal; Source: string }

type QuoteError =
    | Unknown of symbol: string
    | Unavailable of source: string * reason: string
    | Malformed of source: string * text: string

    /// The status of a response, and its text.
    member error.Answer =
        match error with
        | Unknown symbol -> 404, $"no source knows {symbol}"
        | Unavailable(source, reason) -> 503, $"{source} is unavailable: {reason}"
        | Malformed(source, text) -> 502, $"{source} gave '{text}' as a price"

/// The sources, behind one client.
type Sources(client: HttpClient, policy: RetryPolicy, limit: TimeSpan) =

    let parse (source: string) (symbol: string) (text: string) : Result<Quote, QuoteError> =
        match Decimal.TryParse(text, NumberStyles.Number, CultureInfo.InvariantCulture) with
        | true, price -> Ok { Symbol = symbol; Price = price; Source = source }
        | _ -> Error(Malformed(source, text))

    /// One request. An exception is worth another one, an Error is not.
    let ask (source: string) (symbol: string) (token: CancellationToken) : Task<Result<Quote, QuoteError>> =
        task {
            use! response = client.GetAsync($"/{source}/{symbol}", token)

            if response.StatusCode = HttpStatusCode.NotFound then
                return Error(Unknown symbol)
            else
                response.EnsureSuccessStatusCode() |> ignore
                let! text = response.Content.ReadAsStringAsync token
                return parse source symbol text
        }

    /// The price at one source: several attempts, each with its limit of time.
    member _.At(source: string, symbol: string, token: CancellationToken) : Task<Result<Quote, QuoteError>> =
        task {
            try
                return!
                    Task.retryLinked token policy (fun _ token ->
                        Task.withTimeoutLinked token limit (ask source symbol))
            with
            | :? HttpRequestException as error -> return Error(Unavailable(source, error.Message))
            | :? TimeoutException ->
                return Error(Unavailable(source, $"no answer within {limit.TotalSeconds} s"))
        }

    /// The price at the first source that has it.
    member sources.First(names: string list, symbol: string, token: CancellationToken) =
        task {
            let mutable answer = Error(Unknown symbol)
            let mutable left = names

            while Result.isError answer && not left.IsEmpty do
                let! next = sources.At(left.Head, symbol, token)
                answer <- next
                left <- left.Tail

            return answer
        }

    /// The difference between two sources that are asked at the same time, or the errors of both.
    member sources.Spread(one: string, other: string, symbol: string, token: CancellationToken) =
        task {
            let first = sources.At(one, symbol, token)
            let second = sources.At(other, symbol, token)
            let! first = first
            let! second = second

            match first, second with
            | Ok first, Ok second -> return Ok(abs (first.Price - second.Price))
            | Error one, Error other -> return Error [ one; other ]
            | Error error, _
            | _, Error error -> return Error [ error ]
        }

/// The price of one symbol: who holds its lock loads it, and leaves the answer to those that wait.
type private Kept() =
    member val Gate = new AsyncLock()
    member val Answer: Result<Quote, QuoteError> voption = ValueNone with get, set

/// Prices that are loaded once, and kept until they are forgotten.
type Quotes(sources: Sources, names: string list) =
    let kept = ConcurrentDictionary<string, Kept>()

    /// The price. Of those that ask for a symbol at the same time one loads it, and an error is not kept. If the token of that one is
    /// cancelled, the next one loads.
    member _.Get(symbol: string, token: CancellationToken) : Task<Result<Quote, QuoteError>> =
        task {
            let own = kept.GetOrAdd(symbol, (fun _ -> Kept()))
            use! _ = own.Gate.Enter token

            match own.Answer with
            | ValueSome answer -> return answer
            | ValueNone ->
                let! answer = sources.First(names, symbol, token)
                own.Answer <- ValueSome answer

                if Result.isError answer then
                    kept.TryRemove(KeyValuePair(symbol, own)) |> ignore

                return answer
        }

    /// The next one that asks loads the price.
    member _.Forget(symbol: string) = kept.TryRemove symbol |> fst

    /// The prices of all, four at a time.
    member quotes.All(symbols: string list, token: CancellationToken) : Task<Quote list * QuoteError list> =
        task {
            let! answers =
                symbols |> Task.mapThrottled 4 (fun symbol -> quotes.Get(symbol, token))

            return
                List.ofArray answers
                |> List.partitionWith (function
                    | Ok quote -> Choice1Of2 quote
                    | Error error -> Choice2Of2 error)
        }

    /// Each change of the price, until the reader stops or the symbol is gone.
    member quotes.Changes(symbol: string, pause: TimeSpan) : IAsyncEnumerable<Quote> =
        let changes = Channel.CreateBounded<Quote> 1

        let write (token: CancellationToken) : Task =
            task {
                let mutable last = ValueNone
                let mutable goes = true

                while goes do
                    quotes.Forget symbol |> ignore

                    match! quotes.Get(symbol, token) with
                    | Error(Unknown _) -> goes <- false
                    | Error _ -> do! Task.Delay(pause, token)
                    | Ok quote ->
                        if last <> ValueSome quote.Price then
                            last <- ValueSome quote.Price
                            do! changes.Writer.WriteAsync(quote, token)

                        do! Task.Delay(pause, token)

                changes.Writer.Complete()
            }

        write CancellationToken.None |> ignore
        changes.Reader.ReadAllAsync()

/// The routes of the service.
let map (sources: Sources) (quotes: Quotes) (app: IEndpointRouteBuilder) =
    app.MapGet(
        "/quotes/{symbol}",
        Func<string, CancellationToken, Task<IResult>>(fun symbol token ->
            task {
                match! quotes.Get(symbol, token) with
                | Ok quote -> return Results.Ok quote
                | Error error ->
                    let status, text = error.Answer
                    return Results.Text(text, statusCode = status)
            })
    )
    |> ignore

    app.MapGet(
        "/spread/{symbol}",
        Func<string, CancellationToken, Task<IResult>>(fun symbol token ->
            task {
                match! sources.Spread("north", "south", symbol, token) with
                | Ok difference -> return Results.Ok difference
                | Error errors ->
                    let texts = errors |> List.map (fun error -> snd error.Answer)
                    return Results.Text(String.Join("; ", texts), statusCode = 502)
            })
    )
    |> ignore

    app.MapGet(
        "/portfolio",
        Func<string, CancellationToken, Task<IResult>>(fun symbols token ->
            task {
                let! quotes, errors = quotes.All(List.ofArray (symbols.Split ','), token)
                let sum = quotes |> List.sumBy _.Price
                return Results.Ok {| Sum = sum; Missing = errors.Length |}
            })
    )
    |> ignore

    app.MapGet(
        "/changes/{symbol}",
        Func<string, HttpContext, Task>(fun symbol context ->
            task {
                let changes = quotes.Changes(symbol, TimeSpan.FromMilliseconds 1.)
                use changes = changes.GetAsyncEnumerator context.RequestAborted
                let mutable goes = true

                while goes do
                    let! isThere = changes.MoveNextAsync()
                    goes <- isThere

                    if isThere then
                        do!
                            context.Response.WriteAsync(
                                $"{changes.Current.Price}{Environment.NewLine}",
                                context.RequestAborted
                            )

                        do! context.Response.Body.FlushAsync context.RequestAborted
            })
    )
    |> ignore
