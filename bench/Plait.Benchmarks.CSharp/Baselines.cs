using System.Runtime.CompilerServices;

namespace Plait.Benchmarks.CSharp;

/// <summary>The measured programs in C#: plain <c>async</c>, and with the BCL's pooling builder.</summary>
public static class Baselines
{
    /// <summary>No await.</summary>
    public static async Task<int> ReturnTask(int x) => x + 1000;

    /// <inheritdoc cref="ReturnTask" />
    public static async ValueTask<int> ReturnValueTask(int x) => x + 1000;

    /// <inheritdoc cref="ReturnTask" />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<int> ReturnPooled(int x) => x + 1000;

    /// <summary>Eight awaits of something completed.</summary>
    public static async Task<int> EightTask(Task<int> t) =>
        await t + await t + await t + await t + await t + await t + await t + await t;

    /// <inheritdoc cref="EightTask" />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<int> EightPooled(Task<int> t) =>
        await t + await t + await t + await t + await t + await t + await t + await t;

    /// <summary>Two suspensions on a gate.</summary>
    public static async Task<int> GateTask(Gate gate) => await gate + await gate;

    /// <inheritdoc cref="GateTask" />
    public static async ValueTask<int> GateValueTask(Gate gate) => await gate + await gate;

    /// <inheritdoc cref="GateTask" />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<int> GatePooled(Gate gate) => await gate + await gate;

    /// <summary>Two suspensions on an IValueTaskSource.</summary>
    public static async Task<int> SourceTask(Source source) => await source.Next() + await source.Next();

    /// <inheritdoc cref="SourceTask" />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<int> SourcePooled(Source source) => await source.Next() + await source.Next();

    /// <summary>Two suspensions on the thread pool.</summary>
    public static async Task<int> YieldTask()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <inheritdoc cref="YieldTask" />
    public static async ValueTask<int> YieldValueTask()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <inheritdoc cref="YieldTask" />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<int> YieldPooled()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <summary>Runs an operation again and again, awaiting each; allocates nothing per operation itself.</summary>
    public static async Task Loop(Func<ValueTask<int>> operation, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = await operation();
        }
    }

    /// <summary>The same with as many operations in flight as <paramref name="pending" /> has places: all started,
    /// then all awaited.</summary>
    public static async Task LoopInFlight(Func<ValueTask<int>> operation, ValueTask<int>[] pending, int count)
    {
        for (int i = 0; i < count; i++)
        {
            for (int k = 0; k < pending.Length; k++)
            {
                pending[k] = operation();
            }

            for (int k = 0; k < pending.Length; k++)
            {
                _ = await pending[k];
            }
        }
    }
}
