// The thread of a window asks for a price, and waits for it by .Result. After its await the price goes on in the context of that
// thread, which waits: neither goes on, and the pool has nothing to do. Instead: await it, all the way up to the event of the window.
// doctor: HUNG
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Sick;

/// <summary>Posted work runs on one thread, one item after the other.</summary>
sealed class WindowContext : SynchronizationContext
{
    readonly BlockingCollection<(SendOrPostCallback Work, object? State)> posted = [];

    public override void Post(SendOrPostCallback work, object? state) => posted.Add((work, state));

    /// <summary>Waits until it has run.</summary>
    public override void Send(SendOrPostCallback work, object? state)
    {
        using var done = new ManualResetEventSlim();
        Post(_ =>
        {
            work(state);
            done.Set();
        }, null);
        done.Wait();
    }

    public void Run()
    {
        SetSynchronizationContext(this);
        foreach (var (work, state) in posted.GetConsumingEnumerable())
            work(state);
    }
}

static class Window
{
    static async Task<int> Price()
    {
        await Task.Delay(50);
        return 42;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Clicked() => Console.Error.WriteLine(Price().Result); // hangs

    public static void Start()
    {
        var context = new WindowContext();
        context.Post(_ => Clicked(), null);
        new Thread(context.Run) { IsBackground = true, Name = "window" }.Start();
    }
}
