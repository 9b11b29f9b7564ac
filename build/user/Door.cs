// A user of the package, in C#: return types, attributes, sources, combinators and a strand.
using System.Runtime.CompilerServices;
using Plait;
using Plait.MethodBuilders;

namespace User;

internal static class Door
{
    private static async PooledTask<int> Shared(int x)
    {
        await Task.Yield();
        return x + 1;
    }

    private static async PooledTask SharedUnit() => await Shared(1);

    private static async PooledValueTask<int> Once(int x)
    {
        await Task.Yield().ConfigureAwait(false);
        return await Shared(x) + 1;
    }

    private static async PooledValueTask OnceUnit() => await Once(1);

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))]
    private static async Task<int> ByAttribute(int x) => await Once(x);

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> ByAttributeOnce(int x)
    {
        await Task.Delay(1);
        return await ByAttribute(x);
    }

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder))]
    private static async Task ByAttributeUnit() => await Once(1);

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask ByAttributeOnceUnit() => await ByAttributeUnit();

    private static async FireAndForget Begin(ValueTaskCompletionSource<string> ended)
    {
        await Task.Yield();
        ended.SetResult("forgotten");
    }

    private static async FireAndForget Fail()
    {
        await Task.Yield();
        throw new TimeoutException("late");
    }

    /// <summary>All results, in one line.</summary>
    public static async Task<string> Report()
    {
        await SharedUnit();
        await OnceUnit();
        await ByAttributeOnceUnit();
        int attribute = await ByAttributeOnce(1);

        var pooled = PooledValueTaskSource<int>.Create();
        ValueTask<int> waiting = pooled.Task.Select(value => value + 1);
        pooled.SetResult(attribute);
        int mapped = await waiting;

        using var lazy = LazyTaskCompletionSource<int>.Create();
        lazy.SetResult(7);
        int read = await lazy.Task;

        Strand<int> strand = Strand<int>.Of(8).SelectMany(value => Strand<int>.Of(value + 1));
        int woven = await strand;
        PooledValueTask<int>[] many = [Once(1), Once(2)];
        int[] all = await many.WhenAll();

        var signal = PooledValueTaskSource.Create();
        ValueTask signalled = signal.Task;
        signal.SetResult();
        await signalled;

        using var lazySignal = LazyTaskCompletionSource.Create();
        lazySignal.SetResult();
        await lazySignal.Task;

        await default(ConfiguredYieldAwaitable);

        var ended = ValueTaskCompletionSource<string>.Create();
        _ = Begin(ended);
        string forgotten = await ended.Task;

        var reported = ValueTaskCompletionSource<string>.Create();
        FireAndForget.UnhandledError += (_, error) => reported.TrySetResult(error.Message);
        _ = Fail();
        string message = await reported.Task;

        Pool.Return(new List<int>(4));
        string rented = Pool.TryRent(out List<int>? list) && list.Capacity == 4 ? "rented" : "not rented";

        object box = Pool.Box(5);
        int unboxed = Pool.UnboxAndReturn<int>(box);
        int blocking = await Blocking.Adapt("client").Run(client => client.Length);

        using var monitor = new StarvationMonitor();
        monitor.Start();
        monitor.Stop();
        ThreadPoolGuard.Start(TimeSpan.FromMinutes(1)).Check();
        return $"{attribute} {mapped} {read} {woven} {all[0]} {all[1]} {forgotten} {message} {rented} {unboxed} {blocking}";
    }

    private static async PooledTask<int> TwoShared(bool isPending)
    {
        if (isPending) await Task.Yield();
        int x = await new ValueTask<int>(1);
        if (isPending) await Task.Yield();
        return x;
    }

    private static async PooledValueTask<int> TwoOnce(bool isPending)
    {
        if (isPending) await Task.Yield();
        int x = await new ValueTask<int>(1);
        if (isPending) await Task.Yield();
        return x;
    }

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))]
    private static async Task<int> TwoByAttribute(bool isPending)
    {
        if (isPending) await Task.Yield();
        int x = await new ValueTask<int>(1);
        if (isPending) await Task.Yield();
        return x;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> TwoByAttributeOnce(bool isPending)
    {
        if (isPending) await Task.Yield();
        int x = await new ValueTask<int>(1);
        if (isPending) await Task.Yield();
        return x;
    }

    /// <summary>Loops that await a number of operations of each kind, whose two waits are pending or not.</summary>
    public static (string, Func<bool, int, Task>)[] Loops =>
    [
        ("C# PooledTask<T>", async (isPending, count) => { for (int i = 0; i < count; i++) await TwoShared(isPending); }),
        ("C# PooledValueTask<T>", async (isPending, count) => { for (int i = 0; i < count; i++) await TwoOnce(isPending); }),
        ("C# PooledTaskMethodBuilder<T>", async (isPending, count) => { for (int i = 0; i < count; i++) await TwoByAttribute(isPending); }),
        ("C# PooledValueTaskMethodBuilder<T>", async (isPending, count) => { for (int i = 0; i < count; i++) await TwoByAttributeOnce(isPending); }),
    ];
}
