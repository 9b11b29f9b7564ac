// Under test: calls that must block, in the ways in which C# makes them; the monitor and the guard, as C# writes them.
namespace Plait.Tests.CSharp;

public class BlockingCalls
{
    private sealed class Client(string name)
    {
        public int Length() => name.Length;

        public void Fail() => throw new InvalidOperationException(name);
    }

    [Fact]
    public async Task A_function_and_an_action_run_on_threads_of_their_own()
    {
        bool isPool = await Blocking.Run(() => Thread.CurrentThread.IsThreadPoolThread);
        Assert.False(isPool);
        string? name = null;
        await Blocking.Run(() => { name = Thread.CurrentThread.Name; });
        Assert.Equal("shared", name);
        Assert.Equal(3, await Blocking.Run(() => 3, CancellationToken.None));
    }

    [Fact]
    public async Task A_pool_is_made_with_an_initializer_and_disposed_asynchronously()
    {
        await using BlockingPool pool = new("reports", new() { MaxThreads = 1, QueueLimit = 5 });
        Assert.Equal("reports", await pool.Run(() => Thread.CurrentThread.Name));
        Assert.Equal(1, pool.MaxThreads);
    }

    [Fact]
    public async Task A_client_is_adapted_once_and_called_often()
    {
        await using BlockingPool pool = new("client");
        BlockingClient<Client> client = Blocking.Adapt(new Client("four"), pool);
        Assert.Equal(4, await client.Run(one => one.Length()));
        InvalidOperationException error =
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await client.Run(one => one.Fail()));
        Assert.Equal("four", error.Message);
        Assert.Contains(nameof(Client.Fail), error.StackTrace);
        Assert.Equal(4, await Blocking.Adapt(new Client("more")).Run(one => one.Length()));
    }

    [Fact]
    public async Task A_call_can_be_cancelled_while_it_waits()
    {
        await using BlockingPool pool = new("one", new() { MaxThreads = 1 });
        using ManualResetEventSlim gate = new(false);
        using CancellationTokenSource cancel = new();
        ValueTask first = pool.Run(gate.Wait);
        ValueTask<int> second = pool.Run(() => 2, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await second);
        gate.Set();
        await first;
    }

    [Fact]
    public async Task A_full_pool_and_a_disposed_one_refuse_in_the_result()
    {
        BlockingPool pool = new("none", new() { MaxThreads = 1, QueueLimit = 0 });
        using ManualResetEventSlim gate = new(false);
        ValueTask first = pool.Run(gate.Wait);
        ValueTask<int> second = pool.Run(() => 2);
        await Assert.ThrowsAsync<BlockingPoolFullException>(async () => await second);
        gate.Set();
        await first;
        pool.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await pool.Run(() => 2));
    }

    [Fact]
    public void Null_is_refused_at_once()
    {
        Assert.Throws<ArgumentNullException>(() => { _ = Blocking.Run((Func<int>)null!); });
        Assert.Throws<ArgumentNullException>(() => { _ = Blocking.Run((Action)null!); });
        Assert.Throws<ArgumentNullException>(() => { _ = Blocking.Adapt("client", null!); });
        Assert.Throws<ArgumentNullException>(() => new BlockingPool(null!));
        Assert.Throws<ArgumentNullException>(() => new BlockingPool("pool", null!));
    }

    [Fact]
    public void A_monitor_is_set_up_with_an_initializer_and_handlers()
    {
        using StarvationMonitor monitor = new(new() { Threshold = TimeSpan.FromMinutes(5), Arguments = ["{pid}"] });
        monitor.Alarm += (_, alarm) => Assert.NotNull(alarm.ToString());
        monitor.Recovered += (_, ended) => Assert.NotNull(ended.Alarm);
        monitor.Collected += (_, report) => Assert.NotNull(report.File);
        monitor.Start();
        Assert.True(monitor.IsRunning);
        monitor.Stop();
        Assert.False(monitor.IsRunning);
    }

    [Fact]
    public async Task A_guard_stands_around_a_test()
    {
        // other tests run at the same time: only the form is under test here
        using ThreadPoolGuard guard = ThreadPoolGuard.Start(TimeSpan.FromHours(1));
        await Task.Yield();
        guard.Check();
    }
}
