// A slow call inside a lock: whoever wants the lock waits behind it with a thread of the pool, one behind the other, and more
// threads only make the queue longer. Do the slow part outside; where it must be inside, take a SemaphoreSlim with WaitAsync.
// doctor: LOCK CONVOY lock
// function: Ledger.Post
namespace Sick;

static class Ledger
{
    static readonly object Gate = new();
    static readonly SemaphoreSlim Turn = new(1);
    static readonly List<int> Entries = [];

    public static void Post(int order)
    {
        lock (Gate) // blamed
        {
            // the entry goes to a remote store before it counts
            Thread.Sleep(100);
            if (Entries.Count < 1000)
                Entries.Add(order);
        }
    }

    /// <summary>Waits for its turn without a thread.</summary>
    public static async Task Cured(int order)
    {
        await Turn.WaitAsync();
        try
        {
            await Task.Delay(100);
            if (Entries.Count < 1000)
                Entries.Add(order);
        }
        finally
        {
            Turn.Release();
        }
    }

    public static void Start()
    {
        // what many services set when they are slow
        ThreadPool.SetMinThreads(12, 12);
        Load.Backlog(Post);
    }
}
