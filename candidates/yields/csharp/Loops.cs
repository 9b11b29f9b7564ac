// The loops that await operations of each kind. They are the same for all rows of a kind, and allocate nothing for an
// operation themselves. The clock is read inside, so that starting and ending a loop is paid once a slice.
using System.Diagnostics;

namespace Plait.Lab.Yields;

/// <summary>Operations that return a <c>Task</c> with a value.</summary>
public sealed class TaskOf(string? library, Func<int, int, Task<int>> operation) : Subject(library)
{
    /// <inheritdoc />
    public override async Task<long> Run(long until)
    {
        long done = 0;

        do
        {
            int sum = 0;

            for (int i = 0; i < InnerOperations; i++)
            {
                sum += await operation(1, 2);
            }

            Check(sum);
            done += InnerOperations;
        }
        while (Stopwatch.GetTimestamp() < until);

        return done;
    }

    /// <inheritdoc />
    public override async Task<int?> Call(int x, int y) => await operation(x, y);
}

/// <summary>Operations that return a <c>ValueTask</c> with a value.</summary>
public sealed class ValueTaskOf(string? library, Func<int, int, ValueTask<int>> operation) : Subject(library)
{
    /// <inheritdoc />
    public override async Task<long> Run(long until)
    {
        long done = 0;

        do
        {
            int sum = 0;

            for (int i = 0; i < InnerOperations; i++)
            {
                sum += await operation(1, 2);
            }

            Check(sum);
            done += InnerOperations;
        }
        while (Stopwatch.GetTimestamp() < until);

        return done;
    }

    /// <inheritdoc />
    public override async Task<int?> Call(int x, int y) => await operation(x, y);
}

/// <summary>Operations that return a strand with a value.</summary>
public sealed class StrandOf(string? library, Func<int, int, Strand<int>> operation) : Subject(library)
{
    /// <inheritdoc />
    public override async Task<long> Run(long until)
    {
        long done = 0;

        do
        {
            int sum = 0;

            for (int i = 0; i < InnerOperations; i++)
            {
                sum += await operation(1, 2);
            }

            Check(sum);
            done += InnerOperations;
        }
        while (Stopwatch.GetTimestamp() < until);

        return done;
    }

    /// <inheritdoc />
    public override async Task<int?> Call(int x, int y) => await operation(x, y);
}

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

/// <summary>Operations that return a <c>ValueTask</c> without a value.</summary>
public sealed class ValueTaskOnly(string? library, Func<ValueTask> operation) : Subject(library)
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
