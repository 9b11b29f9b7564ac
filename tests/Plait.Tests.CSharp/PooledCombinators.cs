// Under test: the combinators on the results of `async PooledValueTask<T>` methods, without a conversion. They are a copy of the
// text over ValueTask<T>, so that one case each shows that they are called with the same operations, in the same order, once.
namespace Plait.Tests.CSharp;

public class PooledCombinators
{
    private static async PooledValueTask<T> Later<T>(T value)
    {
        await Task.Yield();
        return value;
    }

    private static async PooledValueTask<int> Late(TaskCompletionSource<int> source) => await source.Task;

    [Fact]
    public async Task Each_combinator_of_one_operation_gives_its_result_or_error()
    {
        Assert.Equal("5", await Later(5).Select(value => value.ToString()));
        Assert.Equal(6, await Later(5).SelectMany(value => Later(value + 1)));
        Assert.Equal("5 of 6", await (from a in Later(5) from b in Later(a + 1) select $"{a} of {b}"));
        await Later(5).Ignore();
        Assert.Equal(9, await Late(Failed()).Catch(error => error is TimeoutException ? 9 : throw error));
        await Assert.ThrowsAsync<TimeoutException>(() => Late(Failed()).Ignore().AsTask());
    }

    [Fact]
    public async Task Each_combinator_of_two_operations_gives_both_results()
    {
        (int left, string right) = await Later(5).Zip(Later("right"));
        Assert.Equal((5, "right"), (left, right));
        Assert.Equal((5, 6), await Later(5).ParallelZip(Later(6)));
        Assert.Equal(10, await Later<Func<int, int>>(x => x + x).Apply(Later(5)));
    }

    [Fact]
    public async Task Each_combinator_of_many_operations_gives_their_results()
    {
        TaskCompletionSource<int> slow = new(), fast = new();
        Task<int[]> all = new[] { Late(slow), Late(fast) }.WhenAll().AsTask();
        fast.SetResult(2);
        Assert.False(all.IsCompleted);
        slow.SetResult(1);
        Assert.Equal(Row(1, 2), await Within.Result("WhenAll", all));

        (slow, fast) = (new(), new());
        Task<int> any = new List<PooledValueTask<int>> { Late(slow), Late(fast) }.WhenAny().AsTask();
        fast.SetResult(2);
        Assert.Equal(2, await Within.Result("WhenAny", any));
        slow.SetResult(1);
    }

    [Fact]
    public async Task Each_combinator_of_many_starts_gives_their_results()
    {
        TaskCompletionSource<int>[] gates = [new(), new(), new()];
        int started = 0;

        Func<PooledValueTask<int>> Start(TaskCompletionSource<int> gate) => () =>
        {
            started++;
            return Late(gate);
        };

        Task<int[]> all = gates.Select(Start).WhenAllThrottled(2).AsTask();
        Assert.Equal(2, started);
        foreach (TaskCompletionSource<int> gate in gates) gate.SetResult(1);
        Assert.Equal(Row(1, 1, 1), await Within.Result("WhenAllThrottled", all));
        Assert.Equal(Row(1, 1, 1), await gates.Select(Start).Sequential());
    }

    [Fact]
    public async Task Timeout_gives_the_result_or_a_TimeoutException()
    {
        using var cancels = new CancellationTokenSource();
        var source = new TaskCompletionSource<int>();
        Task<int> limited = Late(source).Timeout(TimeSpan.FromMilliseconds(5), cancels: cancels).AsTask();
        await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("Timeout", limited));
        Assert.True(cancels.IsCancellationRequested);
        source.SetResult(1);
        Assert.Equal(5, await Later(5).Timeout(TimeSpan.FromHours(1)));
    }

    private static T[] Row<T>(params T[] items) => items;

    private static TaskCompletionSource<int> Failed()
    {
        var source = new TaskCompletionSource<int>();
        source.SetException(new TimeoutException());
        return source;
    }
}
