// Under test: every async return type and every method builder against `async Task`: the oracle's own source, compiled once
// more for each of them, must leave the same trace. Random programs, and those that touch the contexts of their thread.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class SameAsTask
{
    private static readonly Dictionary<string, Func<World, Step[], Task>> Interpreters = new()
    {
        ["PooledTask"] = async (world, steps) => await Oracle.OfPooledTask.Interpreter.Run(world, steps),
        ["PooledValueTask"] = async (world, steps) => await Oracle.OfPooledValueTask.Interpreter.Run(world, steps),
        ["Task by attribute"] = (world, steps) => Oracle.OfTaskByAttribute.Interpreter.Run(world, steps),
        ["ValueTask by attribute"] = async (world, steps) => await Oracle.OfValueTaskByAttribute.Interpreter.Run(world, steps),
    };

    private static readonly Dictionary<string, Func<string, World, Task>> Programs = new()
    {
        ["PooledTask"] = (name, world) => Oracle.OfPooledTask.ContextPrograms.All[name](world),
        ["PooledValueTask"] = (name, world) => Oracle.OfPooledValueTask.ContextPrograms.All[name](world).AsTask(),
        ["Task by attribute"] = (name, world) => Oracle.OfTaskByAttribute.ContextPrograms.All[name](world),
        ["ValueTask by attribute"] = (name, world) => Oracle.OfValueTaskByAttribute.ContextPrograms.All[name](world).AsTask(),
    };

    public static TheoryData<string> Kinds => [.. Interpreters.Keys];

    public static TheoryData<string, string, bool, bool> ContextCases
    {
        get
        {
            var data = new TheoryData<string, string, bool, bool>();
            foreach (string kind in Programs.Keys)
                foreach (string program in ContextPrograms.All.Keys)
                    foreach (bool home in new[] { false, true })
                        foreach (bool suppressed in new[] { false, true })
                            if (!suppressed || Decided.Contains(program)) data.Add(kind, program, home, suppressed);
            return data;
        }
    }

    private static string Trace(bool home, Func<World, Task> program)
    {
        World world = new();

        async Task Observed()
        {
            Ambient.Value = 1;

            try
            {
                await program(world);
                world.Note("ended");
            }
            catch (Exception error)
            {
                world.Caught(error);
            }

            world.Read();
        }

        if (home)
        {
            Home.Run(context =>
            {
                world = new World(context);
                return Observed();
            });
        }
        else
        {
            Assert.True(Task.Run(Observed).Wait(TimeSpan.FromMinutes(2)), "The program did not end.");
        }

        return world.Trace;
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Random_programs_leave_the_same_trace(string kind)
    {
        for (int seed = 0; seed < 150; seed++)
        {
            Step[] steps = RandomSteps.Of(seed);
            bool home = seed % 3 == 0;
            string expected = Trace(home, world => Interpreter.Run(world, steps));
            string seen = Trace(home, world => Interpreters[kind](world, steps));
            Assert.True(expected == seen, $"seed {seed}, {Step.Show(steps)}\nC#:\n{expected}\n{kind}:\n{seen}");
        }
    }

    [Fact]
    public void Random_programs_end_in_values_and_in_failures()
    {
        string[] ends = [.. Enumerable.Range(0, 100).Select(seed =>
            Trace(false, world => Interpreter.Run(world, RandomSteps.Of(seed))).Split('\n')[^2])];
        Assert.Contains("ended", ends);
        Assert.Contains("caught", ends);
    }

    /// <summary>Where the flow is suppressed a program sees the context of whatever thread resumes it: only these are the same each time.</summary>
    private static readonly HashSet<string> Decided = ["read", "set", "set and throw", "set, yield, set", "set, yield, throw"];

    private static string Observe(bool home, bool suppressed, Func<World, Task> program)
    {
        World caller = new(), world = new();

        if (home)
        {
            Home.Run(context =>
            {
                caller = new World(context);
                world = new World(context);
                return Drive.Observe(caller, world.Error, suppressed, () => program(world));
            });
        }
        else
        {
            Task running = Task.Run(() => Drive.Observe(caller, world.Error, suppressed, () => program(world)));
            Assert.True(running.Wait(TimeSpan.FromMinutes(2)), "The program did not end.");
        }

        return $"caller:\n{caller.Trace}\nprogram:\n{world.Trace}";
    }

    [Theory, MemberData(nameof(ContextCases))]
    public void A_program_and_its_caller_have_the_same_contexts_as_with_Task(string kind, string program, bool home, bool suppressed)
    {
        string expected = Observe(home, suppressed, ContextPrograms.All[program]);
        Assert.Equal(expected, Observe(home, suppressed, world => Programs[kind](program, world)));
    }
}
