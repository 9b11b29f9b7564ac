// A lock around the wait for an async method that needs the lock too, after its first await. Instead: await it outside of the lock, or a
// SemaphoreSlim with WaitAsync.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

static class Shelves
{
    static readonly object Gate = new();

    static async Task CountAsync()
    {
        await Task.Delay(50);
        lock (Gate)
            GC.KeepAlive(Gate);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Sort()
    {
        lock (Gate)
            CountAsync().Wait();
    }

    public static void Start() => Task.Run(Sort);
}
