namespace Plait.Benchmarks.CSharp;

/// <summary>Loops that await operations of one kind; they allocate nothing per operation themselves.</summary>
public static class Loops
{
    /// <summary>Runs an operation again and again, awaiting each.</summary>
    public static async Task Run(Func<Task<int>> operation, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = await operation();
        }
    }

    /// <inheritdoc cref="Run(Func{Task{int}}, int)" />
    public static async Task Run(Func<ValueTask<int>> operation, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = await operation();
        }
    }

    /// <inheritdoc cref="Run(Func{Task{int}}, int)" />
    public static async Task Run(Func<Strand<int>> operation, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = await operation();
        }
    }

    /// <summary>The same with as many operations in flight as <paramref name="pending" /> has places: all started,
    /// then all awaited.</summary>
    public static async Task RunInFlight(Func<Task<int>> operation, Task<int>[] pending, int count)
    {
        for (int i = 0; i < count; i += pending.Length)
        {
            for (int k = 0; k < pending.Length; k++)
            {
                pending[k] = operation();
            }

            for (int k = 0; k < pending.Length; k++)
            {
                _ = await pending[k];
            }
        }
    }

    /// <inheritdoc cref="RunInFlight(Func{Task{int}}, Task{int}[], int)" />
    public static async Task RunInFlight(Func<ValueTask<int>> operation, ValueTask<int>[] pending, int count)
    {
        for (int i = 0; i < count; i += pending.Length)
        {
            for (int k = 0; k < pending.Length; k++)
            {
                pending[k] = operation();
            }

            for (int k = 0; k < pending.Length; k++)
            {
                _ = await pending[k];
            }
        }
    }

    /// <inheritdoc cref="RunInFlight(Func{Task{int}}, Task{int}[], int)" />
    public static async Task RunInFlight(Func<Strand<int>> operation, Strand<int>[] pending, int count)
    {
        for (int i = 0; i < count; i += pending.Length)
        {
            for (int k = 0; k < pending.Length; k++)
            {
                pending[k] = operation();
            }

            for (int k = 0; k < pending.Length; k++)
            {
                _ = await pending[k];
            }
        }
    }
}
