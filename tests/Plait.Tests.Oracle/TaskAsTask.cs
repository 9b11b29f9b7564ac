namespace Plait.Tests.Oracle;

/// <summary>A Task has <c>AsTask</c>, as every other operation has: the programs are the same text for each.</summary>
public static class TaskAsTask
{
    /// <summary>The Task itself.</summary>
    public static Task AsTask(this Task task) => task;
}
