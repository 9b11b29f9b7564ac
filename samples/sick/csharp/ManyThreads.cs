// Two thousand threads of its own, or as many as SICK_THREADS says, that sleep, a few that stand deep in recursion, and one that computes. The pool is well.
// doctor: HEALTHY
namespace Sick;

static class ManyThreads
{
    static int Deep(int left)
    {
        if (left > 0)
            return Deep(left - 1) + 1;
        Thread.Sleep(Timeout.Infinite);
        return 0;
    }

    static void Compute()
    {
        for (var number = 0u; ; number++)
            Volatile.Write(ref last, number);
    }

    static uint last;

    static void Start(Action work, int stack) =>
        new Thread(() => work(), stack) { IsBackground = true, Priority = ThreadPriority.Lowest }.Start();

    public static void Start()
    {
        var count = int.Parse(Environment.GetEnvironmentVariable("SICK_THREADS") ?? "2000");
        for (var i = 0; i < count; i++)
            Start(() => Thread.Sleep(Timeout.Infinite), 128 * 1024);
        for (var i = 0; i < 5; i++)
            Start(() => Deep(20_000), 16 * 1024 * 1024);
        Start(Compute, 0);
        Load.Steady(_ => Thread.Yield());
    }
}
