// Two classes whose static fields need each other by tasks: the initializer of one waits for a task that waits for the initializer of the other.
// Instead: no static field whose value waits.
// doctor: HUNG
// doctor on 8: HEALTHY
// doctor on 9: HEALTHY
using System.Runtime.CompilerServices;

namespace Sick;

static class Currencies
{
    public static readonly int Count = Tariffs.OfTask(() => Countries.Count);
}

static class Countries
{
    public static readonly int Count = Tariffs.OfTask(() => Currencies.Count);
}

static class Tariffs
{
    static readonly Barrier Both = new(2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int OfTask(Func<int> count)
    {
        // both classes are being set up, and another worker has the task
        Both.SignalAndWait();
        using var begun = new ManualResetEventSlim();
        var task = Task.Run(() =>
        {
            begun.Set();
            return count();
        });
        begun.Wait();
        return task.Result;
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(8, 8);
        Task.Run(() => Console.Error.WriteLine(Currencies.Count));
        Task.Run(() => Console.Error.WriteLine(Countries.Count));
    }
}
