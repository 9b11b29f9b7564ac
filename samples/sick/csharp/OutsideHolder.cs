// A lock that a thread outside of the pool holds while it waits: all workers stand before the lock. Instead: the slow call before the lock.
// doctor: STARVED sleep
// function: Prices.Fetch
using System.Runtime.CompilerServices;

namespace Sick;

static class Prices
{
    static readonly object Gate = new();
    static int price;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Fetch()
    {
        Thread.Sleep(30_000); // blamed
        price++;
    }

    static void Refresh()
    {
        lock (Gate)
            Fetch();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Quote(int order)
    {
        lock (Gate)
            if (order == price)
                Console.Error.WriteLine(order);
    }

    public static void Start()
    {
        Load.Forever("prices", Refresh);
        Load.Backlog(Quote);
    }
}
