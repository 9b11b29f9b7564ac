// The adapter in Plait's strand: a task where the contract wants one.
namespace Plait.Lab.CardAdapter

open System.Collections.Generic
open System.Net.Http
open System.Threading

open Plait

/// Cards by `strand`. With `ownsClient` disposing puts the client away.
type StrandAdapter(client: HttpClient, ownsClient: bool) =
    let fetch (name: string) (token: CancellationToken) : Strand<Result<IReadOnlyList<Card>, string>> =
        strand {
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

    interface ICardAdapter with
        member _.GetCards(name, cancellationToken) = (fetch name cancellationToken).AsTask()

        member _.Dispose() =
            if ownsClient then
                client.Dispose()
