// Under test: async methods with a result, by return type and by attribute.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class MethodResults
{
    public static TheoryData<string> Doors => Door.Names;

    [Theory, MemberData(nameof(Doors))]
    public void A_method_that_does_not_wait_has_completed(string door)
    {
        Task<string> task = Door.Of(door).Now("value");
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal("value", task.Result);
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task A_method_that_waits_gives_its_result(string door)
    {
        Assert.Equal("value", await Within.Result("It", Door.Of(door).Later("value", 1)));
        Assert.Equal((1, "two"), await Within.Result("It", Door.Of(door).Later((1, "two"), 3)));
    }

    [Theory, MemberData(nameof(Doors))]
    public void A_method_goes_on_where_its_awaiter_calls_it(string door)
    {
        var gate = new Gate();
        Task<int> task = Door.Of(door).Gated(gate);
        gate.Open();
        Assert.False(task.IsCompleted);
        gate.Open();
        Assert.True(task.IsCompleted);
        Assert.Equal(2, task.Result);
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task An_exception_is_the_same_instance_with_its_stack(string door)
    {
        foreach (int yields in new[] { 0, 1, 2 })
        {
            var error = new TimeoutException("of the method");
            Task<int> task = Door.Of(door).Failing(error, yields);
            TimeoutException caught = await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("It", task));
            Assert.Same(error, caught);
            Assert.True(task.IsFaulted);
            Assert.Contains("Failing", caught.StackTrace, StringComparison.Ordinal);
        }
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task A_cancellation_is_cancelled_with_its_token_and_instance(string door)
    {
        using var source = new CancellationTokenSource();
        source.Cancel();

        foreach (int yields in new[] { 0, 1 })
        {
            var error = new OperationCanceledException("of the method", source.Token);
            Task<int> task = Door.Of(door).Failing(error, yields);
            OperationCanceledException caught =
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Within.Result("It", task));
            Assert.True(task.IsCanceled);
            Assert.Same(error, caught);
            Assert.Equal(source.Token, caught.CancellationToken);
        }
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task Finally_runs_once(string door)
    {
        var gate = new Gate();
        var log = new List<string>();
        Task<string> task = Door.Of(door).Finally(gate, log);
        Assert.Equal(["body"], log);
        gate.Open();
        Assert.Equal(["body", "kept", "finally"], log);
        gate.Open();
        Assert.Equal("kept", await Within.Result("It", task));
        Assert.Equal(["body", "kept", "finally", "end"], log);
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task Finally_runs_once_when_the_body_fails(string door)
    {
        var gate = new Gate { Error = new TimeoutException() };
        var log = new List<string>();
        Task<string> task = Door.Of(door).Finally(gate, log);
        gate.Open();
        gate.Error = null;
        gate.Open();
        await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("It", task));
        Assert.Equal(["body", "finally", "end"], log);
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task Deep_calls_and_long_loops_end(string door)
    {
        Door tested = Door.Of(door);

        foreach (bool yields in new[] { false, true })
        {
            Assert.Equal(1000, await Within.Result("The calls", tested.Deep(1000, yields)));
            Assert.Equal(9999L * 10_000 / 2, await Within.Result("The loop", tested.Turns(10_000, yields)));
        }
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task The_execution_context_is_the_methods_own(string door)
    {
        Ambient.Value = 5;
        Task<(int, int, int)> task = Door.Of(door).Ambients(6);
        Assert.Equal(5, Ambient.Value);
        Assert.Equal((5, 6, 6), await Within.Result("It", task));
        Assert.Equal(5, Ambient.Value);
    }

    [Theory, MemberData(nameof(Doors))]
    public async Task Many_at_once_keep_their_own_results(string door)
    {
        Task<int>[] all = [.. Enumerable.Range(0, 500).Select(i => Door.Of(door).Later(i, i % 5))];
        Assert.Equal(Enumerable.Range(0, 500), await Within.Result("All", Task.WhenAll(all)));
    }
}
