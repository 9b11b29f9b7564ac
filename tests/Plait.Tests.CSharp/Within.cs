namespace Plait.Tests.CSharp;

/// <summary>Waiting with an end.</summary>
internal static class Within
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(200);

    /// <summary>The result, or a failure that says what did not come.</summary>
    public static async Task<T> Result<T>(string what, Task<T> task)
    {
        Assert.True(await Task.WhenAny(task, Task.Delay(Limit)) == task, $"{what} did not end within {Limit.TotalSeconds} s.");
        return await task;
    }
}
