// ManualResetEventSlim.Wait: a handler stands until an event is set. A TaskCompletionSource that is completed instead of an event
// that is set can be awaited.
// doctor: STARVED wait-handle
// function: Approvals.Await
using System.Collections.Concurrent;

namespace Sick;

static class Approvals
{
    static readonly ConcurrentQueue<ManualResetEventSlim> Open = new();

    public static int Await(int order)
    {
        using var approved = new ManualResetEventSlim();
        Open.Enqueue(approved);
        approved.Wait(); // blamed
        return order;
    }

    static void Approve()
    {
        Thread.Sleep(300);
        if (Open.TryDequeue(out var approved))
            approved.Set();
    }

    public static void Start()
    {
        Load.Forever("approving", Approve);
        Load.Backlog(order => Await(order));
    }
}
