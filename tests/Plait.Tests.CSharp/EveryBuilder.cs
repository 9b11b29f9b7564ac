// Under test: what every builder of F# gives, as C# consumes it.
namespace Plait.Tests.CSharp;

public class EveryBuilder
{
    /// <summary>One builder: its operations, awaited as their own type, and as Tasks.</summary>
    private sealed record Consumer(
        string Name,
        Func<Task<int>, Task<int>> Awaited,
        Func<Task<int>, bool, Task<SynchronizationContext?>> Configured,
        Func<Task<int>, Task> AsTask,
        Func<Exception, int, Task> Failing,
        Func<Exception, int, Task> FailingAsTask);

    private static readonly Consumer[] All =
    [
        Of("pooledValueTask", Programs.PooledValueTasks.Consumed.awaits, Programs.PooledValueTasks.Consumed.fails),
        Of("pooledValueTaskUnit", Programs.PooledValueTaskUnits.Consumed.awaits, Programs.PooledValueTaskUnits.Consumed.fails),
        Of("strand", Programs.Strand.Consumed.awaits, Programs.Strand.Consumed.fails),
        Of("valueTask", Programs.ValueTasks.Consumed.awaits, Programs.ValueTasks.Consumed.fails),
        Of("pooledTask", Programs.PooledTasks.Consumed.awaits, Programs.PooledTasks.Consumed.fails),
        Of("Tasks.task", Programs.PlaitTasks.Consumed.awaits, Programs.PlaitTasks.Consumed.fails),
        Of("Tasks.backgroundTask", Programs.BackgroundTasks.Consumed.awaits, Programs.BackgroundTasks.Consumed.fails),
        Of("NonAffine.strand", Programs.NonAffineStrand.Consumed.awaits, Programs.NonAffineStrand.Consumed.fails),
        Of("NonAffine.valueTask", Programs.NonAffineValueTasks.Consumed.awaits, Programs.NonAffineValueTasks.Consumed.fails),
        Of("NonAffine.pooledValueTask", Programs.NonAffinePooledValueTasks.Consumed.awaits, Programs.NonAffinePooledValueTasks.Consumed.fails),
        Of("NonAffine.pooledTask", Programs.NonAffinePooledTasks.Consumed.awaits, Programs.NonAffinePooledTasks.Consumed.fails),
        Of("NonAffine.Tasks.task", Programs.NonAffinePlaitTasks.Consumed.awaits, Programs.NonAffinePlaitTasks.Consumed.fails),
        Of("Unsafe.strand", Programs.UnsafeStrand.Consumed.awaits, Programs.UnsafeStrand.Consumed.fails),
        Of("Unsafe.Bare.strand", Programs.BareStrand.Consumed.awaits, Programs.BareStrand.Consumed.fails),
        Of("Unsafe.valueTask", Programs.UnsafeValueTasks.Consumed.awaits, Programs.UnsafeValueTasks.Consumed.fails),
        Of("Unsafe.pooledValueTask", Programs.UnsafePooledValueTasks.Consumed.awaits, Programs.UnsafePooledValueTasks.Consumed.fails),
        Of("Unsafe.pooledTask", Programs.UnsafePooledTasks.Consumed.awaits, Programs.UnsafePooledTasks.Consumed.fails),
        Of("Guarded.strand", Programs.GuardedStrand.Consumed.awaits, Programs.GuardedStrand.Consumed.fails),
        Of("valueTaskUnit", Programs.ValueTaskUnits.Consumed.awaits, Programs.ValueTaskUnits.Consumed.fails),
        Of("pooledTaskUnit", Programs.PooledTaskUnits.Consumed.awaits, Programs.PooledTaskUnits.Consumed.fails),
        Of("Tasks.taskUnit", Programs.PlaitTaskUnits.Consumed.awaits, Programs.PlaitTaskUnits.Consumed.fails),
        Of("Tasks.backgroundTaskUnit", Programs.BackgroundTaskUnits.Consumed.awaits, Programs.BackgroundTaskUnits.Consumed.fails),
        Of("NonAffine.valueTaskUnit", Programs.NonAffineValueTaskUnits.Consumed.awaits, Programs.NonAffineValueTaskUnits.Consumed.fails),
        Of("NonAffine.pooledValueTaskUnit", Programs.NonAffinePooledValueTaskUnits.Consumed.awaits, Programs.NonAffinePooledValueTaskUnits.Consumed.fails),
        Of("NonAffine.pooledTaskUnit", Programs.NonAffinePooledTaskUnits.Consumed.awaits, Programs.NonAffinePooledTaskUnits.Consumed.fails),
        Of("NonAffine.Tasks.taskUnit", Programs.NonAffinePlaitTaskUnits.Consumed.awaits, Programs.NonAffinePlaitTaskUnits.Consumed.fails),
        Of("Unsafe.valueTaskUnit", Programs.UnsafeValueTaskUnits.Consumed.awaits, Programs.UnsafeValueTaskUnits.Consumed.fails),
        Of("Unsafe.pooledValueTaskUnit", Programs.UnsafePooledValueTaskUnits.Consumed.awaits, Programs.UnsafePooledValueTaskUnits.Consumed.fails),
        Of("Unsafe.pooledTaskUnit", Programs.UnsafePooledTaskUnits.Consumed.awaits, Programs.UnsafePooledTaskUnits.Consumed.fails),
    ];

