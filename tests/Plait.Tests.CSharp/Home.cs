using System.Collections.Concurrent;

namespace Plait.Tests.CSharp;

/// <summary>A SynchronizationContext with a thread of its own, for the time of one run.</summary>
public sealed class Home : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> queue = [];

    /// <inheritdoc />
    public override void Post(SendOrPostCallback d, object? state) => queue.Add((d, state));

    /// <summary>Runs an async operation from this context to its end.</summary>
    public static void Run(Func<Home, Task> operation)
    {
        var home = new Home();
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            SetSynchronizationContext(home);

            try
            {
                Task running = operation(home);
                running.ContinueWith(_ => home.queue.CompleteAdding(), TaskScheduler.Default);
                foreach ((SendOrPostCallback callback, object? state) in home.queue.GetConsumingEnumerable()) callback(state);
                running.GetAwaiter().GetResult();
            }
            catch (Exception error)
            {
                failure = error;
            }
        })
        { IsBackground = true };
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromMinutes(2)), "The operation did not end.");
        if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
    }
}
