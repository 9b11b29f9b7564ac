// One way of writing an asynchronous method: two yields, then the return of ten times the sum of its arguments.
namespace Plait.Lab.Yields;

/// <summary>The operations of a row of the scenario, and how they are awaited.</summary>
/// <param name="library">The assembly it is named after; null: the runtime's own.</param>
public abstract class Subject(string? library)
{
    /// <summary>Operations between two looks at the clock: one alone is too short to be timed.</summary>
    public const int InnerOperations = 1000;

    /// <summary>The assembly it is named after; null: the runtime's own.</summary>
    public string? Library => library;

    /// <summary>Awaits operations one after another until the time stamp has passed, at least one round; returns how many there were.
    /// Throws when results are wrong.</summary>
    public abstract Task<long> Run(long until);

    /// <summary>Runs one operation and returns its result; null when operations of this kind return nothing.</summary>
    public abstract Task<int?> Call(int x, int y);

    /// <summary>The right result of an operation.</summary>
    public static int Expected(int x, int y) => 10 * (x + y);

    /// <summary>Throws unless the results of a round of operations on 1 and 2 add up.</summary>
    protected static void Check(int sum)
    {
        if (sum != InnerOperations * Expected(1, 2))
        {
            throw new InvalidOperationException(
                $"the results of {InnerOperations} operations add up to {sum} instead of {InnerOperations * Expected(1, 2)}");
        }
    }
}
