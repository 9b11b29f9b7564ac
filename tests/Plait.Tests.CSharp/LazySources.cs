// Under test: LazyTaskCompletionSource(<T>) and ValueTaskCompletionSource<T>.
namespace Plait.Tests.CSharp;

public class LazySources
{
    private static Task<T> Read<T>(T value)
    {
        using var source = LazyTaskCompletionSource<T>.Create();
        source.SetResult(value);
        return source.Task;
    }

    private static void OneTask<T>(T value)
    {
        Assert.Same(Read(value), Read(value));
        Assert.Same(Read(value), LazyTaskCompletionSource<T>.CreateConstant(value).Task);
        Assert.Equal(value, Read(value).Result);
    }

    private static void TwoTasks<T>(T value)
    {
        Assert.NotSame(Read(value), Read(value));
        Assert.Equal(value, Read(value).Result);
    }

    [Fact]
    public void A_common_result_that_is_set_before_the_read_has_one_shared_task()
    {
        for (int i = -1; i <= 10; i++)
        {
            OneTask(i);
            OneTask<int?>(i);
        }

        OneTask(true);
        OneTask(false);
        OneTask<bool?>(true);
        OneTask<bool?>(false);
        OneTask<bool?>(null);
        OneTask<int?>(null);
        OneTask("");
        OneTask<string?>(null);
        OneTask<object?>(null);
        OneTask(0L);
        OneTask(0UL);
        OneTask(0U);
        OneTask((short)0);
        OneTask((ushort)0);
        OneTask((byte)0);
        OneTask((sbyte)0);
        OneTask('\0');
        OneTask((nint)0);
        OneTask((nuint)0);
        OneTask(0.0);
        OneTask(0f);
    }

    [Fact]
    public void Other_results_have_tasks_of_their_own()
    {
        TwoTasks(-2);
        TwoTasks(11);
        TwoTasks<int?>(-2);
        TwoTasks<int?>(11);
        TwoTasks("a");
        TwoTasks(1L);
    }

    [Fact]
    public void The_end_of_a_source_without_a_result_is_the_completed_task()
    {
        Assert.Same(Task.CompletedTask, Ended());
        Assert.Same(Task.CompletedTask, LazyTaskCompletionSource.CompletedTask.Task);

        static Task Ended()
        {
            using var source = LazyTaskCompletionSource.Create();
            source.SetResult();
            return source.Task;
        }
    }

    [Fact]
    public async Task A_task_that_is_read_first_is_ended_later()
    {
        using var source = LazyTaskCompletionSource<int>.Create();
        Assert.False(source.HasTask);
        Task<int> task = source.Task;
        Assert.True(source.HasTask);
        Assert.Same(task, source.Task);
        Assert.False(task.IsCompleted);
        Assert.True(source.TrySetResult(5));
        Assert.Equal(5, await Within.Result("It", task));

        using var unit = LazyTaskCompletionSource.Create();
        Task ended = unit.Task;
        Assert.False(ended.IsCompleted);
        Assert.True(unit.TrySetResult());
        Assert.True(ended.IsCompletedSuccessfully);
        Assert.Same(ended, unit.Task);
    }

    [Fact]
    public void The_states_of_a_source()
    {
        var source = LazyTaskCompletionSource<int>.Create();
        Assert.True(source is { IsNull: false, IsValid: true, HasTask: false });
        source.SetResult(1);
        Assert.True(source is { IsNull: false, IsValid: true, HasTask: false });
        _ = source.Task;
        Assert.True(source is { IsValid: true, HasTask: true });
        source.Dispose();
        Assert.True(source is { IsNull: false, IsValid: false, HasTask: false });
        Assert.True(default(LazyTaskCompletionSource<int>) is { IsNull: true, IsValid: false, HasTask: false });
        Assert.Throws<InvalidOperationException>(() => { _ = default(LazyTaskCompletionSource<int>).Task; });

        var unit = LazyTaskCompletionSource.Create();
        Assert.True(unit is { IsNull: false, IsValid: true, HasTask: false });
        _ = unit.Task;
        Assert.True(unit.HasTask);
        unit.Dispose();
        Assert.True(unit is { IsNull: false, IsValid: false, HasTask: false });
        Assert.True(default(LazyTaskCompletionSource) is { IsNull: true, IsValid: false, HasTask: false });
        Assert.False(default(LazyTaskCompletionSource).TrySetResult());
    }

