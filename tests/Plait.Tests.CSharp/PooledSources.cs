// Under test: PooledValueTaskSource and PooledValueTaskSource<T>: what is set by hand.
using System.Runtime.CompilerServices;

namespace Plait.Tests.CSharp;

public class PooledSources
{
    [Fact]
    public async Task A_result_reaches_every_waiter()
    {
        var source = PooledValueTaskSource<string>.Create();
        Task<string> waiting = Wait();
        Assert.False(waiting.IsCompleted);
        Assert.True(source.TrySetResult("value"));
        Assert.Equal("value", await Within.Result("It", waiting));

        async Task<string> Wait() => await source.PooledTask;
    }

    [Fact]
    public async Task The_end_of_a_source_without_a_result_reaches_every_waiter()
    {
        var source = PooledValueTaskSource.Create();
        Task<int> waiting = Wait();
        Assert.False(waiting.IsCompleted);
        source.SetResult();
        Assert.Equal(5, await Within.Result("It", waiting));

        async Task<int> Wait()
        {
            await source.PooledTask;
            return 5;
        }
    }

    [Fact]
    public void The_states_of_a_source()
    {
        var source = PooledValueTaskSource<int>.Create();
        Assert.False(source.IsNull);
        Assert.True(source.IsValid);
        Assert.True(source.HasTask);
        source.SetResult(1);
        Assert.True(source.IsValid); // its result is still to be taken
        Assert.True(source.HasTask);
        Assert.Equal(1, source.Task.Result);
        Assert.False(source.IsValid);
        Assert.True(source.HasTask); // it had one, which is over

        Assert.True(default(PooledValueTaskSource<int>).IsNull);
        Assert.False(default(PooledValueTaskSource<int>).IsValid);
        Assert.False(default(PooledValueTaskSource<int>).HasTask);
        Assert.False(default(PooledValueTaskSource<int>).TrySetResult(1));
        Assert.Equal(0, default(PooledValueTaskSource<int>).Task.Result);

        var constant = new PooledValueTaskSource<int>(7);
        Assert.False(constant.IsNull);
        Assert.False(constant.IsValid);
        Assert.False(constant.HasTask);
        Assert.Equal(7, constant.Task.Result);
        Assert.False(constant.TrySetResult(8));
    }

    [Fact]
    public void The_states_of_a_source_without_a_result()
    {
        var source = PooledValueTaskSource.Create();
        Assert.False(source.IsNull);
        Assert.True(source.IsValid);
        Assert.True(source.HasTask);
        Assert.True(source.TrySetResult());
        Assert.True(source.IsValid);
        Assert.True(source.HasTask);
        source.Task.GetAwaiter().GetResult();
        Assert.False(source.IsValid);
        Assert.True(source.HasTask);
        Assert.False(source.TrySetResult());

        Assert.True(default(PooledValueTaskSource) is { IsNull: true, IsValid: false, HasTask: false });
        Assert.False(default(PooledValueTaskSource).TrySetResult());
        Assert.False(default(PooledValueTaskSource).TrySetCanceled());
        Assert.True(default(PooledValueTaskSource).Task.IsCompletedSuccessfully);
    }

    [Fact]
    public void The_second_setter_is_refused()
    {
        var source = PooledValueTaskSource<int>.Create();
        source.SetResult(1);
        Assert.False(source.TrySetResult(2));
        Assert.False(source.TrySetException(new TimeoutException()));
        Assert.False(source.TrySetCanceled());
        Assert.Throws<InvalidOperationException>(() => source.SetResult(2));
        Assert.Throws<InvalidOperationException>(() => source.SetException(new TimeoutException()));
        Assert.Throws<InvalidOperationException>(() => source.SetCanceled());
        Assert.Equal(1, source.Task.Result);

        var unit = PooledValueTaskSource.Create();
        unit.SetCanceled();
        Assert.Throws<InvalidOperationException>(() => unit.SetResult());
        Assert.Throws<InvalidOperationException>(() => unit.SetException(new TimeoutException()));
        Assert.Throws<InvalidOperationException>(() => unit.SetCanceled());
        Assert.True(unit.Task.IsCanceled);
        Assert.ThrowsAny<OperationCanceledException>(() => unit.Task.GetAwaiter().GetResult());
    }

