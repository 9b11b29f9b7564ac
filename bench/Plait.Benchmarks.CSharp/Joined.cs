namespace Plait.Benchmarks.CSharp;

/// <summary>How a user of each kind waits for many.</summary>
public static class Joined
{
    /// <summary>The BCL's own.</summary>
    public static Task<int[]> All(Task<int>[] pending) => Task.WhenAll(pending);

    /// <summary>The BCL has none for value tasks: each is made a task.</summary>
    public static Task<int[]> All(ValueTask<int>[] pending)
    {
        var tasks = new Task<int>[pending.Length];

        for (int k = 0; k < tasks.Length; k++)
        {
            tasks[k] = pending[k].AsTask();
        }

        return Task.WhenAll(tasks);
    }

    /// <summary>The library's own.</summary>
    public static ValueTask<int[]> AllByPlait(ValueTask<int>[] pending) => pending.WhenAll();
}
