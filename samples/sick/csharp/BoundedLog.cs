// A log whose queue is bounded, and whose writer is slower than the handlers that log: BlockingCollection.Add waits for room. Few are
// woken at a time, so that the processors have nothing to do. Instead: a Channel that drops the lines that do not fit, or WriteAsync.
// doctor: STARVED collection
// function: Log.Write
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Sick;

static class Log
{
    static readonly BlockingCollection<string> lines = new(100);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Write(string line)
    {
        lines.Add(line); // blamed
    }

    public static void Start()
    {
        Load.Forever("log", () =>
        {
            lines.Take();
            Thread.Sleep(50);
        });

        Load.Backlog(order =>
        {
            Write($"order {order} came");
            Write($"order {order} went");
        });
    }
}
