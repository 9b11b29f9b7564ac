// A lock of the program's own, over a semaphore, held around a call that waits: the others wait in the class of the lock, and its holder is
// blocked in another one. Instead: a semaphore with `await gate.WaitAsync()`, and `await`.
// doctor: STARVED task wait
// function: Tickets.Reserve
using System.Runtime.CompilerServices;

namespace Sick;

sealed class OneAtATime : IDisposable
{
    readonly SemaphoreSlim gate = new(1, 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public IDisposable Take()
    {
        gate.Wait();
        return this;
    }

    public void Dispose() => gate.Release();
}

static class Tickets
{
    static readonly OneAtATime One = new();

    static async Task<int> ReserveAsync(int order)
    {
        await Task.Delay(50);
        return order % 300;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Reserve(int order)
    {
        var seat = ReserveAsync(order).Result; // blamed
        return seat + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Sell(int order)
    {
        using (One.Take())
        {
            var seat = Reserve(order);
            GC.KeepAlive(seat);
        }
    }

    public static void Start() => Load.Backlog(Sell);
}
