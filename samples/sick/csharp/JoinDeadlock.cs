// Threads that join one another: one holds the lock that the other needs before it can end, and two wait for each other. Beside them one
// joins a thread that works, which is no deadlock. Instead: release the lock before you join the other thread.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

sealed class Archive;

static class Archiving
{
    static readonly Archive Papers = new();
    static Thread? left, right;
    static readonly CountdownEvent BothRun = new(2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Sort()
    {
        lock (Papers)
            Console.Error.WriteLine("sorted");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Close()
    {
        lock (Papers)
        {
            var sorting = new Thread(Sort) { IsBackground = true };
            sorting.Start();
            sorting.Join();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Follow(ref Thread? other)
    {
        BothRun.Signal();
        BothRun.Wait();
        other!.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Watch()
    {
        var working = new Thread(() => Thread.Sleep(Timeout.Infinite)) { IsBackground = true };
        working.Start();
        working.Join();
    }

    public static void Start()
    {
        left = new Thread(() => Follow(ref right)) { IsBackground = true };
        right = new Thread(() => Follow(ref left)) { IsBackground = true };
        left.Start();
        right.Start();
        new Thread(Close) { IsBackground = true }.Start();
        new Thread(Watch) { IsBackground = true }.Start();
    }
}
