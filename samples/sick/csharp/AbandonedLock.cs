// A thread takes a lock by Monitor.Enter and ends without releasing it; a worker waits for that lock for ever. Instead: lock, or
// Monitor.Exit in a finally, on the thread that took it.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

sealed class Till;

static class Shifts
{
    static readonly Till Open = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Count()
    {
        lock (Open) // hangs
            Console.Error.WriteLine("counted");
    }

    public static void Start()
    {
        var cashier = new Thread(() => Monitor.Enter(Open));
        cashier.Start();
        cashier.Join();
        Task.Run(Count);
    }
}
