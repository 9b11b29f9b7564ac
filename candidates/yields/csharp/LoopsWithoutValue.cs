// The loop that awaits operations without a value, as LoopsWithValue.cs has that over operations with one. The build makes the
// loop over ValueTasks of it.
using System.Diagnostics;

namespace Plait.Lab.Yields;

/// <summary>Operations that return a <c>Task</c> without a value.</summary>
public sealed class TaskOnly(string? library, Func<Task> operation) : Subject(library)
{
    /// <inheritdoc />
    public override async Task<long> Run(long until)
    {
        long done = 0;

        do
        {
            for (int i = 0; i < InnerOperations; i++)
            {
                await operation();
            }

            done += InnerOperations;
        }
        while (Stopwatch.GetTimestamp() < until);

        return done;
    }

    /// <inheritdoc />
    public override async Task<int?> Call(int x, int y)
    {
        await operation();
        return null;
    }
}
