// A pool that may have eight threads, all of which wait for a task that needs another one: nothing goes on, and no thread is added. Instead
// of a maximum: await.
// doctor: STARVED task wait
// function: Quotas.Spend
using System.Runtime.CompilerServices;

namespace Sick;

static class Quotas
{
    static async Task<int> Left(int order)
    {
        await Task.Delay(10);
        return order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Spend(int order)
    {
        _ = Left(order).Result; // blamed
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(4, 4);
        ThreadPool.SetMaxThreads(8, 8);
        Load.Backlog(Spend);
    }
}
