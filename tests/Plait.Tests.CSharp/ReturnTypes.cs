// Under test: the members of PooledTask(<T>) and PooledValueTask(<T>), and `Task.Yield().ConfigureAwait`.
using System.Runtime.CompilerServices;
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class ReturnTypes
{
    private static async PooledTask<int> Tasks(Gate gate) => await gate;

    private static async PooledTask UnitTasks(Gate gate) => await gate;

    private static async PooledValueTask<int> Values(Gate gate) => await gate;

    private static async PooledValueTask UnitValues(Gate gate) => await gate;

    [Fact]
    public async Task A_PooledTask_is_a_task_that_may_be_awaited_again()
    {
        var gate = new Gate();
        PooledTask<int> task = Tasks(gate);
        Assert.False(task.IsCompleted);
        Task<int> same = task;
        ValueTask<int> value = task;
        Assert.Same(same, task.AsTask());
        gate.Open();
        Assert.Equal(1, await task);
        Assert.Equal(1, await task.ConfigureAwait(false));
        Assert.Equal(1, await task.AsValueTask());
        Assert.Equal(1, await value);
        Assert.Equal(1, task.Result);
        Assert.True(task is { IsCompleted: true, IsCompletedSuccessfully: true, IsFaulted: false, IsCanceled: false });
        Assert.True(task.Equals((object)new PooledTask<int>(same)));
        Assert.Equal(new PooledTask<int>(same).GetHashCode(), task.GetHashCode());
        Assert.False(task.Equals((object)1));
        Assert.Equal("PooledTask", task.ToString());
        Assert.Equal(0, await default(PooledTask<int>));
    }

    [Fact]
    public async Task A_PooledTask_without_a_result_too()
    {
        var gate = new Gate();
        PooledTask task = UnitTasks(gate);
        Assert.False(task.IsCompleted);
        Task same = task;
        ValueTask value = task;
        gate.Open();
        await task;
        await task.ConfigureAwait(false);
        await task.AsValueTask();
        await value;
        Assert.Same(same, task.AsTask());
        Assert.True(task is { IsCompleted: true, IsCompletedSuccessfully: true, IsFaulted: false, IsCanceled: false });
        Assert.True(task.Equals((object)new PooledTask(same)));
        Assert.Equal(new PooledTask(same).GetHashCode(), task.GetHashCode());
        Assert.Equal("PooledTask", task.ToString());
        await default(PooledTask);
    }

    [Fact]
    public async Task A_PooledValueTask_is_awaited_once()
    {
        var gate = new Gate();
        PooledValueTask<int> task = Values(gate);
        Assert.False(task.IsCompleted);
        Assert.Throws<InvalidOperationException>(() => task.Result);
        PooledValueTask<int> same = task;
        Assert.True(task.Equals((object)same));
        Assert.Equal(task.GetHashCode(), same.GetHashCode());
        gate.Open();
        Assert.True(task is { IsCompleted: true, IsCompletedSuccessfully: true, IsFaulted: false, IsCanceled: false });
        Assert.Equal(1, task.Result);
        Assert.Throws<InvalidOperationException>(() => task.Result);
        Assert.False(task.Equals((object)1));
        Assert.Equal("PooledValueTask", task.ToString());
        Assert.Equal(0, await default(PooledValueTask<int>));

        ValueTask<int> converted = Values(gate);
        gate.Open();
        Assert.Equal(1, await converted);
        PooledValueTask<int> made = new(ValueTask.FromResult(5));
        Assert.Equal(5, await made.ConfigureAwait(false));
        Assert.Equal(5, await made.AsValueTask());
        Assert.Equal(5, await made.AsTask());
    }

    [Fact]
    public async Task A_PooledValueTask_without_a_result_too()
    {
        var gate = new Gate();
        PooledValueTask task = UnitValues(gate);
        Assert.False(task.IsCompleted);
        PooledValueTask same = task;
        Assert.True(task.Equals((object)same));
        Assert.Equal(task.GetHashCode(), same.GetHashCode());
        gate.Open();
        Assert.True(task is { IsCompleted: true, IsCompletedSuccessfully: true, IsFaulted: false, IsCanceled: false });
        await task;
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await task);
        Assert.Equal("PooledValueTask", task.ToString());
        await default(PooledValueTask);

        ValueTask converted = UnitValues(gate);
        gate.Open();
        await converted;
        PooledValueTask made = new(default);
        await made.ConfigureAwait(false);
        await made.AsValueTask();
        await made.AsTask();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_configured_yield_goes_on_where_it_says(bool affine)
    {
        var here = new Counting();
        SynchronizationContext? before = SynchronizationContext.Current;
        Task<bool> pooled, plain;

        try
        {
            SynchronizationContext.SetSynchronizationContext(here);
            pooled = OfPooledTask(affine, here);
            plain = OfTask(affine, here);
            Assert.Same(here, SynchronizationContext.Current);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }

        Assert.Equal(affine, await Within.Result("The pooled method", pooled));
        Assert.Equal(affine, await Within.Result("The plain method", plain));
        Assert.Equal(affine ? 2 : 0, here.Posts);

        static async PooledTask<bool> OfPooledTask(bool affine, Counting here)
        {
            await Task.Yield().ConfigureAwait(affine);
            return SynchronizationContext.Current == here;
        }

        static async Task<bool> OfTask(bool affine, Counting here)
        {
            await Task.Yield().ConfigureAwait(affine);
            return SynchronizationContext.Current == here;
        }
    }

    [Fact]
    public async Task A_plain_yield_goes_back_to_the_context()
    {
        var here = new Counting();
        SynchronizationContext? before = SynchronizationContext.Current;
        Task<bool> back;
        var gate = new TaskCompletionSource<int>();
        // behind its first step on the context the method waits for the gate
        here.Ran = () => gate.TrySetResult(1);

        try
        {
            SynchronizationContext.SetSynchronizationContext(here);
            back = Back(here, gate.Task);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }

        Assert.True(await Within.Result("It", back));
        Assert.Equal(2, here.Posts);

        static async PooledTask<bool> Back(Counting here, Task<int> gate)
        {
            await Task.Yield();
            bool first = SynchronizationContext.Current == here;
            await gate;
            return first && SynchronizationContext.Current == here;
        }
    }

    [Fact]
    public async Task A_yield_keeps_the_execution_context()
    {
        Ambient.Value = 3;
        Assert.Equal((3, 3), await Within.Result("It", Look()));
        Assert.Equal("ConfiguredYieldAwaitable", Task.Yield().ConfigureAwait(false).ToString());
        ConfiguredYieldAwaiter awaiter = Task.Yield().ConfigureAwait(false).GetAwaiter();
        Assert.False(awaiter.IsCompleted);
        var ran = new TaskCompletionSource<int>();
        ((INotifyCompletion)awaiter).OnCompleted(() => ran.SetResult(Ambient.Value));
        Assert.Equal(3, await Within.Result("The continuation", ran.Task));

        static async Task<(int, int)> Look()
        {
            await Task.Yield().ConfigureAwait(false);
            int first = Ambient.Value;
            await Task.Yield().ConfigureAwait(true);
            return (first, Ambient.Value);
        }
    }

    /// <summary>Runs what is posted on the pool, with itself as context, and counts.</summary>
    private sealed class Counting : SynchronizationContext
    {
        private int posts;

        public int Posts => Volatile.Read(ref posts);

        public Action? Ran { get; set; }

        public override void Post(SendOrPostCallback callback, object? state)
        {
            Interlocked.Increment(ref posts);
            ThreadPool.QueueUserWorkItem(_ =>
            {
                SynchronizationContext? before = Current;
                SetSynchronizationContext(this);

                try
                {
                    callback(state);
                }
                finally
                {
                    SetSynchronizationContext(before);
                }

                Ran?.Invoke();
            });
        }
    }
}