    [Fact]
    public void A_cancelled_source_has_its_task()
    {
        var source = LazyTaskCompletionSource<int>.Create();
        source.SetCanceled();
        Assert.True(source is { IsValid: true, HasTask: true });
        source.Dispose();
        Assert.True(source is { IsValid: false, HasTask: false });

        var failed = LazyTaskCompletionSource.Create();
        failed.SetException(new TimeoutException());
        Assert.True(failed is { IsValid: true, HasTask: false });
        failed.Dispose();
    }

    [Fact]
    public void A_constant_outlives_its_disposal()
    {
        var constant = LazyTaskCompletionSource<int>.CreateConstant(11);
        Assert.True(constant is { IsValid: true, HasTask: true });
        Task<int> task = constant.Task;
        constant.Dispose();
        Assert.True(constant.IsValid);
        Assert.Same(task, constant.Task);
        Assert.Equal(11, task.Result);
        Assert.False(constant.TrySetResult(1));
        Assert.Throws<InvalidOperationException>(() => constant.SetResult(1));

        var completed = LazyTaskCompletionSource<int>.CompletedTask;
        completed.Dispose();
        Assert.Equal(0, completed.Task.Result);
        var cancelled = LazyTaskCompletionSource<int>.CanceledTask;
        cancelled.Dispose();
        Assert.True(cancelled.Task.IsCanceled);
        Assert.Same(cancelled.Task, LazyTaskCompletionSource<int>.CanceledTask.Task);

        LazyTaskCompletionSource.CompletedTask.Dispose();
        Assert.True(LazyTaskCompletionSource.CompletedTask is { IsValid: true, Task.IsCompletedSuccessfully: true });
        LazyTaskCompletionSource.CanceledTask.Dispose();
        Assert.True(LazyTaskCompletionSource.CanceledTask is { IsValid: true, Task.IsCanceled: true });
    }

    [Fact]
    public void A_disposed_source_is_refused_and_harms_no_other()
    {
        var old = LazyTaskCompletionSource<int>.Create();
        old.Dispose();
        var next = LazyTaskCompletionSource<int>.Create(); // the same object, on this thread
        old.Dispose();
        Assert.Throws<InvalidOperationException>(() => { _ = old.Task; });
        Assert.False(old.TrySetResult(1));
        Assert.False(old.TrySetException(new TimeoutException()));
        Assert.False(old.TrySetCanceled());
        Assert.Throws<InvalidOperationException>(() => old.SetResult(1));
        Assert.NotEqual(old, next);
        Assert.True(next.TrySetResult(2));
        Assert.Equal(2, next.Task.Result);
        next.Dispose();
    }

