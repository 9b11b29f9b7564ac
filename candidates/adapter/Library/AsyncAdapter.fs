// The adapter in F#'s own async, and the two ways of handing it to those who want a task.
namespace Plait.Lab.CardAdapter

open System.Collections.Generic
open System.Net.Http
open System.Threading

/// How an async becomes a task at the edge.
type Edge =
    /// Async.StartAsTask: queued to the thread pool.
    | StartAsTask = 0
    /// Async.StartImmediateAsTask: begun on the thread of the caller.
    | StartImmediateAsTask = 1

/// Cards by `async`. With `ownsClient` disposing puts the client away.
type AsyncAdapter(client: HttpClient, ownsClient: bool, edge: Edge) =
    let fetch (name: string) (token: CancellationToken) : Async<Result<IReadOnlyList<Card>, string>> =
        async {
            try
                use! response = client.GetAsync(CardReading.Path name, token) |> Async.AwaitTask

                if response.IsSuccessStatusCode then
                    let! body = response.Content.ReadAsByteArrayAsync token |> Async.AwaitTask
                    return Ok(CardReading.Cards(name, body))
                else
                    return Error(CardReading.Refused response.StatusCode)
            with Trouble.Complaint token sentence ->
                return Error sentence
        }

    interface ICardAdapter with
        member _.GetCards(name, cancellationToken) =
            match edge with
            | Edge.StartAsTask ->
                Async.StartAsTask(fetch name cancellationToken, cancellationToken = cancellationToken)
            | _ -> Async.StartImmediateAsTask(fetch name cancellationToken, cancellationToken)

        member _.Dispose() =
            if ownsClient then
                client.Dispose()
