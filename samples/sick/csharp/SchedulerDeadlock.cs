// Work in the exclusive scheduler of a pair waits for an async method, which continues in that same scheduler after its await: the method
// waits until the scheduler is free, and that is never. Instead: await it.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

static class Accounts
{
    static readonly ConcurrentExclusiveSchedulerPair Pair = new();

    static async Task<int> RateAsync()
    {
        await Task.Delay(50);
        return 4;
    }

    static async Task<int> BalanceAsync()
    {
        var rate = await RateAsync();
        return 100 * rate;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Book() => Console.Error.WriteLine(BalanceAsync().Result); // hangs

    public static void Start() => Task.Factory.StartNew(Book, default, default, Pair.ExclusiveScheduler);
}
