// Under test: a pooled ValueTask as C# sees it, and its misuse from C#.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class PooledFromCSharp
{
    private static void Read(ValueTask<int> value) => _ = value.Result;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_pending_value_gives_its_result(bool configured)
    {
        var gate = new Gate();
        Task<int> waiting = Wait(Programs.PooledValueTasks.Results.behind(gate, 5));
        Assert.False(waiting.IsCompleted);
        gate.Open();
        Assert.Equal(5, await Within.Result("The value", waiting));

        async Task<int> Wait(ValueTask<int> value) => configured ? await value.ConfigureAwait(false) : await value;
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task An_exception_is_the_same_instance(int yields)
    {
        var error = new TimeoutException("of the value");
        ValueTask<int> value = Programs.PooledValueTasks.Results.fails(error, yields);
        TimeoutException caught = await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("The value", value.AsTask()));
        Assert.Same(error, caught);
    }

    [Fact]
    public void A_second_read_is_refused_and_the_next_operation_unharmed()
    {
        var gate = new Gate();
        ValueTask<int> value = Programs.PooledValueTasks.Results.behind(gate, 1);
        gate.Open();
        Assert.Equal(1, value.Result);
        Assert.Throws<InvalidOperationException>(() => Read(value));
        ValueTask<int> next = Programs.PooledValueTasks.Results.behind(gate, 2);
        Assert.Throws<InvalidOperationException>(() => { _ = value.GetAwaiter().GetResult(); });
        Assert.Throws<InvalidOperationException>(() => { _ = value.IsCompleted; });
        gate.Open();
        Assert.Equal(2, next.Result);
    }

    [Fact]
    public async Task A_premature_read_never_blocks_and_does_no_harm()
    {
        for (int i = 0; i < 3; i++)
        {
            var gate = new Gate();
            ValueTask<int> value = Programs.PooledValueTasks.Results.behind(gate, i);
            Assert.Throws<InvalidOperationException>(() => Read(value));
            Task<int> waiting = value.AsTask();
            gate.Open();
            Assert.Equal(i, await Within.Result("It", waiting));
        }
    }

    [Fact]
    public async Task Two_awaits_at_the_same_time_leave_the_process_alive()
    {
        for (int i = 0; i < 100; i++)
        {
            var gate = new Gate();
            ValueTask<int> value = Programs.PooledValueTasks.Results.behind(gate, i);
            Task<int> first = Wait(), second = Wait();
            gate.Open();
            Task<int>[] both = [first, second];
            await Task.WhenAny(Task.WhenAll(both), Task.Delay(TimeSpan.FromMinutes(2)));
            Assert.True(first.IsCompleted && second.IsCompleted, "An await was lost.");
            _ = Assert.Single(both, task => task.IsCompletedSuccessfully);
            _ = Assert.Single(both, task => task.Exception?.InnerException is InvalidOperationException);

            async Task<int> Wait() => await value;
        }
    }

    [Fact]
    public async Task A_late_await_of_a_consumed_value_gets_the_error_in_its_own_result()
    {
        var gate = new Gate();
        ValueTask<int> old = Programs.PooledValueTasks.Results.behind(gate, 1);
        gate.Open();
        Assert.Equal(1, await old);
        ValueTask<int> next = Programs.PooledValueTasks.Results.behind(gate, 2);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await old);
        gate.Open();
        Assert.Equal(2, await next);
    }

    [Fact]
    public async Task The_context_of_the_awaiting_method_is_its_own()
    {
        Ambient.Value = 1;
        var gate = new Gate();
        Task<int> waiting = Wait();
        Foreign.Run(gate.Open);
        Assert.Equal(77, await Within.Result("It", waiting));
        Assert.Equal(1, Ambient.Value);

        async Task<int> Wait()
        {
            Ambient.Value = 77;
            await Programs.PooledValueTasks.Results.behind(gate, 0);
            return Ambient.Value;
        }
    }

    [Fact]
    public async Task WhenAll_over_many_values()
    {
        Task<int>[] all = [.. Enumerable.Range(0, 200).Select(i => Programs.PooledValueTasks.Results.generic(i, i % 4).AsTask())];
        int[] results = await Within.Result("All", Task.WhenAll(all));
        Assert.Equal(Enumerable.Range(0, 200), results);
    }
}
