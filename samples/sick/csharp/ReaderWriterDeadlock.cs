// A reader that waits for a task which needs the lock in a way that waits for readers: the writer waits for the reader, the reader for the
// writer. Instead: nothing that waits inside of the lock.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

static class Routing
{
    static readonly ReaderWriterLockSlim Gate = new();
    static readonly ManualResetEventSlim Waiting = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Replace()
    {
        Waiting.Set();
        Gate.EnterWriteLock();
        Console.Error.WriteLine("replaced");
        Gate.ExitWriteLock();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Find()
    {
        Gate.EnterReadLock();
        var replaced = Task.Run(Replace);
        // another worker has begun it
        Waiting.Wait();
        replaced.Wait();
        Gate.ExitReadLock();
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(8, 8);
        Task.Run(Find);
    }
}
