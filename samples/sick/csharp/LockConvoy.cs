// A long computation inside a lock: whoever wants the lock waits behind it with a thread of the pool, one behind the other, and more
// threads only make the queue longer. Compute before the lock is taken, and keep in it only code that needs it.
// doctor: LOCK CONVOY lock
// function: Ledger.Post
using System.Runtime.CompilerServices;

namespace Sick;

static class Ledger
{
    static readonly object Gate = new();
    static readonly List<uint> Entries = [];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Seal(int order)
    {
        var seal = (uint)order;
        for (var round = 0; round < 20_000_000; round++)
            seal = seal * 1_664_525 + 1_013_904_223;
        return seal;
    }

    public static void Post(int order)
    {
        lock (Gate) // blamed
        {
            var seal = Seal(order);
            if (Entries.Count < 1000)
                Entries.Add(seal);
        }
    }

    /// <summary>Holds the lock for the entry alone.</summary>
    public static void Cured(int order)
    {
        var seal = Seal(order);
        lock (Gate)
            if (Entries.Count < 1000)
                Entries.Add(seal);
    }

    public static void Start()
    {
        // many slow services set this
        ThreadPool.SetMinThreads(12, 12);
        Load.Backlog(Post);
    }
}
