// A slow call in a method that one thread at a time may be in, by an attribute in place of a lock: all others wait at its beginning, each
// with a thread of the pool. Do the slow part outside; where it must be inside, take a SemaphoreSlim with WaitAsync.
// doctor: STARVED sleep
// function: Counter.Add
using System.Runtime.CompilerServices;

namespace Sick;

static class Counter
{
    static int total;

    [MethodImpl(MethodImplOptions.Synchronized)]
    public static void Add(int order)
    {
        // the count goes to a remote store before the next one
        Thread.Sleep(100); // blamed
        total += order % 2;
    }

    public static void Start()
    {
        // many slow services set this
        ThreadPool.SetMinThreads(12, 12);
        Load.Backlog(Add);
    }
}
