using System.Runtime.CompilerServices;
using Plait.MethodBuilders;
using Co = System.Threading.Tasks.Task<int>;
using Pending = System.Threading.Tasks.Task<int>;

namespace Plait.Benchmarks.CSharp;

/// <summary>The measured programs in C#, written for <c>Task</c>; the build makes a copy for every other kind.</summary>
public sealed class TaskMethods : Subject
{
    private static readonly Task<int> Finished = Task.FromResult(1);
    private static readonly Gate Door = new();
    private static readonly Source Reused = new();

    private static async Co Return(int x) => x + 1000;

    private static async Co AwaitEight(Task<int> t) =>
        await t + await t + await t + await t + await t + await t + await t + await t;

    private static async Co AwaitTen(int x) =>
        await Return(x) + await Return(x) + await Return(x) + await Return(x) + await Return(x)
        + await Return(x) + await Return(x) + await Return(x) + await Return(x) + await Return(x);

    private static async Co PassGates() => await Door + await Door;

    private static async Co TakeFromSource() => await Reused.Next() + await Reused.Next();

    private static async Co YieldTwice()
    {
        await Task.Yield();
        await Task.Yield();
        return 42;
    }

    private static async Co Descend(int depth) => depth == 0 ? 1 : await Descend(depth - 1) + 1;

    private static async Co DescendAndYield(int depth)
    {
        if (depth == 0)
        {
            await Task.Yield();
            return 1;
        }

        return await DescendAndYield(depth - 1) + 1;
    }

    private static async Co JoinYields(int width)
    {
        var pending = new Pending[width];

        for (int k = 0; k < width; k++)
        {
            pending[k] = YieldTwice();
        }

        return (await Joined.All(pending)).Length;
    }

    /// <inheritdoc />
    public override string Name => "C# Task";

    /// <inheritdoc />
    public override void Value(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = Return(1).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override void Eight(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = AwaitEight(Finished).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override void Ten(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = AwaitTen(1).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override void Gates(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Co pending = PassGates();
            Door.Open();
            Door.Open();
            _ = pending.GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override void Sources(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Co pending = TakeFromSource();
            Reused.Complete();
            Reused.Complete();
            _ = pending.GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override Task Yields(int count) => Loops.Run(new Func<Pending>(() => YieldTwice()), count);

    // kept: a thousand places are bytes that no operation costs
    private Pending[] places = [];

    /// <inheritdoc />
    public override Task InFlight(int count, int width)
    {
        if (places.Length != width)
        {
            places = new Pending[width];
        }

        return Loops.RunInFlight(new Func<Pending>(() => YieldTwice()), places, count);
    }

    /// <inheritdoc />
    public override void Deep(int count, int depth)
    {
        for (int i = 0; i < count; i += depth)
        {
            _ = Descend(depth).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc />
    public override Task DeepSuspended(int count, int depth) =>
        Loops.Run(new Func<Pending>(() => DescendAndYield(depth)), (count + depth - 1) / depth);

    /// <inheritdoc />
    public override Task WhenAll(int count, int width) =>
        Loops.Run(new Func<Pending>(() => JoinYields(width)), (count + width - 1) / width);
}