    public static TheoryData<string> Builders => [.. All.Select(builder => builder.Name)];

    private static Consumer Named(string builder) => All.Single(one => one.Name == builder);

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task A_completed_operation_is_awaited(string builder) =>
        Assert.Equal(5, await Within.Result("It", Named(builder).Awaited(Task.FromResult(5))));

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task A_pending_operation_is_awaited(string builder)
    {
        var source = new TaskCompletionSource<int>();
        Task<int> waiting = Named(builder).Awaited(source.Task);
        Assert.False(waiting.IsCompleted);
        source.SetResult(6);
        Assert.Equal(6, await Within.Result("It", waiting));
    }

    [Theory]
    [MemberData(nameof(Builders))]
    public void An_await_comes_back_to_its_context(string builder) => Home.Run(async home =>
    {
        var source = new TaskCompletionSource<int>();
        Task<SynchronizationContext?> here = Named(builder).Configured(source.Task, true);
        Task<SynchronizationContext?> anywhere = Named(builder).Configured(source.Task, false);
        await Task.Run(() => source.SetResult(1));
        Assert.Same(home, await Within.Result("The first", here));
        await Within.Result("The second", anywhere);
    });

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task Many_are_awaited_by_WhenAll(string builder)
    {
        var source = new TaskCompletionSource<int>();
        Task[] all = [.. Enumerable.Range(0, 100).Select(_ => Named(builder).AsTask(source.Task))];
        Assert.DoesNotContain(all, task => task.IsCompleted);
        source.SetResult(7);
        await Within.Result("All", Ended(Task.WhenAll(all)));
        Assert.All(all, task => Assert.True(task is not Task<int> { Result: not 7 }));

        static async Task<bool> Ended(Task task)
        {
            await task;
            return true;
        }
    }

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task An_exception_is_the_same_instance_with_its_stack(string builder)
    {
        foreach (int yields in (int[])[0, 1])
        {
            var error = new TimeoutException("of the operation");
            Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => Named(builder).Failing(error, yields)));
            Assert.Contains("Consumed", error.StackTrace, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task A_failed_Task_has_the_one_exception(string builder)
    {
        var error = new TimeoutException("of the operation");
        Task task = Named(builder).FailingAsTask(error, 1);
        await Assert.ThrowsAsync<TimeoutException>(() => task);
        Assert.Same(error, Assert.Single(task.Exception!.InnerExceptions));
    }

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task A_cancellation_keeps_its_token(string builder)
    {
        using var source = new CancellationTokenSource();
        source.Cancel();

        foreach (int yields in (int[])[0, 1])
        {
            OperationCanceledException caught = await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => Named(builder).Failing(new OperationCanceledException(source.Token), yields));
            Assert.Equal(source.Token, caught.CancellationToken);
        }

        Task task = Named(builder).FailingAsTask(new OperationCanceledException(source.Token), 1);
        OperationCanceledException ofTask = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
        Assert.Equal(source.Token, ofTask.CancellationToken);
        Assert.True(task.IsCanceled);
    }

    private static Consumer Of(string name, Func<Task<int>, Strand<int>> awaits, Func<Exception, int, Strand<int>> fails) =>
        new(
            name,
            async source => await awaits(source),
            async (source, affine) =>
            {
                await awaits(source).ConfigureAwait(affine);
                return SynchronizationContext.Current;
            },
            source => awaits(source).AsTask(),
            async (error, yields) => await fails(error, yields),
            (error, yields) => fails(error, yields).AsTask());

    private static Consumer Of(string name, Func<Task<int>, ValueTask<int>> awaits, Func<Exception, int, ValueTask<int>> fails) =>
        new(
            name,
            async source => await awaits(source),
            async (source, affine) =>
            {
                await awaits(source).ConfigureAwait(affine);
                return SynchronizationContext.Current;
            },
            source => awaits(source).AsTask(),
            async (error, yields) => await fails(error, yields),
            (error, yields) => fails(error, yields).AsTask());

    private static Consumer Of(string name, Func<Task<int>, ValueTask> awaits, Func<Exception, int, ValueTask> fails) =>
        new(
            name,
            async source =>
            {
                await awaits(source);
                return await source;
            },
            async (source, affine) =>
            {
                await awaits(source).ConfigureAwait(affine);
                return SynchronizationContext.Current;
            },
            source => awaits(source).AsTask(),
            async (error, yields) => await fails(error, yields),
            (error, yields) => fails(error, yields).AsTask());

    private static Consumer Of(string name, Func<Task<int>, Task<int>> awaits, Func<Exception, int, Task<int>> fails) =>
        new(
            name,
            async source => await awaits(source),
            async (source, affine) =>
            {
                await awaits(source).ConfigureAwait(affine);
                return SynchronizationContext.Current;
            },
            source => awaits(source),
            async (error, yields) => await fails(error, yields),
            (error, yields) => fails(error, yields));

    private static Consumer Of(string name, Func<Task<int>, Task> awaits, Func<Exception, int, Task> fails) =>
        new(
            name,
            async source =>
            {
                await awaits(source);
                return await source;
            },
            async (source, affine) =>
            {
                await awaits(source).ConfigureAwait(affine);
                return SynchronizationContext.Current;
            },
            source => awaits(source),
            async (error, yields) => await fails(error, yields),
            (error, yields) => fails(error, yields));
}
