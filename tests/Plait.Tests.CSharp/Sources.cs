using System.Diagnostics.CodeAnalysis;

namespace Plait.Tests.CSharp;

/// <summary>One kind of source with an int result, to run the same cases over all. A struct behind one interface.</summary>
public abstract class Source
{
    /// <summary>The names of all, for theories.</summary>
    public static TheoryData<string> Names => [.. Makers.Keys];

    private static readonly Dictionary<string, Func<Source>> Makers = new()
    {
        [nameof(PooledValueTaskSource<int>) + "<T>"] = () => new Pooled(),
        [nameof(PooledValueTaskSource)] = () => new PooledUnit(),
        [nameof(ValueTaskCompletionSource<int>) + "<T>"] = () => new OfTask(),
        [nameof(LazyTaskCompletionSource<int>) + "<T>"] = () => new Lazy(),
        [nameof(LazyTaskCompletionSource)] = () => new LazyUnit(),
    };

    /// <summary>A pending one of that kind.</summary>
    public static Source Of(string name) => Makers[name]();

    /// <summary>The result as it comes out where this result was set: 0 where the source has none.</summary>
    public virtual int Expected(int result) => result;

    /// <summary>The end; asked for once.</summary>
    public abstract Task<int> Ended();

    public abstract bool TrySetResult(int result);
    public abstract bool TrySetException(Exception error);
    public abstract bool TrySetCanceled(CancellationToken token);
    public abstract bool TrySetCanceled();
    public abstract void SetResult(int result);
    public abstract void SetException(Exception error);
    public abstract void SetCanceled(CancellationToken token);
    public abstract void SetCanceled();
    public abstract bool Same(Source other);
    public abstract string Text { get; }

    private sealed class Pooled : Source
    {
        private readonly PooledValueTaskSource<int> source = PooledValueTaskSource<int>.Create();
        public override async Task<int> Ended() => await source.Task;
        public override bool TrySetResult(int result) => source.TrySetResult(result);
        public override bool TrySetException(Exception error) => source.TrySetException(error);
        public override bool TrySetCanceled(CancellationToken token) => source.TrySetCanceled(token);
        public override bool TrySetCanceled() => source.TrySetCanceled();
        public override void SetResult(int result) => source.SetResult(result);
        public override void SetException(Exception error) => source.SetException(error);
        public override void SetCanceled(CancellationToken token) => source.SetCanceled(token);
        public override void SetCanceled() => source.SetCanceled();
        public override bool Same(Source other) => other is Pooled twin && source.Equals(twin.source) && source.GetHashCode() == twin.source.GetHashCode();
        public override string Text => source.ToString();
    }

    private sealed class PooledUnit : Source
    {
        private readonly PooledValueTaskSource source = PooledValueTaskSource.Create();
        public override int Expected(int result) => 0;

        public override async Task<int> Ended()
        {
            await source.Task;
            return 0;
        }

        public override bool TrySetResult(int result) => source.TrySetResult();
        public override bool TrySetException(Exception error) => source.TrySetException(error);
        public override bool TrySetCanceled(CancellationToken token) => source.TrySetCanceled(token);
        public override bool TrySetCanceled() => source.TrySetCanceled();
        public override void SetResult(int result) => source.SetResult();
        public override void SetException(Exception error) => source.SetException(error);
        public override void SetCanceled(CancellationToken token) => source.SetCanceled(token);
        public override void SetCanceled() => source.SetCanceled();
        public override bool Same(Source other) => other is PooledUnit twin && source.Equals(twin.source) && source.GetHashCode() == twin.source.GetHashCode();
        public override string Text => source.ToString();
    }

    private sealed class OfTask : Source
    {
        private readonly ValueTaskCompletionSource<int> source = ValueTaskCompletionSource<int>.Create();
        public override async Task<int> Ended() => await source.Task;
        public override bool TrySetResult(int result) => source.TrySetResult(result);
        public override bool TrySetException(Exception error) => source.TrySetException(error);
        public override bool TrySetCanceled(CancellationToken token) => source.TrySetCanceled(token);
        public override bool TrySetCanceled() => source.TrySetCanceled();
        public override void SetResult(int result) => source.SetResult(result);
        public override void SetException(Exception error) => source.SetException(error);
        public override void SetCanceled(CancellationToken token) => source.SetCanceled(token);
        public override void SetCanceled() => source.SetCanceled();
        public override bool Same(Source other) => other is OfTask twin && source.Equals(twin.source) && source.GetHashCode() == twin.source.GetHashCode();
        public override string Text => source.ToString();
    }

    [SuppressMessage("Reliability", "CA1001", Justification = "not disposed on purpose: the object is dropped")]
    private sealed class Lazy : Source
    {
        private readonly LazyTaskCompletionSource<int> source = LazyTaskCompletionSource<int>.Create();
        public override async Task<int> Ended() => await source.Task;
        public override bool TrySetResult(int result) => source.TrySetResult(result);
        public override bool TrySetException(Exception error) => source.TrySetException(error);
        public override bool TrySetCanceled(CancellationToken token) => source.TrySetCanceled(token);
        public override bool TrySetCanceled() => source.TrySetCanceled();
        public override void SetResult(int result) => source.SetResult(result);
        public override void SetException(Exception error) => source.SetException(error);
        public override void SetCanceled(CancellationToken token) => source.SetCanceled(token);
        public override void SetCanceled() => source.SetCanceled();
        public override bool Same(Source other) => other is Lazy twin && source.Equals(twin.source) && source.GetHashCode() == twin.source.GetHashCode();
        public override string Text => source.ToString();
    }

    [SuppressMessage("Reliability", "CA1001", Justification = "not disposed on purpose: the object is dropped")]
    private sealed class LazyUnit : Source
    {
        private readonly LazyTaskCompletionSource source = LazyTaskCompletionSource.Create();
        public override int Expected(int result) => 0;

        public override async Task<int> Ended()
        {
            await source.Task;
            return 0;
        }

        public override bool TrySetResult(int result) => source.TrySetResult();
        public override bool TrySetException(Exception error) => source.TrySetException(error);
        public override bool TrySetCanceled(CancellationToken token) => source.TrySetCanceled(token);
        public override bool TrySetCanceled() => source.TrySetCanceled();
        public override void SetResult(int result) => source.SetResult();
        public override void SetException(Exception error) => source.SetException(error);
        public override void SetCanceled(CancellationToken token) => source.SetCanceled(token);
        public override void SetCanceled() => source.SetCanceled();
        public override bool Same(Source other) => other is LazyUnit twin && source.Equals(twin.source) && source.GetHashCode() == twin.source.GetHashCode();
        public override string Text => source.ToString();
    }
}
