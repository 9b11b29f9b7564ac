// Threads outside of the pool that wait and harm nobody: the thread of a window that has nothing to do, one whose queue is a channel
// that it waits for by .Result, and one that waits for the end of a server, as a main function does.
// doctor: HEALTHY
using System.Threading.Channels;

namespace Sick;

/// <summary>The same as WindowContext, by a channel.</summary>
sealed class ChannelContext : SynchronizationContext
{
    readonly Channel<(SendOrPostCallback Work, object? State)> posted =
        Channel.CreateUnbounded<(SendOrPostCallback, object?)>();

    public override void Post(SendOrPostCallback work, object? state) => posted.Writer.TryWrite((work, state));

    public void Run()
    {
        SetSynchronizationContext(this);
        while (true)
        {
            var (work, state) = posted.Reader.ReadAsync().AsTask().Result;
            work(state);
        }
    }
}

static class IdleWindow
{
    static readonly TaskCompletionSource end = new();

    static async Task Serve() => await end.Task;

    static void RunServer() => Serve().GetAwaiter().GetResult();

    public static void Start()
    {
        var window = new WindowContext();
        var channel = new ChannelContext();
        new Thread(window.Run) { IsBackground = true, Name = "window" }.Start();
        new Thread(channel.Run) { IsBackground = true, Name = "channel" }.Start();
        new Thread(RunServer) { IsBackground = true, Name = "server" }.Start();

        // each has done something before, and is idle again
        using var done = new CountdownEvent(2);
        window.Post(_ => done.Signal(), null);
        channel.Post(_ => done.Signal(), null);
        done.Wait();
    }
}
