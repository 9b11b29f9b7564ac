// Under test: the combinators as C# calls them, on ValueTasks, strands and functions that start Tasks.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class Combinators
{
    [Fact]
    public async Task WhenAll_gives_the_results_in_order()
    {
        ManualSource[] sources = [new(), new(), new()];
        ValueTask<int>[] operations = Array.ConvertAll(sources, source => source.Next());
        Task<int[]> all = operations.WhenAll().AsTask();
        sources[2].Complete(3);
        sources[0].Complete(1);
        Assert.False(all.IsCompleted);
        sources[1].Complete(2);
        Assert.Equal(Row(1, 2, 3), await Within.Result("WhenAll", all));
        Assert.Equal(Row(4, 5), await new List<ValueTask<int>> { new(4), new(5) }.WhenAll());
    }

    [Fact]
    public async Task WhenAny_gives_the_first_and_lets_the_loser_end()
    {
        ManualSource slow = new(), fast = new();
        Task<int> any = new[] { slow.Next(), fast.Next() }.WhenAny().AsTask();
        fast.Complete(2);
        Assert.Equal(2, await Within.Result("WhenAny", any));
        slow.Fail(new InvalidOperationException("of the loser"));
        Assert.False(slow.Next().IsCompleted); // consumed: the source is free for its next use
    }

    [Fact]
    public async Task WhenAllThrottled_and_Sequential_start_so_many_at_a_time()
    {
        var gates = new TaskCompletionSource<int>[] { new(), new(), new() };
        int started = 0;

        Func<Task<int>> Start(int index) => () =>
        {
            started++;
            return gates[index].Task;
        };

        Task<int[]> all = new[] { Start(0), Start(1), Start(2) }.WhenAllThrottled(2);
        Assert.Equal(2, started);
        gates[1].SetResult(1);
        Assert.Equal(3, started);
        gates[0].SetResult(0);
        gates[2].SetResult(2);
        Assert.Equal(Row(0, 1, 2), await Within.Result("WhenAllThrottled", all));

        started = 0;
        gates = [new(), new()];
        Task<int[]> sequence = new[] { Start(0), Start(1) }.Sequential();
        Assert.Equal(1, started);
        gates[0].SetException(new InvalidOperationException("of the first"));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Within.Result("Sequential", sequence));
        Assert.Equal(1, started);

        Func<ValueTask<int>>[] values = [() => new(1), () => new(2)];
        Assert.Equal(Row(1, 2), await values.WhenAllThrottled(1));
        Assert.Equal(Row(1, 2), await values.Sequential());
        Func<Strand<int>>[] strands = [() => Strand<int>.Of(1), () => Strand<int>.Of(2)];
        Assert.Equal(Row(1, 2), await strands.WhenAllThrottled(2));
        Assert.Equal(Row(1, 2), await strands.Sequential());
    }

    [Fact]
    public async Task Timeout_cancels_the_source_that_it_is_given()
    {
        using var cancels = new CancellationTokenSource();
        var source = new ManualSource();
        Task<int> limited = source.Next().Timeout(TimeSpan.FromMilliseconds(5), cancels: cancels).AsTask();
        await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("Timeout", limited));
        Assert.True(cancels.IsCancellationRequested);
        source.Complete();
        Assert.False(source.Next().IsCompleted);
    }

    [Fact]
    public async Task Timeout_goes_by_the_clock_that_it_is_given()
    {
        var clock = new HandClock();
        var source = new ManualSource();
        Task<int> limited = source.Next().Timeout(TimeSpan.FromDays(1), clock).AsTask();
        Assert.False(limited.IsCompleted);
        clock.Ring();
        await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("Timeout", limited));
        source.Complete();

        Task<int> inTime = source.Next().Timeout(TimeSpan.FromDays(1), clock).AsTask();
        source.Complete(7);
        Assert.Equal(7, await Within.Result("Timeout", inTime));
        Assert.True(clock.Disposed);
        clock.Ring(); // too late to change anything
        Assert.Equal(7, await inTime);
    }

    [Fact]
    public async Task The_error_of_a_callback_of_the_token_is_inside_the_TimeoutException()
    {
        using var cancels = new CancellationTokenSource();
        cancels.Token.Register(() => throw new InvalidOperationException("of the callback"));
        var source = new ManualSource();
        Task<int> limited = source.Next().Timeout(TimeSpan.Zero, null, cancels).AsTask();
        TimeoutException error =
            await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("Timeout", limited));
        Assert.IsType<AggregateException>(error.InnerException);
        source.Complete();
    }

    [Fact]
    public async Task Select_SelectMany_Zip_and_Catch()
    {
        ValueTask<int> five = new(5);
        Assert.Equal("5", await five.Select(value => value.ToString()));
        Assert.Equal(6, await five.SelectMany(value => new ValueTask<int>(value + 1)));
        (int left, string right) = await five.Zip(new ValueTask<string>("right"));
        Assert.Equal((5, "right"), (left, right));
        var failed = new ValueTask<int>(Task.FromException<int>(new TimeoutException()));
        Assert.Equal(9, await failed.Catch(error => error is TimeoutException ? 9 : throw error));
    }

    [Fact]
    public async Task Two_operations_combine_in_a_query_in_parallel_and_without_results()
    {
        ValueTask<int> five = new(5);
        Assert.Equal("5 of 6", await (from a in five from b in new ValueTask<int>(a + 1) select $"{a} of {b}"));
        Assert.Equal(10, await new ValueTask<Func<int, int>>(x => x + x).Apply(five));
        Assert.Equal((5, 6), await five.ParallelZip(new ValueTask<int>(6)));
        await five.Ignore();
        var failed = new ValueTask<int>(Task.FromException<int>(new TimeoutException()));
        await Assert.ThrowsAsync<TimeoutException>(() => failed.Ignore().AsTask());

        Gate first = new(), second = new();
        Task<int> sum = (from a in Programs.Strand.Results.behind(first, 1) from b in Programs.Strand.Results.behind(second, 2) select a + b).AsTask();
        first.Open();
        second.Open();
        Assert.Equal(3, await Within.Result("The query", sum));
        Strand<int> six = Strand<int>.Of(6);
        Assert.Equal(12, await Strand<Func<int, int>>.Of(x => x + x).Apply(six));
        Assert.Equal((6, 6), await six.ParallelZip(six));
        await six.Ignore();
    }

    [Fact]
    public async Task Tasks_have_the_same_combinators()
    {
        Task<int> five = Task.FromResult(5);
        Assert.Equal("5", await five.Select(value => value.ToString()));
        Assert.Equal(6, await five.SelectMany(value => Task.FromResult(value + 1)));
        Assert.Equal("5 of 6", await (from a in five from b in Task.FromResult(a + 1) select $"{a} of {b}"));
        Assert.Equal((5, "right"), await five.Zip(Task.FromResult("right")));
        Assert.Equal(9, await Task.FromException<int>(new TimeoutException()).Catch(error => error is TimeoutException ? 9 : throw error));
        var source = new TaskCompletionSource<int>();
        Task<(int, int)> both = Task.FromException<int>(new TimeoutException()).Zip(source.Task);
        Assert.False(both.IsCompleted);
        source.SetResult(1);
        await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("Zip", both));
    }

    [Fact]
    public async Task Strands_have_the_same_combinators()
    {
        Gate first = new(), second = new();
        Strand<string>[] strands = [Programs.Strand.Results.behind(first, "first"), Programs.Strand.Results.behind(second, "second")];
        Task<string[]> all = strands.WhenAll().AsTask();
        second.Open();
        Assert.False(all.IsCompleted);
        first.Open();
        Assert.Equal(Row("first", "second"), await Within.Result("WhenAll", all));

        Gate winner = new(), loser = new();
        Task<int> any = new[] { Programs.Strand.Results.behind(loser, 1), Programs.Strand.Results.behind(winner, 2) }.WhenAny().AsTask();
        winner.Open();
        Assert.Equal(2, await Within.Result("WhenAny", any));
        loser.Open();

        Strand<int> five = Strand<int>.Of(5);
        Assert.Equal(6, await five.Select(value => value + 1));
        Assert.Equal(7, await five.SelectMany(value => Strand<int>.Of(value + 2)));
        Assert.Equal((5, 5), await five.Zip(five));
        Assert.Equal(9, await Strand<int>.Failed(new TimeoutException()).Catch(_ => 9));
        Assert.Equal(5, await five.Timeout(TimeSpan.FromHours(1)));
    }

    [Fact]
    public async Task A_null_sequence_is_an_error_of_the_result()
    {
        ValueTask<int[]> all = ((IEnumerable<ValueTask<int>>)null!).WhenAll();
        await Assert.ThrowsAsync<ArgumentNullException>(() => Within.Result("WhenAll", all.AsTask()));
        ValueTask<int[]> throttled = ((IEnumerable<Func<ValueTask<int>>>)null!).WhenAllThrottled(1);
        await Assert.ThrowsAsync<ArgumentNullException>(() => Within.Result("WhenAllThrottled", throttled.AsTask()));
    }

    private static T[] Row<T>(params T[] items) => items;

    /// <summary>A clock with one timer, which rings by hand.</summary>
    private sealed class HandClock : TimeProvider, ITimer
    {
        private Action ring = () => { };

        public bool Disposed { get; private set; }

        public void Ring() => ring();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            ring = () => callback(state);
            Disposed = false;
            return this;
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() => Disposed = true;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
