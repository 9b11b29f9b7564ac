using System.Runtime.CompilerServices;

namespace Plait.Tests.Oracle;

/// <summary>Awaitables that go on on a new thread, and are over before the registration returns: the worst case of a
/// race, each time.</summary>
public sealed class Hopper
{
    private int hops;

    /// <summary>The name of the last thread that was hopped to.</summary>
    public string Last => $"hop {hops}";

    /// <summary>The next hop.</summary>
    public Hop Next() => new(this);

    /// <summary>Goes on on a new thread.</summary>
    public readonly struct Hop(Hopper hopper) : ICriticalNotifyCompletion
    {
        /// <summary>The awaiter.</summary>
        public Hop GetAwaiter() => this;

        /// <summary>Always false.</summary>
        public bool IsCompleted => false;

        /// <summary>Nothing.</summary>
        public void GetResult()
        {
        }

        /// <inheritdoc />
        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        /// <inheritdoc />
        public void UnsafeOnCompleted(Action continuation)
        {
            hopper.hops++;
            var thread = new Thread(() => continuation()) { Name = hopper.Last, IsBackground = true };
            thread.UnsafeStart();
            thread.Join(TimeSpan.FromSeconds(20));
        }
    }
}
