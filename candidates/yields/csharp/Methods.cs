// The methods in C#: those with a value keep their arguments over both yields, the others only yield.
using System.Runtime.CompilerServices;
using Plait.MethodBuilders;

namespace Plait.Lab.Yields;

internal static class Methods
{
    internal static async Task<int> TaskOf(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    internal static async ValueTask<int> ValueTaskOf(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal static async ValueTask<int> PoolingOf(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    internal static async PooledTask<int> PooledTaskOf(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    internal static async PooledValueTask<int> PooledValueTaskOf(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))]
    internal static async Task<int> PooledTaskOfByAttribute(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    internal static async ValueTask<int> PooledValueTaskOfByAttribute(int x, int y)
    {
        await Task.Yield();
        int sum = x + y;
        await Task.Yield();
        return 10 * sum;
    }

    internal static async Task TaskOnly()
    {
        await Task.Yield();
        await Task.Yield();
    }

    internal static async ValueTask ValueTaskOnly()
    {
        await Task.Yield();
        await Task.Yield();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    internal static async ValueTask PoolingOnly()
    {
        await Task.Yield();
        await Task.Yield();
    }

    internal static async PooledTask PooledTaskOnly()
    {
        await Task.Yield();
        await Task.Yield();
    }

    internal static async PooledValueTask PooledValueTaskOnly()
    {
        await Task.Yield();
        await Task.Yield();
    }

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder))]
    internal static async Task PooledTaskOnlyByAttribute()
    {
        await Task.Yield();
        await Task.Yield();
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    internal static async ValueTask PooledValueTaskOnlyByAttribute()
    {
        await Task.Yield();
        await Task.Yield();
    }
}
