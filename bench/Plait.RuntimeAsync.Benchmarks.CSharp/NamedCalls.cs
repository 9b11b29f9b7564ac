namespace Plait.Benchmarks.CSharp;

/// <summary>A loop in an async method that calls a small async method by its name, in C#.</summary>
public static class NamedCalls
{
    /// <summary>The sum of the results of a method that returns a ValueTask.</summary>
    public static async ValueTask<int> ByName(int count)
    {
        int sum = 0;

        for (int i = 0; i < count; i++)
        {
            sum += await Named(i);
        }

        return sum;
    }

    /// <summary>The sum of the results of a method that returns a Task.</summary>
    public static async ValueTask<int> ByNameTask(int count)
    {
        int sum = 0;

        for (int i = 0; i < count; i++)
        {
            sum += await NamedTask(i);
        }

        return sum;
    }

    private static async ValueTask<int> Named(int x) => x + 1;

    private static async Task<int> NamedTask(int x) => x + 1;
}
