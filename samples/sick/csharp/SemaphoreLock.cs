// A semaphore of one as a lock, around a call that waits: its holder makes all others wait. Instead: `await one.WaitAsync()`, and the call
// awaited.
// doctor: STARVED sleep
// function: Invoices.Print
using System.Runtime.CompilerServices;

namespace Sick;

static class Invoices
{
    static readonly SemaphoreSlim One = new(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Print()
    {
        Thread.Sleep(300); // blamed
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Send(int order)
    {
        One.Wait();
        try
        {
            Print();
        }
        finally
        {
            One.Release();
        }
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(8, 8);
        Load.Backlog(Send);
    }
}
