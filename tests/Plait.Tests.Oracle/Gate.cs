using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace Plait.Tests.Oracle;

/// <summary>An awaitable that is opened by hand; who waits runs on the thread that opens it. It closes again behind
/// each waiter.</summary>
public sealed class Gate
{
    private Action? continuation;

    /// <summary>Thrown by the next awaiters, where set.</summary>
    public Exception? Error { get; set; }

    /// <summary>Whether somebody waits.</summary>
    public bool Waited => Volatile.Read(ref continuation) is not null;

    /// <summary>The awaiter.</summary>
    public Awaiter GetAwaiter() => new(this);

    /// <summary>Runs who waits.</summary>
    public void Open() =>
        (Interlocked.Exchange(ref continuation, null) ?? throw new InvalidOperationException("Nobody waits at the gate."))();

    /// <summary>A struct awaiter that is never completed beforehand.</summary>
    public readonly struct Awaiter(Gate gate) : ICriticalNotifyCompletion
    {
        /// <summary>Always false.</summary>
        public bool IsCompleted => false;

        /// <summary>1, or the gate's error.</summary>
        public int GetResult()
        {
            if (gate.Error is not null) ExceptionDispatchInfo.Throw(gate.Error);
            return 1;
        }

        /// <inheritdoc />
        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        /// <inheritdoc />
        public void UnsafeOnCompleted(Action continuation) => Volatile.Write(ref gate.continuation, continuation);
    }
}

/// <summary>A reused IValueTaskSource, completed by hand on the calling thread.</summary>
public sealed class ManualSource : IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> core;

    /// <summary>The next operation.</summary>
    public ValueTask<int> Next() => new(this, core.Version);

    /// <summary>Completes it.</summary>
    public void Complete(int value = 1) => core.SetResult(value);

    /// <summary>Completes it with an error.</summary>
    public void Fail(Exception error) => core.SetException(error);

    int IValueTaskSource<int>.GetResult(short token)
    {
        try
        {
            return core.GetResult(token);
        }
        finally
        {
            core.Reset();
        }
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        core.OnCompleted(continuation, state, token, flags);
}
