// A scheduler that runs one task at a time, for state that no two threads may change: its task sleeps, and all others wait for theirs.
// Await the task, and let it wait by `await Task.Delay(...)`.
// doctor: STARVED sleep
// function: Journal.Append
using System.Runtime.CompilerServices;

namespace Sick;

static class Journal
{
    static readonly TaskFactory One = new(new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Append()
    {
        Thread.Sleep(400); // blamed
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Book(int order)
    {
        One.StartNew(Append).Wait();
    }

    public static void Start()
    {
        // takes a worker before the orders wait for one
        One.StartNew(Append);
        Thread.Sleep(100);
        Load.Backlog(Book);
    }
}
