// A finalizer that waits for an answer: no other finalizer runs, and the memory of all objects that have one is never freed. Instead:
// Dispose, and a finalizer that waits for nothing.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

static class Handles
{
    static readonly ManualResetEventSlim Answer = new();

    sealed class Handle
    {
        ~Handle() => Close();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Close() => Answer.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Open()
    {
        for (var i = 0; i < 10; i++)
            _ = new Handle();
    }

    public static void Start()
    {
        Open();
        GC.Collect();
        // the doctor calls a finalizer hung that has stood for five seconds
        Thread.Sleep(5_500);
    }
}
