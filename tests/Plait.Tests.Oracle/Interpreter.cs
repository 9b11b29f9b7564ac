namespace Plait.Tests.Oracle;

/// <summary>The programs as C# async methods: what every builder must do too.</summary>
public static class Interpreter
{
    /// <summary>Runs a program.</summary>
    public static async Task Run(World world, Step[] steps)
    {
        foreach (Step step in steps)
        {
            if (world.Did(step)) continue;
            if (step is Pause) await Task.Yield();
            else if (step is Await { Kind: Awaited.Task } some) await world.TaskOf(some);
            else await One(world, step);
        }
    }

    private static async Task Awaiting(World world, Await step)
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

    private static async Task Trying(World world, Try step)
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

    private static async Task Finally(World world, Finally step)
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

    private static async Task Using(World world, Using step)
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

    private static async Task Looping(World world, Loop step)
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

    private static async Task Pair(World world, Both step)
    {
        World left = world.Fork(), right = world.Fork();

        try
        {
            Task first = Run(left, step.Left), second = Run(right, step.Right);

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

    private static async Task CallThenRead(World world, CallThenRead step)
    {
        World fork = world.Fork();
        Task call = Run(fork, step.Body);
        world.Read();
        await call;
        world.Join(fork);
        world.Read();
    }

    private static async Task One(World world, Step step)
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
