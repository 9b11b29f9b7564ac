using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Plait.Benchmarks.CSharp;

/// <summary>An awaitable that is completed by hand, on the calling thread: a suspension without the cost of a thread
/// pool.</summary>
public sealed class Gate
{
    private Action? continuation;

    /// <summary>The awaiter.</summary>
    public Awaiter GetAwaiter() => new(this);

    /// <summary>Runs whoever waits.</summary>
    public void Open()
    {
        Action waiter = continuation!;
        continuation = null;
        waiter();
    }

    /// <summary>A struct awaiter that is never completed beforehand.</summary>
    public readonly struct Awaiter(Gate gate) : ICriticalNotifyCompletion
    {
        /// <summary>Always false.</summary>
        public bool IsCompleted => false;

        /// <summary>Always 1.</summary>
        public int GetResult() => 1;

        /// <inheritdoc />
        public void OnCompleted(Action continuation) => gate.continuation = continuation;

        /// <inheritdoc />
        public void UnsafeOnCompleted(Action continuation) => gate.continuation = continuation;
    }
}

/// <summary>A reused IValueTaskSource, completed by hand on the calling thread.</summary>
public sealed class Source : IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> core;

    /// <summary>The next operation.</summary>
    public ValueTask<int> Next() => new(this, core.Version);

    /// <summary>Completes it.</summary>
    public void Complete() => core.SetResult(1);

    int IValueTaskSource<int>.GetResult(short token)
    {
        int result = core.GetResult(token);
        core.Reset();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        core.OnCompleted(continuation, state, token, flags);
}
