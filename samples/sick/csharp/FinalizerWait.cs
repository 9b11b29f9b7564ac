// GC.WaitForPendingFinalizers on workers, while a finalizer waits for a lock that a thread outside of the pool holds: that thread makes all of
// them wait. Instead: Dispose, no finalizer that takes a lock, and no wait for finalizers.
// doctor: STARVED sleep
// function: Drivers.Use
using System.Runtime.CompilerServices;

namespace Sick;

static class Drivers
{
    static readonly object Gate = new();

    sealed class Driver
    {
        ~Driver() => Unload();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Unload()
        {
            lock (Gate)
                Console.Error.WriteLine("unloaded");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Use()
    {
        Thread.Sleep(Timeout.Infinite); // blamed
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Install()
    {
        for (var i = 0; i < 10; i++)
            _ = new Driver();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Clean(int order)
    {
        GC.WaitForPendingFinalizers();
        Console.Error.WriteLine(order);
    }

    public static void Start()
    {
        using var inside = new ManualResetEventSlim();
        Load.Forever("driver", () =>
        {
            lock (Gate)
            {
                inside.Set();
                Use();
            }
        });
        inside.Wait();
        Install();
        GC.Collect();
        Load.Backlog(Clean);
    }
}
