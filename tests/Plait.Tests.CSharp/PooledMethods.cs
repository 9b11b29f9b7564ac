// Under test: a builder named by the short attribute of Pooled.cs, at methods, local functions and lambdas.
namespace Plait.Tests.CSharp;

public class PooledMethods
{
    [Pooled(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> One(Task gate)
    {
        await gate;
        return 1;
    }

    [Pooled(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask None(Task gate) => await gate;

    [Pooled(typeof(PooledTaskMethodBuilder<>))]
    private static async Task<int> Shared(Task gate)
    {
        await gate;
        return 1;
    }

    private static void IsPooled(Func<Task, ValueTask<int>> method)
    {
        var gate = new TaskCompletionSource();
        ValueTask<int> value = method(gate.Task);
        Assert.Throws<InvalidOperationException>(() => _ = value.Result);
        gate.SetResult();
        Assert.Equal(1, value.Result);
        Assert.Throws<InvalidOperationException>(() => _ = value.Result);
    }

    [Fact]
    public void A_method_is_pooled() => IsPooled(One);

    [Fact]
    public void A_local_function_is_pooled()
    {
        IsPooled(Local);

        [Pooled(typeof(PooledValueTaskMethodBuilder<>))]
        static async ValueTask<int> Local(Task gate)
        {
            await gate;
            return 1;
        }
    }

    [Fact]
    public void A_lambda_with_a_return_type_is_pooled() =>
        IsPooled([Pooled(typeof(PooledValueTaskMethodBuilder<>))] async ValueTask<int> (gate) =>
        {
            await gate;
            return 1;
        });

    [Fact]
    public void A_method_without_a_result_is_pooled()
    {
        var gate = new TaskCompletionSource();
        ValueTask done = None(gate.Task);
        Assert.Throws<InvalidOperationException>(() => done.GetAwaiter().GetResult());
        gate.SetResult();
        done.GetAwaiter().GetResult();
        Assert.Throws<InvalidOperationException>(() => done.GetAwaiter().GetResult());
    }

    [Fact]
    public async Task A_Task_may_still_be_awaited_many_times()
    {
        var gate = new TaskCompletionSource();
        Task<int> shared = Shared(gate.Task);
        gate.SetResult();
        Assert.Equal(2, await shared + await shared);
    }
}
