namespace Plait.Tests.Oracle;

/// <summary>Async iterators that note where they run, to compare streams with.</summary>
public static class Iterators
{
    /// <summary>Items around awaits, with writes of the ambient value.</summary>
    public static async IAsyncEnumerable<int> Inner(int first, Action<string> note)
    {
        note($"inner {first}");
        Ambient.Value = first + 1;
        yield return 1;
        note("inner behind an item");
        Ambient.Value = first + 2;
        await ForeignItems.One();
        note("inner behind an await");
        yield return 2;
        note("inner behind a late item");
        Ambient.Value = first + 3;
        await ForeignItems.One().ConfigureAwait(false);
        note("inner elsewhere");
        Ambient.Value = first + 4;
    }

    /// <summary>No item.</summary>
    public static async IAsyncEnumerable<int> Empty(bool waits, Action<string> note)
    {
        note("empty");
        Ambient.Value = 77;
        if (waits) await ForeignItems.One().ConfigureAwait(false);
        note("empty ends");
        yield break;
    }

    /// <summary>Another one's items, one by one.</summary>
    public static async IAsyncEnumerable<int> Outer(Action<string> note)
    {
        note("outer");
        Ambient.Value = 10;
        await foreach (var x in Inner(20, note)) yield return x;
        note("outer behind the inner one");
        Ambient.Value = 11;
        await foreach (var x in Empty(false, note)) yield return x;
        note("outer behind nothing");
        Ambient.Value = 12;
        await foreach (var x in Empty(true, note)) yield return x;
        note("outer behind an await");
        yield return 3;
        note("outer behind an item");
        Ambient.Value = 13;
        await foreach (var x in Middle(note)) yield return x;
        note("outer ends");
    }

    /// <summary>One more level.</summary>
    public static async IAsyncEnumerable<int> Middle(Action<string> note)
    {
        note("middle");
        Ambient.Value = 14;
        await foreach (var x in Inner(50, note)) yield return x;
        note("middle ends");
    }
}
