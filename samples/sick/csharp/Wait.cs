// .Wait() on a task, in an event handler that cannot be async, or so it seemed. Return the task, and let whoever raises the event
// await it.
// doctor: STARVED task-wait
// function: Reports.Publish
using System.Runtime.CompilerServices;

namespace Sick;

static class Reports
{
    static int _published;

    static async Task UploadAsync(int report)
    {
        await Task.Delay(300);
        await Task.Delay(200 + report % 2);
    }

    // the JIT may move a method as small as this into its caller, and its line with it
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Publish(int report)
    {
        UploadAsync(report).Wait(); // blamed
        Interlocked.Increment(ref _published);
    }

    /// <summary>Awaits.</summary>
    public static async Task Cured(int report)
    {
        await UploadAsync(report);
        Interlocked.Increment(ref _published);
    }

    public static void Start() => Load.Backlog(Publish);
}
