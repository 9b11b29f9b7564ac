using System.Threading.Tasks.Sources;

namespace Plait.Tests.Oracle;

/// <summary>
/// An asynchronous sequence of which everything comes from a foreign thread, and not before it is awaited: so that where the
/// awaiting code goes on is no matter of who is faster.
/// </summary>
public sealed class ForeignItems(int count, Action<string> log) : IAsyncEnumerable<int>
{
    /// <inheritdoc />
    public IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken = default) => new Enumerator(count, log);

    /// <summary>An operation that completes on the foreign thread, and not before it is awaited.</summary>
    public static ValueTask<bool> One() => new(new OnceAwaited(true), 0);

    private sealed class Enumerator(int count, Action<string> log) : IAsyncEnumerator<int>
    {
        public int Current { get; private set; }

        public ValueTask<bool> MoveNextAsync() => new(new OnceAwaited(++Current <= count), 0);

        public ValueTask DisposeAsync()
        {
            log("enumerator disposed");
            return new ValueTask(new OnceAwaited(true), 0);
        }
    }

    private sealed class OnceAwaited(bool result) : IValueTaskSource<bool>, IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> core;

        public bool GetResult(short token) => core.GetResult(token);

        void IValueTaskSource.GetResult(short token) => core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => core.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        {
            core.OnCompleted(continuation, state, token, flags);
            Foreign.Run(() => core.SetResult(result));
        }
    }
}
