// The adapter in FSharp.Core's task. The build makes StrandAdapter and PooledAdapter of it, with Plait's builders: see the project
// file.
namespace Plait.Lab.CardAdapter

open System.Collections.Generic
open System.Net.Http
open System.Threading
open System.Threading.Tasks

/// Cards by `task`. With `ownsClient` disposing puts the client away.
type TaskAdapter(client: HttpClient, ownsClient: bool) =
    let fetch (name: string) (token: CancellationToken) : Task<Result<IReadOnlyList<Card>, string>> =
        task {
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
        member _.GetCards(name, cancellationToken) = fetch name cancellationToken

        member _.Dispose() =
            if ownsClient then
                client.Dispose()