    [Fact]
    public void No_exception_is_an_argument_error_and_changes_nothing()
    {
        var source = PooledValueTaskSource<int>.Create();
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));
        Assert.Throws<ArgumentNullException>(() => source.SetException(null!));
        Assert.True(source.TrySetResult(1));
        Assert.Equal(1, source.Task.Result);
        var unit = PooledValueTaskSource.Create();
        Assert.Throws<ArgumentNullException>(() => unit.SetException(null!));
        Assert.True(unit.TrySetResult());
        unit.Task.GetAwaiter().GetResult();
    }

    [Fact]
    public async Task An_exception_is_the_same_instance()
    {
        var error = new TimeoutException();
        var source = PooledValueTaskSource<int>.Create();
        source.SetException(error);
        ValueTask<int> task = source.Task;
        Assert.True(task.IsFaulted);
        Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(async () => await task));
    }

    [Fact]
    public async Task A_cancellation_keeps_its_token_and_instance()
    {
        using var cancellation = new CancellationTokenSource();
        cancellation.Cancel();
        var source = PooledValueTaskSource<int>.Create();
        Assert.True(source.TrySetCanceled(cancellation.Token));
        Assert.True(source.Task.IsCanceled);
        OperationCanceledException caught =
            await Assert.ThrowsAsync<TaskCanceledException>(async () => await source.Task);
        Assert.Equal(cancellation.Token, caught.CancellationToken);

        var own = new OperationCanceledException("own", cancellation.Token);
        var second = PooledValueTaskSource.Create();
        second.SetException(own);
        Task task = second.Task.AsTask();
        Assert.True(task.IsCanceled);
        Assert.Same(own, await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task));
    }

    [Fact]
    public async Task A_premature_result_never_blocks_and_does_no_harm()
    {
        var source = PooledValueTaskSource<int>.Create();
        Assert.Throws<InvalidOperationException>(() => source.PooledTask.Result);
        Task<int> waiting = source.Task.AsTask();
        source.SetResult(3);
        Assert.Equal(3, await Within.Result("It", waiting));
    }

    [Fact]
    public void A_handle_of_an_earlier_use_harms_no_other_operation()
    {
        var old = PooledValueTaskSource<int>.Create();
        ValueTask<int> oldTask = old.Task;
        old.SetResult(1);
        Assert.Equal(1, oldTask.Result);
        var next = PooledValueTaskSource<int>.Create(); // the same object, on this thread
        Assert.NotEqual(old, next);
        Assert.False(old.TrySetResult(5));
        Assert.False(old.TrySetException(new TimeoutException()));
        Assert.False(old.TrySetCanceled());
        Assert.False(old.IsValid);
        Assert.Throws<InvalidOperationException>(() => { _ = oldTask.IsCompleted; });
        Assert.Throws<InvalidOperationException>(() => oldTask.GetAwaiter().GetResult());
        Assert.True(next.IsValid);
        Assert.True(next.TrySetResult(2));
        Assert.Equal(2, next.Task.Result);
    }

    [Fact]
    public void An_old_handle_is_refused_even_after_70000_uses()
    {
        var old = PooledValueTaskSource<byte>.Create();
        old.SetResult(1);
        _ = old.Task.Result;

        for (int i = 0; i < 70_000; i++)
        {
            var next = PooledValueTaskSource<byte>.Create();
            Assert.False(old.TrySetResult(9));
            Assert.False(old.IsValid);
            next.SetResult(2);
            Assert.Equal(2, next.Task.Result);
        }

        Assert.Throws<InvalidOperationException>(() => { _ = old.Task.IsCompleted; });
    }

    [Fact]
    public async Task Two_awaits_at_the_same_time_leave_the_process_alive()
    {
        for (int i = 0; i < 100; i++)
        {
            var source = PooledValueTaskSource<int>.Create();
            ValueTask<int> task = source.Task;
            Task<int> first = Wait(), second = Wait();
            source.SetResult(i);
            Task<int>[] both = [first, second];
            await Task.WhenAny(Task.WhenAll(both), Task.Delay(TimeSpan.FromMinutes(2)));
            Assert.True(first.IsCompleted && second.IsCompleted, "An await was lost.");
            _ = Assert.Single(both, done => done.IsCompletedSuccessfully && done.Result == i);
            _ = Assert.Single(both, done => done.Exception?.InnerException is InvalidOperationException);

            async Task<int> Wait() => await task;
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public void Of_racing_setters_one_wins_and_its_value_is_the_result(int setters)
    {
        using var race = new Race(setters);

        foreach (int round in Race.Rounds(3000))
        {
            var source = PooledValueTaskSource<int>.Create();
            int waiting = round % 2 == 0 ? 0 : 1;
            Task<int>? task = waiting == 1 ? source.Task.AsTask() : null;
            var error = new TimeoutException();

            int winner = race.Winner(i => (i % 3) switch
            {
                0 => source.TrySetResult(i),
                1 => source.TrySetException(error),
                _ => source.TrySetCanceled(),
            });

            task ??= source.Task.AsTask();
            Assert.True(task.IsCompleted);

            switch (winner % 3)
            {
                case 0: Assert.Equal(winner, task.Result); break;
                case 1: Assert.Same(error, task.Exception?.InnerException); break;
                default: Assert.True(task.IsCanceled); break;
            }
        }
    }

    [Fact]
    public void A_taken_result_is_not_kept_by_the_pool()
    {
        WeakReference taken = Take();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(taken.IsAlive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Take()
    {
        var source = PooledValueTaskSource<object>.Create();
        object value = new();
        source.SetResult(value);
        Assert.Same(value, source.Task.Result);
        return new WeakReference(value);
    }

    [Fact]
    public void Equality_is_that_of_the_operation()
    {
        var source = PooledValueTaskSource<int>.Create();
        PooledValueTaskSource<int> same = source;
        Assert.True(source.Equals((object)same));
        Assert.Equal(source.GetHashCode(), same.GetHashCode());
        Assert.NotEqual(source, PooledValueTaskSource<int>.Create());
        Assert.False(source.Equals((object)1));
        Assert.Equal(new PooledValueTaskSource<int>(1), new PooledValueTaskSource<int>(1));
        Assert.NotEqual(new PooledValueTaskSource<int>(1), new PooledValueTaskSource<int>(2));
        Assert.Equal("PooledValueTaskSource", source.ToString());

        var unit = PooledValueTaskSource.Create();
        PooledValueTaskSource sameUnit = unit;
        Assert.True(unit.Equals((object)sameUnit));
        Assert.Equal(unit.GetHashCode(), sameUnit.GetHashCode());
        Assert.NotEqual(unit, PooledValueTaskSource.Create());
        Assert.Equal("PooledValueTaskSource", unit.ToString());
    }
}
