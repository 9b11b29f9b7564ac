// Compiled here as `async Task`, and in Plait.Tests.CSharp for each other way of writing an async method: see its project file.
using System.Runtime.CompilerServices;
using Operation = System.Threading.Tasks.Task;
using Builder = System.Runtime.CompilerServices.AsyncTaskMethodBuilder;

namespace Plait.Tests.Oracle;

/// <summary>The programs as C# async methods: what every builder must do too.</summary>
public static class Interpreter
{
    /// <summary>Runs a program.</summary>
    [AsyncMethodBuilder(typeof(Builder))]
    public static async Operation Run(World world, Step[] steps)
    {
        foreach (Step step in steps)
        {
            if (world.Did(step)) continue;
            if (step is Pause) await Task.Yield();
            else if (step is Await { Kind: Awaited.Task } some) await world.TaskOf(some);
            else await One(world, step);
        }
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Awaiting(World world, Await step)
    {
        switch (step.Kind)
        {
            case Awaited.Task:
                await world.TaskOf(step);
                break;
            case Awaited.ValueTask:
                await world.ValueTaskOf(step);
                break;
            case Awaited.Awaiter:
                await new StructAwaitable(world.EndingOf(step));
                break;
            default:
                await new PlainAwaitable(world.EndingOf(step));
                break;
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Trying(World world, Try step)
    {
        try
        {
            foreach (Step inner in step.Body)
            {
                if (world.Did(inner)) continue;
                if (inner is Pause) await Task.Yield();
                else await One(world, inner);
            }
        }
        catch (Exception error)
        {
            world.Caught(error);
            world.Read();

            foreach (Step inner in step.Handler)
            {
                if (world.Did(inner)) continue;
                if (inner is Pause) await Task.Yield();
                else await One(world, inner);
            }
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Finally(World world, Finally step)
    {
        try
        {
            foreach (Step inner in step.Body)
            {
                if (world.Did(inner)) continue;
                if (inner is Pause) await Task.Yield();
                else await One(world, inner);
            }
        }
        finally
        {
            world.Read();
            world.Write(step.Written);
            world.Note("finally");
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Using(World world, Using step)
    {
        await using (world.Open(step))
        {
            foreach (Step inner in step.Body)
            {
                if (world.Did(inner)) continue;
                if (inner is Pause) await Task.Yield();
                else await One(world, inner);
            }
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Looping(World world, Loop step)
    {
        int turn = 0;

        while (turn < step.Turns)
        {
            turn++;

            foreach (Step inner in step.Body)
            {
                if (world.Did(inner)) continue;
                if (inner is Pause) await Task.Yield();
                else await One(world, inner);
            }
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Pair(World world, Both step)
    {
        World left = world.Fork(), right = world.Fork();

        try
        {
            Task first = Run(left, step.Left).AsTask(), second = Run(right, step.Right).AsTask();

            try
            {
                await Task.WhenAll(first, second);
            }
            catch
            {
                // each error is taken below, the first one first
            }

            await first;
            await second;
        }
        finally
        {
            world.Join(left);
            world.Join(right);
        }

        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation CallThenRead(World world, CallThenRead step)
    {
        World fork = world.Fork();
        Operation call = Run(fork, step.Body);
        world.Read();
        await call;
        world.Join(fork);
        world.Read();
    }

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation One(World world, Step step)
    {
        switch (step)
        {
            case Await some:
                await Awaiting(world, some);
                break;
            case Call call:
                await Run(world, call.Body);
                world.Read();
                break;
            case CallThenRead call:
                await CallThenRead(world, call);
                break;
            case Tail tail:
                await Run(world, tail.Body);
                break;
            case Try some:
                await Trying(world, some);
                break;
            case Finally some:
                await Finally(world, some);
                break;
            case Using some:
                await Using(world, some);
                break;
            case Loop some:
                await Looping(world, some);
                break;
            case Both some:
                await Pair(world, some);
                break;
            default:
                throw new NotSupportedException(step.ToString());
        }
    }
}
