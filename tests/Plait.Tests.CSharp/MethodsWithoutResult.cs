// Under test: async methods without a result, by return type and by attribute.
using System.Runtime.CompilerServices;
using Plait.MethodBuilders;
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class MethodsWithoutResult
{
    private static readonly Dictionary<string, Func<int, Exception?, List<int>, Task>> Doors = new()
    {
        ["PooledTask"] = async (yields, error, seen) => await OfPooledTask(yields, error, seen),
        ["PooledTask, as a Task"] = (yields, error, seen) => OfPooledTask(yields, error, seen),
        ["PooledValueTask"] = async (yields, error, seen) => await OfPooledValueTask(yields, error, seen),
        ["PooledValueTask, as a Task"] = (yields, error, seen) => OfPooledValueTask(yields, error, seen).AsTask(),
        ["Task"] = OfTask,
        ["ValueTask"] = async (yields, error, seen) => await OfValueTask(yields, error, seen),
    };

    public static TheoryData<string> Names => [.. Doors.Keys];

    private static async PooledTask OfPooledTask(int yields, Exception? error, List<int> seen)
    {
        await Body(yields, seen);
        if (error is not null) throw error;
    }

    private static async PooledValueTask OfPooledValueTask(int yields, Exception? error, List<int> seen)
    {
        await Body(yields, seen);
        if (error is not null) throw error;
    }

    [AsyncMethodBuilder(typeof(PooledTaskMethodBuilder))]
    private static async Task OfTask(int yields, Exception? error, List<int> seen)
    {
        await Body(yields, seen);
        if (error is not null) throw error;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask OfValueTask(int yields, Exception? error, List<int> seen)
    {
        await Body(yields, seen);
        if (error is not null) throw error;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask Body(int yields, List<int> seen)
    {
        seen.Add(Ambient.Value);
        Ambient.Value += 1;
        for (int i = 0; i < yields; i++) await Task.Yield();
        if (yields > 0) await new PlainAwaitable(new Ending(1));
        seen.Add(Ambient.Value);
    }

    [Theory, MemberData(nameof(Names))]
    public async Task A_method_without_a_result_runs_to_its_end_in_its_own_context(string door)
    {
        foreach (int yields in new[] { 0, 1, 3 })
        {
            Ambient.Value = 5;
            var seen = new List<int>();
            Task task = Doors[door](yields, null, seen);
            Assert.Equal(5, Ambient.Value);
            Assert.Equal(5, seen[0]);
            // One that yields may be over by now, on another thread.
            Assert.True(yields > 0 || task.IsCompleted);
            await Within.Result("It", End(task));
            Assert.Equal([5, 6], seen);
        }
    }

    [Theory, MemberData(nameof(Names))]
    public async Task An_exception_is_the_same_instance(string door)
    {
        foreach (int yields in new[] { 0, 2 })
        {
            var error = new TimeoutException();
            Task task = Doors[door](yields, error, []);
            Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("It", End(task))));
            Assert.True(task.IsFaulted);
        }
    }

    [Theory, MemberData(nameof(Names))]
    public async Task A_cancellation_is_the_same_instance(string door)
    {
        foreach (int yields in new[] { 0, 2 })
        {
            var error = new OperationCanceledException(new CancellationToken(true));
            Task task = Doors[door](yields, error, []);
            Assert.Same(error, await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Within.Result("It", End(task))));
            Assert.True(task.IsCanceled);
        }
    }

    private static async Task<bool> End(Task task)
    {
        await task;
        return true;
    }
}
