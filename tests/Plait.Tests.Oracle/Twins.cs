namespace Plait.Tests.Oracle;

/// <summary>C#'s own forms of what the builders do with disposables and asynchronous sequences.</summary>
public static class Twins
{
    /// <summary><c>await using</c>.</summary>
    public static async Task AwaitUsing(IAsyncDisposable resource, Func<Task> body)
    {
        await using (resource) await body();
    }

    /// <summary><c>await foreach</c>.</summary>
    public static async Task AwaitForeach(IAsyncEnumerable<int> items, Func<int, Task> body)
    {
        await foreach (int item in items) await body(item);
    }
}

/// <summary>An asynchronous sequence that is watched: which items suspend, which one fails, how it is disposed.</summary>
public sealed class WatchedItems(Action<string> log, int count, Func<int, bool> suspends, int failsAt, Exception error,
    bool disposeFails = false) : IAsyncEnumerable<int>
{
    /// <inheritdoc />
    public IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        Token = cancellationToken;
        return new Enumerator(this, log);
    }

    /// <summary>The token of the latest enumeration.</summary>
    public CancellationToken Token { get; private set; }

    private sealed class Enumerator(WatchedItems items, Action<string> log) : IAsyncEnumerator<int>
    {
        public int Current { get; private set; }

        public ValueTask<bool> MoveNextAsync()
        {
            Current++;
            bool fails = Current == items.FailsAt, more = Current <= items.Count;
            if (items.Suspends(Current)) return new ValueTask<bool>(Later(fails, more));
            if (fails) throw items.Error;
            return new ValueTask<bool>(more);
        }

        public ValueTask DisposeAsync()
        {
            log("enumerator disposed");
            if (items.DisposeFails) throw new InvalidOperationException("thrown by the disposal");
            return default;
        }

        private async Task<bool> Later(bool fails, bool more)
        {
            await Foreign.Return(0, fails ? items.Error : null).ConfigureAwait(false);
            return more;
        }
    }

    private int Count => count;
    private Func<int, bool> Suspends => suspends;
    private int FailsAt => failsAt;
    private Exception Error => error;
    private bool DisposeFails => disposeFails;
}