    [Fact]
    public async Task A_pending_task_of_a_disposed_source_is_cancelled()
    {
        var source = LazyTaskCompletionSource<int>.Create();
        Task<int> task = source.Task;
        source.Dispose();
        await Assert.ThrowsAsync<TaskCanceledException>(() => Within.Result("It", task));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_exception_is_the_same_instance(bool readFirst)
    {
        var error = new TimeoutException();
        using var source = LazyTaskCompletionSource<int>.Create();
        if (readFirst) _ = source.Task;
        source.SetException(error);
        Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => source.Task));
        Assert.Throws<InvalidOperationException>(() => source.SetException(error));
        Assert.Throws<InvalidOperationException>(() => source.SetCanceled());
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cancellation_keeps_its_token(bool readFirst)
    {
        using var cancellation = new CancellationTokenSource();
        cancellation.Cancel();
        using var source = LazyTaskCompletionSource.Create();
        if (readFirst) _ = source.Task;
        Assert.True(source.TrySetCanceled(cancellation.Token));
        TaskCanceledException caught = await Assert.ThrowsAsync<TaskCanceledException>(() => source.Task);
        Assert.Equal(cancellation.Token, caught.CancellationToken);
        Assert.True(source.Task.IsCanceled);
        Assert.Throws<InvalidOperationException>(() => source.SetResult());
        Assert.Throws<InvalidOperationException>(() => source.SetException(caught));
        Assert.Throws<InvalidOperationException>(() => source.SetCanceled());
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public void Of_racing_setters_one_wins(int setters)
    {
        using var race = new Race(setters);

        foreach (int round in Race.Rounds(2000))
        {
            var lazy = LazyTaskCompletionSource<int>.Create();
            if (round % 2 == 0) _ = lazy.Task;
            int winner = race.Winner(i => i % 2 == 0 ? lazy.TrySetResult(i) : lazy.TrySetCanceled());
            Assert.True(winner % 2 == 0 ? lazy.Task.Result == winner : lazy.Task.IsCanceled);
            lazy.Dispose();
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public void Of_racing_setters_of_a_plain_source_one_wins(int setters)
    {
        using var race = new Race(setters);

        foreach (int round in Race.Rounds(2000))
        {
            var source = ValueTaskCompletionSource<int>.Create();
            int winner = race.Winner(i => i % 2 == 0 ? source.TrySetResult(i) : source.TrySetCanceled());
            Assert.True(winner % 2 == 0 ? source.Task.Result == winner : source.Task.IsCanceled);
        }
    }

    [Fact]
    public async Task A_plain_source_ends_its_task()
    {
        var source = ValueTaskCompletionSource<string>.Create();
        Assert.True(source is { IsNull: false, IsValid: true, HasTask: true });
        Task<string> task = source.Task;
        Assert.False(task.IsCompleted);
        source.SetResult("value");
        Assert.True(source.IsValid);
        Assert.Equal("value", await Within.Result("It", task));
        Assert.False(source.TrySetResult("other"));
        Assert.Throws<InvalidOperationException>(() => source.SetResult("other"));
        Assert.Throws<InvalidOperationException>(() => source.SetException(new TimeoutException()));
        Assert.Throws<InvalidOperationException>(() => source.SetCanceled());
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));

        Assert.True(default(ValueTaskCompletionSource<int>) is { IsNull: true, IsValid: false, HasTask: false });
        Assert.False(default(ValueTaskCompletionSource<int>).TrySetResult(1));
        Assert.Throws<InvalidOperationException>(() => { _ = default(ValueTaskCompletionSource<int>).Task; });
    }

    [Fact]
    public async Task A_plain_source_keeps_errors_and_tokens()
    {
        var error = new TimeoutException();
        var failed = ValueTaskCompletionSource<int>.Create();
        Assert.True(failed.TrySetException(error));
        Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => failed.Task));

        using var cancellation = new CancellationTokenSource();
        cancellation.Cancel();
        var cancelled = ValueTaskCompletionSource<int>.Create();
        cancelled.SetCanceled(cancellation.Token);
        TaskCanceledException caught = await Assert.ThrowsAsync<TaskCanceledException>(() => cancelled.Task);
        Assert.Equal(cancellation.Token, caught.CancellationToken);
        Assert.True(cancelled.Task.IsCanceled);
    }

    [Fact]
    public void Equality_is_that_of_the_operation()
    {
        var lazy = LazyTaskCompletionSource<int>.Create();
        LazyTaskCompletionSource<int> sameLazy = lazy;
        Same(lazy, sameLazy, LazyTaskCompletionSource<int>.Create(), "LazyTaskCompletionSource");
        var unit = LazyTaskCompletionSource.Create();
        LazyTaskCompletionSource sameUnit = unit;
        Same(unit, sameUnit, LazyTaskCompletionSource.Create(), "LazyTaskCompletionSource");
        var plain = ValueTaskCompletionSource<int>.Create();
        ValueTaskCompletionSource<int> samePlain = plain;
        Same(plain, samePlain, ValueTaskCompletionSource<int>.Create(), "ValueTaskCompletionSource");

        static void Same(object source, object same, object other, string text)
        {
            Assert.True(source.Equals(same));
            Assert.Equal(source.GetHashCode(), same.GetHashCode());
            Assert.False(source.Equals(other));
            Assert.False(source.Equals(text));
            Assert.Equal(text, source.ToString());
        }
    }
}
