using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Plait.Tests.Oracle;

/// <summary>How an awaitable of these tests ends: at once or on the foreign thread, with a value or an error.</summary>
public sealed record Ending(int Value, bool AtOnce = false, Exception? Error = null)
{
    internal int Take()
    {
        if (Error is not null) ExceptionDispatchInfo.Throw(Error);
        return Value;
    }
}

/// <summary>A class with a class awaiter.</summary>
public sealed class ClassAwaitable(Ending ending)
{
    /// <summary>The awaiter.</summary>
    public ClassAwaiter GetAwaiter() => new(ending);
}

/// <summary>A class awaiter.</summary>
public sealed class ClassAwaiter(Ending ending) : ICriticalNotifyCompletion
{
    /// <inheritdoc cref="TaskAwaiter.IsCompleted" />
    public bool IsCompleted => ending.AtOnce;

    /// <inheritdoc cref="TaskAwaiter.GetResult" />
    public int GetResult() => ending.Take();

    /// <inheritdoc />
    public void OnCompleted(Action continuation) => throw new NotSupportedException("UnsafeOnCompleted was expected.");

    /// <inheritdoc />
    public void UnsafeOnCompleted(Action continuation) => Foreign.Run(continuation);
}

/// <summary>A struct with a struct awaiter.</summary>
public readonly struct StructAwaitable(Ending ending)
{
    /// <summary>The awaiter.</summary>
    public StructAwaiter GetAwaiter() => new(ending);
}

/// <summary>A struct awaiter.</summary>
public readonly struct StructAwaiter(Ending ending) : ICriticalNotifyCompletion
{
    /// <inheritdoc cref="TaskAwaiter.IsCompleted" />
    public bool IsCompleted => ending.AtOnce;

    /// <inheritdoc cref="TaskAwaiter.GetResult" />
    public int GetResult() => ending.Take();

    /// <inheritdoc />
    public void OnCompleted(Action continuation) => throw new NotSupportedException("UnsafeOnCompleted was expected.");

    /// <inheritdoc />
    public void UnsafeOnCompleted(Action continuation) => Foreign.Run(continuation);
}

/// <summary>Its awaiter knows only INotifyCompletion.</summary>
public readonly struct PlainAwaitable(Ending ending)
{
    /// <summary>The awaiter.</summary>
    public PlainAwaiter GetAwaiter() => new(ending);
}

/// <summary>An awaiter that knows only INotifyCompletion.</summary>
public readonly struct PlainAwaiter(Ending ending) : INotifyCompletion
{
    /// <inheritdoc cref="TaskAwaiter.IsCompleted" />
    public bool IsCompleted => ending.AtOnce;

    /// <inheritdoc cref="TaskAwaiter.GetResult" />
    public int GetResult() => ending.Take();

    /// <inheritdoc />
    public void OnCompleted(Action continuation) => Foreign.Run(continuation);
}

/// <summary>Knows ConfigureAwait and no GetAwaiter; remembers what it was asked for.</summary>
public sealed class ConfigureOnly(Ending ending)
{
    /// <summary>What ConfigureAwait was called with; null: not at all.</summary>
    public bool? Asked { get; private set; }

    /// <summary>The awaitable.</summary>
    public StructAwaitable ConfigureAwait(bool continueOnCapturedContext)
    {
        Asked = continueOnCapturedContext;
        return new StructAwaitable(ending);
    }
}
