// Under test: every source that is settled by hand: what comes out, and that of all setters one wins.
namespace Plait.Tests.CSharp;

public class Settling
{
    public static TheoryData<string> Kinds => Source.Names;

    public static TheoryData<string, int> Races
    {
        get
        {
            var data = new TheoryData<string, int>();
            foreach (string kind in Source.Names)
                foreach (int threads in new[] { 2, 3, 8 }) data.Add(kind, threads);
            return data;
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_result_arrives_if_it_is_set_before_or_after_the_await(string kind)
    {
        Source before = Source.Of(kind), behind = Source.Of(kind);
        Assert.True(before.TrySetResult(42));
        Assert.Equal(before.Expected(42), await Within.Result("The first", before.Ended()));
        Task<int> waiting = behind.Ended();
        Assert.False(waiting.IsCompleted);
        behind.SetResult(43);
        Assert.Equal(behind.Expected(43), await Within.Result("The second", waiting));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_exception_is_the_same_instance(string kind)
    {
        foreach (bool early in new[] { false, true })
        {
            Source source = Source.Of(kind);
            var error = new TimeoutException("of the source");
            if (early) Assert.True(source.TrySetException(error));
            Task<int> waiting = source.Ended();
            if (!early) source.SetException(error);
            Assert.Same(error, await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("It", waiting)));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_cancellation_has_its_token(string kind)
    {
        using var cancellation = new CancellationTokenSource();
        cancellation.Cancel();
        CancellationToken token = cancellation.Token;

        (Func<Source, bool> Cancel, CancellationToken Token)[] ways =
        [
            (source => source.TrySetCanceled(token), token),
            (source => Done(() => source.SetCanceled(token)), token),
            (source => source.TrySetCanceled(), CancellationToken.None),
            (source => Done(source.SetCanceled), CancellationToken.None),
        ];

        foreach ((Func<Source, bool> cancel, CancellationToken expected) in ways)
        {
            Source source = Source.Of(kind);
            Task<int> waiting = source.Ended();
            Assert.True(cancel(source));
            TaskCanceledException caught =
                await Assert.ThrowsAsync<TaskCanceledException>(() => Within.Result("It", waiting));
            Assert.True(waiting.IsCanceled);
            Assert.Equal(expected, caught.CancellationToken);
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_OperationCanceledException_cancels_and_stays_the_same(string kind)
    {
        Source source = Source.Of(kind);
        var error = new OperationCanceledException("of the source", new CancellationToken(true));
        Task<int> waiting = source.Ended();
        source.SetException(error);
        Assert.Same(error, await Assert.ThrowsAsync<OperationCanceledException>(() => Within.Result("It", waiting)));
        Assert.True(waiting.IsCanceled);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_first_result_stands(string kind)
    {
        Source source = Source.Of(kind);
        source.SetResult(1);
        Assert.False(source.TrySetResult(2));
        Assert.False(source.TrySetException(new TimeoutException()));
        Assert.False(source.TrySetCanceled());
        Assert.False(source.TrySetCanceled(new CancellationToken(true)));
        Assert.Contains("settled-twice", Assert.Throws<InvalidOperationException>(() => source.SetResult(2)).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => source.SetException(new TimeoutException()));
        Assert.Throws<InvalidOperationException>(source.SetCanceled);
        Assert.Throws<InvalidOperationException>(() => source.SetCanceled(default));
        Assert.Equal(source.Expected(1), await source.Ended());
    }

    [Theory, MemberData(nameof(Kinds))]
    public void No_exception_is_refused_and_sets_nothing(string kind)
    {
        Source source = Source.Of(kind);
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));
        Assert.Throws<ArgumentNullException>(() => source.SetException(null!));
        Assert.True(source.TrySetResult(1));
        Assert.Throws<ArgumentNullException>(() => source.TrySetException(null!));
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_source_is_equal_to_itself_only(string kind)
    {
        Source source = Source.Of(kind);
        Assert.True(source.Same(source));
        Assert.False(source.Same(Source.Of(kind)));
        Assert.Equal(kind.Replace("<T>", ""), source.Text);
    }

    [Theory, MemberData(nameof(Races))]
    public void One_of_many_simultaneous_setters_wins_and_its_result_arrives(string kind, int threads)
    {
        const int rounds = 3000;
        var sources = new Source[rounds];
        for (int i = 0; i < rounds; i++) sources[i] = Source.Of(kind);
        int[] wins = new int[rounds], winner = new int[rounds];
        var failures = new List<Exception>();
        using var together = new Barrier(threads);

        void Set(int id)
        {
            try
            {
                for (int i = 0; i < rounds; i++)
                {
                    if (i % 8 == 0) together.SignalAndWait();
                    bool won = (id % 3) switch
                    {
                        0 => sources[i].TrySetResult(id),
                        1 => sources[i].TrySetException(new Marked(id)),
                        _ => sources[i].TrySetCanceled(),
                    };
                    if (!won) continue;
                    Interlocked.Increment(ref wins[i]);
                    winner[i] = id;
                }
            }
            catch (Exception error)
            {
                lock (failures) failures.Add(error);
                together.RemoveParticipant();
            }
        }

        Task<int>[] ends = [.. sources.Select((source, i) => i % 2 == 0 ? source.Ended() : Task.FromResult(0))];
        Thread[] all = [.. Enumerable.Range(0, threads).Select(id => new Thread(() => Set(id)))];
        foreach (Thread thread in all) thread.Start();
        foreach (Thread thread in all) thread.Join();
        Assert.Empty(failures);

        for (int i = 0; i < rounds; i++)
        {
            Assert.Equal(1, wins[i]);
            Task<int> end = i % 2 == 0 ? ends[i] : sources[i].Ended();
            Assert.True(SpinWait.SpinUntil(() => end.IsCompleted, TimeSpan.FromMinutes(2)), "It did not end.");

            switch (winner[i] % 3)
            {
                case 0:
                    Assert.Equal(sources[i].Expected(winner[i]), end.Result);
                    break;
                case 1:
                    Assert.Equal(winner[i], Assert.IsType<Marked>(end.Exception!.InnerException).Id);
                    break;
                default:
                    Assert.True(end.IsCanceled);
                    break;
            }
        }
    }

    private static bool Done(Action action)
    {
        action();
        return true;
    }

    private sealed class Marked(int id) : Exception
    {
        public int Id => id;
    }
}
