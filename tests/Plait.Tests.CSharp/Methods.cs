// Compiled once for each way of writing an async method: only what stands before `Task` differs. See the project file.
// Written for `Task`, it is the twin that the others are compared with.
using System.Runtime.CompilerServices;
using Plait.MethodBuilders;
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp.OfTask;

/// <summary>Async methods with a result.</summary>
internal static class Methods
{
    public static async Task<T> Now<T>(T value)
    {
        await Task.CompletedTask;
        return value;
    }

    public static async Task<T> Later<T>(T value, int yields)
    {
        for (int i = 0; i < yields; i++) await Task.Yield();
        return value;
    }

    public static async Task<int> Gated(Gate gate) => await gate + await gate;

    public static async Task<int> Failing(Exception error, int yields)
    {
        for (int i = 0; i < yields; i++) await Task.Yield();
        throw error;
    }

    public static async Task<string> Finally(Gate gate, List<string> log)
    {
        string local = "kept";

        try
        {
            log.Add("body");
            await gate;
            log.Add(local);
        }
        finally
        {
            log.Add("finally");
            await gate;
            log.Add("end");
        }

        return local;
    }

    public static async Task<int> Deep(int depth, bool yields)
    {
        if (depth == 0)
        {
            if (yields) await Task.Yield();
            return 0;
        }

        return 1 + await Deep(depth - 1, yields);
    }

    public static async Task<long> Turns(int turns, bool yields)
    {
        long sum = 0;

        for (int i = 0; i < turns; i++)
        {
            if (yields) await Task.Yield();
            else await Task.CompletedTask;
            sum += await Now(i);
        }

        return sum;
    }

    public static async Task<(int Before, int After, int Last)> Ambients(int written)
    {
        int before = Ambient.Value;
        Ambient.Value = written;
        await Foreign.Return(1);
        int after = Ambient.Value;
        await new PlainAwaitable(new Ending(1));
        return (before, after, Ambient.Value);
    }

    public static async Task<bool> Aside(Gate gate)
    {
        await gate;
        return SynchronizationContext.Current is null;
    }
}
