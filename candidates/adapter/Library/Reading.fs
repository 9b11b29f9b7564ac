// The work that is the same however it is waited for: the path, the cards in a body, the sentence about an error.
namespace Plait.Lab.CardAdapter

open System
open System.Collections.Generic
open System.Net
open System.Net.Http
open System.Text.Json
open System.Threading

/// The service's side of the library, for callers that ask the service themselves.
[<AbstractClass; Sealed>]
type CardReading =

    static member private Card(json: JsonElement) : Card =
        let text (name: string) =
            json.GetProperty(name).GetString() |> Option.ofObj |> Option.defaultValue ""

        {
            Id = text "id"
            Name = text "name"
            Set = text "set"
            Hp = json.GetProperty("hp").GetInt32()
            Rarity = text "rarity"
        }

    /// The path of a name below the service's address.
    static member Path(name: string) : string = "cards/" + Uri.EscapeDataString name

    /// The cards of exactly this name in an answer of the service. Raises JsonException, KeyNotFoundException or
    /// InvalidOperationException where it holds something else.
    static member Cards(name: string, body: byte[]) : IReadOnlyList<Card> =
        use document = JsonDocument.Parse(ReadOnlyMemory body)
        let found = List<Card>()

        for json in document.RootElement.GetProperty("cards").EnumerateArray() do
            let card = CardReading.Card json

            if String.Equals(card.Name, name, StringComparison.Ordinal) then
                found.Add card

        found

    /// The sentence for a status that is no success.
    static member Refused(status: HttpStatusCode) : string =
        $"the card service answered with status {int status}"

    /// The sentence about an exception on the way to the caller with this token; null where the caller has to see the exception:
    /// its own cancellation, and errors of this library.
    static member Complaint(trouble: exn, cancellationToken: CancellationToken) : string | null =
        match trouble with
        // the exception of a task arrives in an async inside another
        | :? AggregateException as wrapped when not (isNull wrapped.InnerException) ->
            CardReading.Complaint(nonNull wrapped.InnerException, cancellationToken)
        | :? HttpRequestException -> $"the card service cannot be reached: {trouble.Message}"
        | :? JsonException
        | :? KeyNotFoundException
        | :? InvalidOperationException ->
            $"the card service answered with something else than cards: {trouble.Message}"
        // nobody else cancels a request: it took the client too long
        | :? OperationCanceledException when not cancellationToken.IsCancellationRequested ->
            "the card service did not answer in time"
        | _ -> null

module internal Trouble =
    /// An exception that becomes an Error.
    let (|Complaint|_|) (token: CancellationToken) (trouble: exn) : string option =
        CardReading.Complaint(trouble, token) |> Option.ofObj
