using System.Collections.Concurrent;

namespace Plait.Tests.Oracle;

/// <summary>A thread of its own whose ambient value is nobody else's: what completes on it must not show it.</summary>
public static class Foreign
{
    /// <summary>The ambient value of this thread.</summary>
    public const int Mark = 999;

    private static readonly BlockingCollection<Action> Queue = [];

    static Foreign()
    {
        var thread = new Thread(Loop) { IsBackground = true, Name = "foreign" };
        thread.UnsafeStart();
    }

    /// <summary>Runs the action there, later.</summary>
    public static void Run(Action action) => Queue.Add(action);

    /// <summary>Completes there, later.</summary>
    public static Task<int> Return(int value, Exception? error = null)
    {
        var source = new TaskCompletionSource<int>();
        Run(() => Settle(source, value, error));
        return source.Task;
    }

    /// <summary>Completes the source: with the error, as cancelled for an OperationCanceledException, or with the
    /// value.</summary>
    public static void Settle(TaskCompletionSource<int> source, int value, Exception? error)
    {
        // an async method is the only public way to a cancelled Task that keeps its exception
        if (error is OperationCanceledException cancelled) source.SetCanceled(cancelled.CancellationToken);
        else if (error is not null) source.SetException(error);
        else source.SetResult(value);
    }

    private static void Loop()
    {
        foreach (Action action in Queue.GetConsumingEnumerable())
        {
            Ambient.Value = Mark; // each time: where the flow is suppressed, C# itself leaves writes behind
            action();
        }
    }
}
