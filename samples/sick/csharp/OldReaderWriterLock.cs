// A ReaderWriterLock, the type before ReaderWriterLockSlim, whose writer waits outside of the pool: all workers want to read. Instead: the
// slow call before the lock.
// doctor: STARVED sleep
// function: Fares.Fetch
using System.Runtime.CompilerServices;

namespace Sick;

static class Fares
{
    static readonly ReaderWriterLock Gate = new();
    static int fare;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Fetch()
    {
        Thread.Sleep(30_000); // blamed
        fare++;
    }

    static void Refresh()
    {
        Gate.AcquireWriterLock(Timeout.Infinite);
        try { Fetch(); }
        finally { Gate.ReleaseWriterLock(); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Charge(int order)
    {
        Gate.AcquireReaderLock(Timeout.Infinite);
        try
        {
            if (order == fare)
                Console.Error.WriteLine(order);
        }
        finally { Gate.ReleaseReaderLock(); }
    }

    public static void Start()
    {
        Load.Forever("fares", Refresh);
        Load.Backlog(Charge);
    }
}
