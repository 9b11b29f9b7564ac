using System.Runtime.CompilerServices;
using Plait.MethodBuilders;

namespace Plait.Benchmarks.CSharp;

/// <summary>The library's async return types and method builders, on the programs of the baselines.</summary>
public static class PooledMethods
{
    /// <summary>Two yields, by return type.</summary>
    public static async PooledValueTask<int> YieldValue()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <summary>Two yields, by attribute.</summary>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public static async ValueTask<int> YieldValueByAttribute()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <summary>Two yields as a Task, by return type.</summary>
    public static async PooledTask<int> YieldTask()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <summary>Two yields as a Task, by attribute.</summary>
    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))]
    public static async Task<int> YieldTaskByAttribute()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    /// <summary>Two waits in the thread that opens the gate.</summary>
    public static async PooledValueTask<int> GateValue(Gate gate) => await gate + await gate;

    /// <summary>The same, by attribute.</summary>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public static async ValueTask<int> GateValueByAttribute(Gate gate) => await gate + await gate;

    /// <summary>The same as a Task.</summary>
    public static async PooledTask<int> GateTask(Gate gate) => await gate + await gate;

    /// <summary>The same as a Task, by attribute.</summary>
    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))]
    public static async Task<int> GateTaskByAttribute(Gate gate) => await gate + await gate;

    /// <summary>The same, and nobody waits.</summary>
    public static async FireAndForget GateForgotten(Gate gate) => _ = await gate + await gate;

    /// <summary>No wait at all.</summary>
    public static async PooledValueTask<int> Sync(int x)
    {
        await Task.CompletedTask;
        return x + 1000;
    }
}
