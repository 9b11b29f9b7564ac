namespace Plait.Tests.CSharp;

/// <summary>Waiting with an end.</summary>
internal static class Within
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    /// <summary>The result, or a failure that says what did not come.</summary>
    public static async Task<T> Result<T>(string what, Task<T> task)
    {
        Assert.True(await Task.WhenAny(task, Task.Delay(Limit)) == task, $"{what} did not end within {Limit.TotalMinutes} minutes.");
        return await task;
    }
}
