// The adapter in Plait's pooledValueTask, behind the contract whose results are awaited once.
namespace Plait.Lab.CardAdapter

open System.Collections.Generic
open System.Net.Http
open System.Threading
open System.Threading.Tasks

open Plait

/// Cards by `pooledValueTask`. With `ownsClient` disposing puts the client away.
type PooledAdapter(client: HttpClient, ownsClient: bool) =
    let fetch (name: string) (token: CancellationToken) : ValueTask<Result<IReadOnlyList<Card>, string>> =
        pooledValueTask {
            try
                use! response = client.GetAsync(CardReading.Path name, token)

                if response.IsSuccessStatusCode then
                    let! body = response.Content.ReadAsByteArrayAsync token
                    return Ok(CardReading.Cards(name, body))
                else
                    return Error(CardReading.Refused response.StatusCode)
            with Trouble.Complaint token sentence ->
                return Error sentence
        }

    interface IValueCardAdapter with
        member _.GetCards(name, cancellationToken) = fetch name cancellationToken

        member _.Dispose() =
            if ownsClient then
                client.Dispose()
