// The loop that awaits operations with a value. It is the same for all rows of a kind, and allocates nothing for an operation
// itself. The clock is read inside, so that starting and ending a loop is paid once a slice. The build makes the loops over
// ValueTasks and strands of it: see the project file.
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
