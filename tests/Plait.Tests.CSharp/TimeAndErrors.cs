// Under test: WithTimeout, WithDeadline, AbandonAfter, Retry, MapThrottled and WhenEach as C# calls them, with async lambdas.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class TimeAndErrors
{
    private static readonly TimeSpan Soon = TimeSpan.FromMilliseconds(5);

    [Fact]
    public async Task A_limit_cancels_async_lambdas()
    {
        await Assert.ThrowsAsync<TimeoutException>(() => TaskCombinators.WithTimeout(Soon, async token =>
        {
            await Task.Delay(Timeout.Infinite, token);
            return 1;
        }));

        await Assert.ThrowsAsync<TimeoutException>(async () => await ValueTaskCombinators.WithDeadline(DateTimeOffset.UtcNow + Soon, async token =>
        {
            await Task.Delay(Timeout.Infinite, token);
            return 1;
        }));

        var gate = new Gate();
        await Assert.ThrowsAsync<TimeoutException>(async () => await StrandCombinators.AbandonAfter(Soon, _ => Programs.Strand.Results.behind(gate, 1)));
        gate.Open();

        using var caller = new CancellationTokenSource();
        PooledValueTask<int> cancelled = PooledValueTaskCombinators.WithTimeout(TimeSpan.FromHours(1), Endless, cancellationToken: caller.Token);
        caller.Cancel();
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cancelled);
        Assert.Equal(caller.Token, error.CancellationToken);
    }

    [Fact]
    public async Task Failed_work_is_tried_again()
    {
        var policy = new RetryPolicy { Attempts = 4, FirstDelay = TimeSpan.Zero, Handles = error => error is IOException };

        Assert.Equal(3, await TaskCombinators.Retry(policy, async (attempt, token) =>
        {
            await Task.Yield();
            token.ThrowIfCancellationRequested();
            return attempt < 3 ? throw new IOException() : attempt;
        }));

        Assert.Equal(4, await ValueTaskCombinators.RetryUntil(policy, (attempt, _) => new ValueTask<int>(attempt), value => value > 100));
    }

    [Fact]
    public async Task Items_are_mapped_and_results_come_one_by_one()
    {
        int[] items = [1, 2, 3];
        int[] doubled = await TaskCombinators.MapThrottled(items, 2, async item =>
        {
            await Task.Yield();
            return item * 2;
        });
        Assert.Equal([2, 4, 6], doubled);
        int[] tripled = await ValueTaskCombinators.MapThrottled(Each(items), 2, item => new ValueTask<int>(item * 3));
        Assert.Equal([3, 6, 9], tripled);

        var seen = new List<int>();
        await foreach (int item in items.Select(item => new ValueTask<int>(item)).WhenEach()) seen.Add(item);
        Assert.Equal(items, seen);
    }

    private static async IAsyncEnumerable<int> Each(int[] items)
    {
        foreach (int item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private static async PooledValueTask<int> Endless(CancellationToken token)
    {
        await Task.Delay(Timeout.Infinite, token);
        return 1;
    }
}
