// Under test: locks, semaphores, events and lazy values, as C# writes them.
namespace Plait.Tests.CSharp;

public class Locks
{
    [Fact]
    public async Task A_lock_is_held_in_the_scope_of_using()
    {
        AsyncLock gate = new();
        int inside = 0;
        int most = 0;

        async Task Visit()
        {
            using (await gate.EnterAsync(CancellationToken.None))
            {
                most = Math.Max(most, ++inside);
                await Task.Yield();
                inside--;
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => Task.Run(Visit)));
        Assert.Equal(1, most);
        Assert.False(gate.IsHeld);
    }

    [Fact]
    public async Task A_using_declaration_and_ConfigureAwait_hold_the_lock_too()
    {
        using AsyncLock gate = new();

        async ValueTask<bool> Visit()
        {
            using AsyncReleaser held = await gate.EnterAsync().ConfigureAwait(false);
            return gate.IsHeld;
        }

        Assert.True(await Visit());
        Assert.False(gate.IsHeld);
    }

    [Fact]
    public void A_lock_is_tried()
    {
        AsyncLock gate = new();
        Assert.True(gate.TryEnter(out AsyncReleaser held));
        using (held)
        {
            Assert.False(gate.TryEnter(out _));
        }

        Assert.False(gate.IsHeld);
    }

    [Fact]
    public async Task A_wait_ends_with_its_token()
    {
        AsyncLock gate = new();
        using CancellationTokenSource source = new();
        using (await gate.EnterAsync())
        {
            ValueTask<AsyncReleaser> wait = gate.EnterAsync(source.Token);
            source.Cancel();
            OperationCanceledException error =
                await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await wait);
            Assert.Equal(source.Token, error.CancellationToken);
        }

        Assert.False(gate.IsHeld);
    }

    [Fact]
    public async Task A_semaphore_bounds_and_counts()
    {
        using AsyncSemaphore semaphore = new(2);
        using (await semaphore.EnterAsync())
        using (await semaphore.EnterAsync())
        {
            Assert.Equal(0, semaphore.CurrentCount);
        }

        await semaphore.WaitAsync();
        semaphore.Release();
        Assert.Throws<SemaphoreFullException>(() => semaphore.Release());

        using AsyncSemaphore signals = new(initialCount: 0, maxCount: 10);
        ValueTask wait = signals.WaitAsync(CancellationToken.None);
        signals.Release(3);
        await wait;
        Assert.Equal(2, signals.CurrentCount);
    }

    [Fact]
    public async Task Events_let_one_or_all_through()
    {
        AsyncManualResetEvent all = new();
        AsyncAutoResetEvent one = new(isSet: true);
        ValueTask wait = all.WaitAsync();
        Assert.False(wait.IsCompleted);
        all.Set();
        await wait;
        await all.WaitAsync();
        await one.WaitAsync();
        Assert.False(one.IsSet);
    }

    [Fact]
    public async Task A_lazy_value_is_awaited_many_times()
    {
        int calls = 0;
        AsyncLazy<string> value = new(async () =>
        {
            await Task.Yield();
            return $"call {++calls}";
        });
        Assert.Equal("call 1", await value);
        Assert.Equal("call 1", await value.ConfigureAwait(false));
        Assert.Equal("call 1", await value.WaitAsync(CancellationToken.None));

        AsyncLazy<int> retried = new(() => ++calls < 3 ? throw new FormatException() : Task.FromResult(calls), LazyFailure.Retry);
        await Assert.ThrowsAsync<FormatException>(async () => await retried);
        Assert.Equal(3, await retried);
    }

    [Fact]
    public async Task The_sample_loads_each_price_once_and_four_at_a_time()
    {
        int loads = 0;
        int inside = 0;
        int most = 0;
        Plait.Samples.Prices prices = new(async name =>
        {
            most = Math.Max(most, Interlocked.Increment(ref inside));
            await Task.Yield();
            Interlocked.Decrement(ref inside);
            return Interlocked.Increment(ref loads) + name.Length;
        });
        await Task.WhenAll(Enumerable.Range(0, 60).Select(n => prices.Get($"{n % 12}", CancellationToken.None)));
        Assert.Equal(12, loads);
        Assert.InRange(most, 1, 4);
        Assert.Empty(await prices.Refresh(CancellationToken.None));
        Assert.Equal(24, loads);
    }

    [Fact]
    public async Task A_refresh_of_the_sample_keeps_the_old_price_of_a_name_that_fails()
    {
        int loads = 0;
        Plait.Samples.Prices prices = new(name => ++loads == 3 ? throw new FormatException() : Task.FromResult(loads));
        Assert.Equal(1, await prices.Get("one", CancellationToken.None));
        Assert.Equal(2, await prices.Get("other", CancellationToken.None));

        (string failed, Exception error) = Assert.Single(await prices.Refresh(CancellationToken.None));
        Assert.IsType<FormatException>(error);
        string renewed = failed == "one" ? "other" : "one";
        Assert.Equal(failed == "one" ? 1 : 2, await prices.Get(failed, CancellationToken.None));
        Assert.Equal(4, await prices.Get(renewed, CancellationToken.None));
        Assert.Equal(4, loads);
    }

    /// The members for F# are none of C#: they would say nothing of being asynchronous.
    [Fact]
    public void The_names_for_FSharp_are_hidden_from_CSharp()
    {
        Assert.Null(typeof(AsyncLock).GetMethod("Enter"));
        Assert.Null(typeof(AsyncSemaphore).GetMethod("Wait"));
        Assert.Null(typeof(AsyncAutoResetEvent).GetMethod("Wait"));
    }
}
