namespace Plait.Benchmarks.CSharp;

/// <summary>C#'s async iterators, and loops that read an asynchronous sequence.</summary>
public static class Iterators
{
    /// <summary>Numbers, each behind an await of a Task that has completed.</summary>
    public static async IAsyncEnumerable<int> Numbers(int count)
    {
        for (int i = 0; i < count; i++)
        {
            await Task.CompletedTask;
            yield return i;
        }
    }

    /// <summary>Numbers, each behind a suspension that ends on the same thread.</summary>
    public static async IAsyncEnumerable<int> Gated(int count, Gate gate)
    {
        for (int i = 0; i < count; i++)
        {
            yield return await gate;
        }
    }

    /// <summary>Numbers, each behind Task.Yield().</summary>
    public static async IAsyncEnumerable<int> Yielding(int count)
    {
        for (int i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }

    /// <summary>The items of another sequence.</summary>
    public static async IAsyncEnumerable<int> Within(IAsyncEnumerable<int> items)
    {
        await foreach (var item in items)
        {
            yield return item;
        }
    }

    /// <summary>An item, and those of the same below.</summary>
    public static async IAsyncEnumerable<int> Down(int depth)
    {
        yield return depth;
        if (depth > 1)
        {
            await foreach (var item in Down(depth - 1))
            {
                yield return item;
            }
        }
    }

    /// <summary>Reads a sequence to its end.</summary>
    public static async Task Read(IAsyncEnumerable<int> items)
    {
        await foreach (var _ in items)
        {
        }
    }

    /// <summary>Reads a sequence to its end, opening the gate behind each call.</summary>
    public static async Task ReadGated(IAsyncEnumerable<int> items, Gate gate, int count)
    {
        var enumerator = items.GetAsyncEnumerator();
        for (int i = 0; i < count; i++)
        {
            var step = enumerator.MoveNextAsync();
            gate.Open();
            await step;
        }

        await enumerator.MoveNextAsync();
        await enumerator.DisposeAsync();
    }

    /// <summary>Reads many sequences.</summary>
    public static async Task ReadEach(Func<IAsyncEnumerable<int>> make, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await foreach (var _ in make())
            {
            }
        }
    }

    /// <summary>Reads many sequences up to their first item.</summary>
    public static async Task StopEach(Func<IAsyncEnumerable<int>> make, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await foreach (var _ in make())
            {
                break;
            }
        }
    }
}
