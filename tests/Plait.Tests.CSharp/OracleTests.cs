// Under test: the oracle. A comparison proves nothing where what it compares with is wrong.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class OracleTests
{
    [Fact]
    public async Task The_interpreter_does_what_the_steps_say()
    {
        var world = new World();
        Ambient.Value = 1;

        await Interpreter.Run(world,
        [
            new Set(2),
            new Try([new Look(), new Await(Awaited.Task, false, true)], [new Set(3)]),
            new Finally([new Pause()], 4),
            new Using(true, false, 5, [new Loop(2, [new Look()])]),
            new Both([new Set(6), new Look()], [new Look()]),
            new Call([new Set(7)]),
            new Look(),
        ]);

        string expected = """
            2 nowhere
            caught
            2 nowhere
            3 nowhere
            2 nowhere
            finally
            4 nowhere
            2 nowhere
            2 nowhere
            2 nowhere
            dispose
            5 nowhere
            {6 nowhere}
            {2 nowhere}
            2 nowhere
            2 nowhere
            2 nowhere
            """;
        Assert.Equal(expected.Replace("\r", ""), world.Trace);
    }

    [Fact]
    public async Task The_foreign_thread_has_an_ambient_value_of_its_own()
    {
        var seen = new TaskCompletionSource<int>();
        Ambient.Value = 1;
        Foreign.Run(() => seen.SetResult(Ambient.Value));
        Assert.Equal(Foreign.Mark, await Within.Result("The foreign thread", seen.Task));
    }

    [Fact]
    public async Task A_settled_source_ends_with_the_outcome_that_was_set()
    {
        Assert.Equal(1, await Foreign.Return(1));
        var error = new TimeoutException();
        Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => Foreign.Return(1, error)));
        Task<int> cancelled = Foreign.Return(1, new OperationCanceledException());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        Assert.True(cancelled.IsCanceled);
    }
}
