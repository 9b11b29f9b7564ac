// Under test: the members of PooledTask(<T>), PooledValueTask(<T>) and their builders, and `Task.Yield().ConfigureAwait`.
using System.Runtime.CompilerServices;
using Plait.MethodBuilders;
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
        ValueTask<int> value = task.AsValueTask();
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
    public async Task A_PooledTask_without_a_result_may_be_awaited_again()
    {
        var gate = new Gate();
        PooledTask task = UnitTasks(gate);
        Assert.False(task.IsCompleted);
        Task same = task;
        ValueTask value = task.AsValueTask();
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
    public void A_PooledTask_is_passed_as_a_Task_to_a_method_with_overloads_for_both()
    {
        Assert.Equal("Task<int>", Take(default(PooledTask<int>)));
        Assert.Equal("Task", TakeUnit(default(PooledTask)));
    }

    private static string Take(Task<int> task) => task.IsCompleted ? "Task<int>" : "";

    private static string Take(ValueTask<int> task) => task.IsCompleted ? "ValueTask<int>" : "";

    private static string TakeUnit(Task task) => task.IsCompleted ? "Task" : "";

    private static string TakeUnit(ValueTask task) => task.IsCompleted ? "ValueTask" : "";

    [Fact]
    public async Task A_default_task_is_null_and_completed()
    {
        Assert.True(default(PooledTask<int>).IsNull);
        Assert.True(default(PooledTask).IsNull);
        Assert.True(default(PooledValueTask<int>).IsNull);
        Assert.True(default(PooledValueTask).IsNull);
        Gate[] gates = [new(), new(), new(), new()];
        PooledTask<int> task = Tasks(gates[0]);
        PooledTask unitTask = UnitTasks(gates[1]);
        PooledValueTask<int> value = Values(gates[2]);
        PooledValueTask unitValue = UnitValues(gates[3]);
        Assert.False(task.IsNull || unitTask.IsNull || value.IsNull || unitValue.IsNull);
        foreach (Gate gate in gates) gate.Open();
        Assert.False(task.IsNull || unitTask.IsNull || value.IsNull || unitValue.IsNull);
        Assert.Equal(2, await task + await value);
        await unitTask;
        await unitValue;
        Assert.True(default(PooledValueTask<int>) is { IsCompletedSuccessfully: true, Result: 0 });
    }

    [Fact]
    public async Task A_PooledValueTask_is_made_of_a_result()
    {
        var made = new PooledValueTask<int>(5);
        Assert.True(made is { IsNull: false, IsCompletedSuccessfully: true, Result: 5 });
        Assert.Equal(5, await made);
        Assert.Null(await new PooledValueTask<string?>(result: null));
    }

    [Theory]
    [InlineData(typeof(PooledTaskTypeBuilder))]
    [InlineData(typeof(PooledTaskTypeBuilder<int>))]
    [InlineData(typeof(PooledValueTaskTypeBuilder))]
    [InlineData(typeof(PooledValueTaskTypeBuilder<int>))]
    [InlineData(typeof(FireAndForgetMethodBuilder))]
    [InlineData(typeof(PooledTaskMethodBuilder))]
    [InlineData(typeof(PooledTaskMethodBuilder<int>))]
    [InlineData(typeof(PooledValueTaskMethodBuilder))]
    [InlineData(typeof(PooledValueTaskMethodBuilder<int>))]
    public void A_builder_says_its_name_and_has_no_equality(Type type)
    {
        object builder = Activator.CreateInstance(type)!;
        Assert.Equal(type.Name.Split('`')[0], builder.ToString());
        Assert.Throws<NotSupportedException>(() => builder.Equals(builder));
        Assert.Throws<NotSupportedException>(() => builder.GetHashCode());
    }

    [Fact]
    public void Awaiters_of_a_yield_are_equal_if_they_go_on_in_the_same_place()
    {
        object away = Task.Yield().ConfigureAwait(false).GetAwaiter();
        object back = Task.Yield().ConfigureAwait(true).GetAwaiter();
        Assert.Equal(away, Task.Yield().ConfigureAwait(false).GetAwaiter());
        Assert.NotEqual(away, back);
        Assert.NotEqual(away.GetHashCode(), back.GetHashCode());
        Assert.False(away.Equals(1));
        Assert.Equal("ConfiguredYieldAwaiter", away.ToString());
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
    public async Task A_PooledValueTask_without_a_result_is_awaited_once()
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
    public async Task A_configured_yield_continues_where_its_flag_says(bool affine)
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
