// Cards, or the sentence of an error, as a response.
using System.Text;
using System.Text.Json;
using Plait.Lab.CardAdapter;

namespace Plait.Lab.CardWeb;

internal static class Answer
{
    /// <summary>Writes the cards as JSON, with <paramref name="padding"/> spaces behind it.</summary>
    public static void Cards(HttpContext context, IReadOnlyList<Card> cards, int padding)
    {
        var response = context.Response;
        response.ContentType = "application/json";
        using var writer = new Utf8JsonWriter(response.BodyWriter);
        Write(writer, cards);
        writer.Flush();
        if (padding > 0)
        {
            response.BodyWriter.GetSpan(padding)[..padding].Fill((byte)' ');
            response.BodyWriter.Advance(padding);
        }
        response.ContentLength = writer.BytesCommitted + padding;
    }

    /// <summary>Writes that the service behind this one failed.</summary>
    public static Task Error(HttpContext context, string sentence)
    {
        context.Response.StatusCode = StatusCodes.Status502BadGateway;
        context.Response.ContentType = "text/plain";
        var body = Encoding.UTF8.GetBytes(sentence);
        // with a length: the load client reads no chunks
        context.Response.ContentLength = body.Length;
        return context.Response.Body.WriteAsync(body, 0, body.Length);
    }

    private static void Write(Utf8JsonWriter writer, IReadOnlyList<Card> cards)
    {
        writer.WriteStartArray();
        foreach (var card in cards)
        {
            writer.WriteStartObject();
            writer.WriteString("id", card.Id);
            writer.WriteString("name", card.Name);
            writer.WriteString("set", card.Set);
            writer.WriteNumber("hp", card.Hp);
            writer.WriteString("rarity", card.Rarity);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    }
}
