// Under test: WithTimeout, WithDeadline, AbandonAfter, Retry, MapThrottled and WhenEach as C# calls them, with async lambdas.
using System.Collections.Concurrent;
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

    [Fact]
    public async Task Work_without_a_result_has_the_same_methods()
    {
        using var caller = new CancellationTokenSource();
        await Assert.ThrowsAsync<TimeoutException>(() => TaskCombinators.WithTimeout(Soon, async token => await Task.Delay(Timeout.Infinite, token)));
        await Assert.ThrowsAsync<TimeoutException>(() => TaskCombinators.WithTimeout(Soon, token => Task.Delay(Timeout.Infinite, token)));
        await Assert.ThrowsAsync<TimeoutException>(async () => await ValueTaskCombinators.WithDeadline(DateTimeOffset.UtcNow + Soon, Waiting));
        await Assert.ThrowsAsync<TimeoutException>(async () => await PooledValueTaskCombinators.AbandonAfter(Soon, Endlessly));
        PooledValueTask cancelled = PooledValueTaskCombinators.WithTimeout(TimeSpan.FromHours(1), Endlessly, cancellationToken: caller.Token);
        caller.Cancel();
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cancelled);
        Assert.Equal(caller.Token, error.CancellationToken);

        // what has a result keeps it
        int seven = await TaskCombinators.WithTimeout(TimeSpan.FromHours(1), _ => Task.FromResult(7));
        int eight = await TaskCombinators.WithTimeout(TimeSpan.FromHours(1), Eight);
        Assert.Equal(15, seven + eight);
        int caught = await Task.FromException<int>(new IOException()).Catch(_ => 9);
        Assert.Equal(9, caught);

        int attempts = 0;
        var policy = new RetryPolicy { FirstDelay = TimeSpan.Zero };
        await TaskCombinators.Retry(policy, async (attempt, _) =>
        {
            await Task.Yield();
            attempts = attempt;
            if (attempt < 3) throw new IOException();
        });
        Assert.Equal(3, attempts);
        await ValueTaskCombinators.Retry(policy, (attempt, _) => attempt < 2 ? throw new IOException() : ValueTask.CompletedTask);

        var seen = new ConcurrentQueue<int>();
        await TaskCombinators.ForEachThrottled([1, 2, 3], 2, async item =>
        {
            await Task.Yield();
            seen.Enqueue(item);
        });
        await ValueTaskCombinators.ForEachThrottled(Each([4, 5]), 2, item =>
        {
            seen.Enqueue(item);
            return ValueTask.CompletedTask;
        });
        await PooledValueTaskCombinators.ForEachThrottled([6], 1, item => Note(seen, item));
        Assert.Equal([1, 2, 3, 4, 5, 6], seen.Order());
    }

    [Fact]
    public async Task Operations_without_a_result_are_awaited_together()
    {
        var gate = new TaskCompletionSource();
        ValueTask[] operations = [new ValueTask(gate.Task), ValueTask.CompletedTask];
        var places = new List<int>();
        await foreach (int place in operations.WhenEach())
        {
            places.Add(place);
            gate.TrySetResult();
        }
        Assert.Equal([1, 0], places);
        await operations.WhenAll();
        await operations.WhenAny();
        await new ValueTask(gate.Task).Timeout(TimeSpan.FromHours(1));

        var seen = new ConcurrentQueue<int>();
        await new[] { Note(seen, 1), Note(seen, 2) }.WhenAll();
        await new Func<PooledValueTask>[] { () => Note(seen, 3) }.WhenAllThrottled(1);
        await new Func<Task>[] { () => Note(seen, 4).AsTask() }.Sequential();
        Assert.Equal([1, 2, 3, 4], seen.Order());

        Exception? error = null;
        await Task.FromException(new IOException()).Catch(one => error = one);
        Assert.IsType<IOException>(error);
        await ValueTask.FromException(new TimeoutException()).Catch(one => error = one);
        Assert.IsType<TimeoutException>(error);
    }

    private static Task<int> Eight(CancellationToken token) => Task.FromResult(token.IsCancellationRequested ? 0 : 8);

    private static ValueTask Waiting(CancellationToken token) => new(Task.Delay(Timeout.Infinite, token));

    private static async PooledValueTask Endlessly(CancellationToken token) => await Task.Delay(Timeout.Infinite, token);

    private static async PooledValueTask Note(ConcurrentQueue<int> seen, int item)
    {
        await Task.Yield();
        seen.Enqueue(item);
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
