// Under test: what every builder of F# gives, as C# consumes it.
// SyncCompletion, Suspend, FaultFidelity, SyncContextAffine.
using Plait.Tests.Programs;

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
        Of("pooledValueTask", DirectConsumed.awaits, DirectConsumed.fails),
        Of("pooledValueTaskUnit", DirectConsumedUnits.awaits, DirectConsumedUnits.fails),
        Of("strand", StrandConsumed.awaits, StrandConsumed.fails),
        Of("valueTask", ValueTasksConsumed.awaits, ValueTasksConsumed.fails),
        Of("pooledTask", PooledTasksConsumed.awaits, PooledTasksConsumed.fails),
        Of("Tasks.task", PlaitTasksConsumed.awaits, PlaitTasksConsumed.fails),
        Of("Tasks.backgroundTask", BackgroundTasksConsumed.awaits, BackgroundTasksConsumed.fails),
        Of("NonAffine.strand", NonAffineStrandConsumed.awaits, NonAffineStrandConsumed.fails),
        Of("NonAffine.valueTask", NonAffineValueTasksConsumed.awaits, NonAffineValueTasksConsumed.fails),
        Of("NonAffine.pooledValueTask", NonAffinePooledValueTasksConsumed.awaits, NonAffinePooledValueTasksConsumed.fails),
        Of("NonAffine.pooledTask", NonAffinePooledTasksConsumed.awaits, NonAffinePooledTasksConsumed.fails),
        Of("NonAffine.Tasks.task", NonAffineTasksConsumed.awaits, NonAffineTasksConsumed.fails),
        Of("Unsafe.strand", UnsafeStrandConsumed.awaits, UnsafeStrandConsumed.fails),
        Of("Unsafe.Bare.strand", BareStrandConsumed.awaits, BareStrandConsumed.fails),
        Of("Unsafe.valueTask", UnsafeValueTasksConsumed.awaits, UnsafeValueTasksConsumed.fails),
        Of("Unsafe.pooledValueTask", UnsafePooledValueTasksConsumed.awaits, UnsafePooledValueTasksConsumed.fails),
        Of("Unsafe.pooledTask", UnsafePooledTasksConsumed.awaits, UnsafePooledTasksConsumed.fails),
        Of("Guarded.strand", GuardedStrandConsumed.awaits, GuardedStrandConsumed.fails),
        Of("valueTaskUnit", ValueTaskConsumedUnits.awaits, ValueTaskConsumedUnits.fails),
        Of("pooledTaskUnit", PooledTaskConsumedUnits.awaits, PooledTaskConsumedUnits.fails),
        Of("Tasks.taskUnit", PlaitTaskConsumedUnits.awaits, PlaitTaskConsumedUnits.fails),
        Of("Tasks.backgroundTaskUnit", BackgroundTaskConsumedUnits.awaits, BackgroundTaskConsumedUnits.fails),
        Of("NonAffine.valueTaskUnit", NonAffineValueTaskConsumedUnits.awaits, NonAffineValueTaskConsumedUnits.fails),
        Of("NonAffine.pooledValueTaskUnit", NonAffinePooledValueTaskConsumedUnits.awaits, NonAffinePooledValueTaskConsumedUnits.fails),
        Of("NonAffine.pooledTaskUnit", NonAffinePooledTaskConsumedUnits.awaits, NonAffinePooledTaskConsumedUnits.fails),
        Of("NonAffine.Tasks.taskUnit", NonAffineTaskConsumedUnits.awaits, NonAffineTaskConsumedUnits.fails),
        Of("Unsafe.valueTaskUnit", UnsafeValueTaskConsumedUnits.awaits, UnsafeValueTaskConsumedUnits.fails),
        Of("Unsafe.pooledValueTaskUnit", UnsafePooledValueTaskConsumedUnits.awaits, UnsafePooledValueTaskConsumedUnits.fails),
        Of("Unsafe.pooledTaskUnit", UnsafePooledTaskConsumedUnits.awaits, UnsafePooledTaskConsumedUnits.fails),
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
