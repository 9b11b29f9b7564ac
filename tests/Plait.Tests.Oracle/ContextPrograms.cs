// Compiled here as `async Task`, and in Plait.Tests.CSharp for each other way of writing an async method: see its project file.
using System.Runtime.CompilerServices;
using Operation = System.Threading.Tasks.Task;
using Builder = System.Runtime.CompilerServices.AsyncTaskMethodBuilder;

namespace Plait.Tests.Oracle;

/// <summary>Programs that touch the contexts of their thread, as C# async methods.</summary>
public static class ContextPrograms
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, Func<World, Operation>> All { get; } = new Dictionary<string, Func<World, Operation>>
    {
        ["read"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Read();
            await Task.Yield();
            world.Read();
        },
        ["set"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            world.Read();
            await Task.CompletedTask;
        },
        ["set and throw"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            await Task.CompletedTask;
            world.Write(5);
            throw world.Error;
        },
        ["set, yield, set"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await Task.Yield();
            world.Read();
            world.Write(6);
            world.Read();
        },
        ["set, yield, throw"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await Task.Yield();
            world.Read();
            throw world.Error;
        },
        ["completed by a foreign thread"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await new StructAwaitable(new Ending(1));
            world.Read();
            await Foreign.Return(1);
            world.Read();
            await new PlainAwaitable(new Ending(1));
            world.Read();
            await world.ValueTaskOf(new Await(Awaited.ValueTask, false, false));
            world.Read();
        },
        ["flow suppressed and left so"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            ExecutionContext.SuppressFlow();
            world.Write(5);
            await Task.CompletedTask;
        },
        ["flow suppressed around a suspension"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
            Task<int> pending = Foreign.Return(1);
            suppressed.Undo();
            await pending;
            world.Read();
        },
        ["SynchronizationContext replaced"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            SynchronizationContext.SetSynchronizationContext(null);
            world.Read();
            await Task.Yield();
            world.Read();
        },
        ["SynchronizationContext replaced, then a throw"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            await Task.CompletedTask;
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            throw world.Error;
        },
        ["writes in while"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            int i = 0;

            while (i < 3)
            {
                world.Read();
                world.Write(10 + i);
                await Foreign.Return(1);
                world.Read();
                world.Write(20 + i);
                i++;
            }

            world.Read();
        },
        ["writes in for"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            foreach (int i in new[] { 1, 2 })
            {
                world.Read();
                await Foreign.Return(1);
                world.Write(10 + i);
            }

            world.Read();

            foreach (int i in new List<int> { 3, 4 })
            {
                world.Read();
                await Foreign.Return(1);
                world.Write(10 + i);
            }

            world.Read();
        },
        ["writes in try"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            try
            {
                world.Write(5);
                await Foreign.Return(1);
                world.Read();
                world.Write(6);
                await Foreign.Return(1);
                world.Write(7);
            }
            finally
            {
                world.Read();
                world.Write(8);
            }

            world.Read();
            await Foreign.Return(1);
            world.Read();
        },
        ["writes in a handler"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            try
            {
                await Foreign.Return(1);
                world.Write(6);
                throw world.Error;
            }
            catch (Exception error)
            {
                world.Caught(error);
                world.Read();
                await Foreign.Return(1);
                world.Read();
                world.Write(7);
            }

            world.Read();
        },
        ["writes in use"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            await using (world.Open(new Using(true, false, 8, [])))
            {
                await Foreign.Return(1);
                world.Write(6);
            }

            world.Read();

            await using (world.Open(new Using(false, false, 9, [])))
            {
                world.Write(7);
                await Foreign.Return(1);
                world.Read();
            }

            world.Read();
        },
        ["writes after a statement that suspended"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            if (world.WritesContext || !world.WritesContext)
            {
                await Foreign.Return(1);
                world.Write(6);
            }

            world.Read();
            await Foreign.Return(1);
            world.Read();
        },
        ["a sequence that goes back to the context"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await foreach (int item in world.Items()) world.Read();
            world.Read();
        },
        ["a sequence that is configured to go back"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await foreach (int item in world.Items().ConfigureAwait(true)) world.Read();
            world.Read();
        },
        ["a sequence that is configured to stay away"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await foreach (int item in world.Items().ConfigureAwait(false)) world.Read();
            world.Read();
        },
        ["a child that writes"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            await Child(world);
            world.Read();
            await Task.Yield();
            await Child(world);
            world.Read();
        },
        ["a child that writes, awaited later"] = [AsyncMethodBuilder(typeof(Builder))] async Operation (World world) =>
        {
            world.Write(5);
            Operation child = Child(world);
            world.Write(6);
            await Foreign.Return(1);
            await child;
            world.Read();
        },
    };

    [AsyncMethodBuilder(typeof(Builder))]
    private static async Operation Child(World world)
    {
        world.Write(50);
        await Foreign.Return(1);
        world.Write(60);
    }
}
