// The adapter in C#: the same contract and the same work, as an async method.
using Microsoft.FSharp.Core;
using Plait.Lab.CardAdapter;

namespace Plait.Lab.CardWeb;

using CardsOrError = FSharpResult<IReadOnlyList<Card>, string>;

/// <summary>Cards by a C# async method. With <paramref name="ownsClient"/> disposing puts the client away.</summary>
internal sealed class CSharpAdapter(HttpClient client, bool ownsClient) : ICardAdapter
{
    public async Task<CardsOrError> GetCards(string name, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await client.GetAsync(CardReading.Path(name), cancellationToken);
            if (!response.IsSuccessStatusCode)
                return CardsOrError.NewError(CardReading.Refused(response.StatusCode));
            var body = await response.Content.ReadAsByteArrayAsync(cancellationToken);
            return CardsOrError.NewOk(CardReading.Cards(name, body));
        }
        catch (Exception trouble) when (CardReading.Complaint(trouble, cancellationToken) is { } sentence)
        {
            return CardsOrError.NewError(sentence);
        }
    }

    public void Dispose()
    {
        if (ownsClient)
            client.Dispose();
    }
}
