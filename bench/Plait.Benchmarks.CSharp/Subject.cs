namespace Plait.Benchmarks.CSharp;

/// <summary>One way of writing asynchronous methods: the same programs, each repeated <c>count</c> times.</summary>
public abstract class Subject
{
    /// <summary>The row's name in the reports.</summary>
    public abstract string Name { get; }

    /// <summary>A result, and no await.</summary>
    public abstract void Value(int count);

    /// <summary>Eight awaits of a completed <c>Task</c>.</summary>
    public abstract void Eight(int count);

    /// <summary>Ten calls of a method of the same kind that never suspends, each awaited.</summary>
    public abstract void Ten(int count);

    /// <summary>Two suspensions on a custom awaiter, ended on the calling thread.</summary>
    public abstract void Gates(int count);

    /// <summary>Two suspensions on an <c>IValueTaskSource</c>, ended on the calling thread.</summary>
    public abstract void Sources(int count);

    /// <summary>Two <c>Task.Yield()</c>, one operation after another.</summary>
    public abstract Task Yields(int count);

    /// <summary>Operations of two <c>Task.Yield()</c>, <paramref name="width" /> of them at a time.</summary>
    public abstract Task InFlight(int count, int width);

    /// <summary>Calls that are <paramref name="depth" /> deep, none of which suspends; counted by level.</summary>
    public abstract void Deep(int count, int depth);

    /// <summary>The same with one <c>Task.Yield()</c> at the bottom, behind which every level goes on.</summary>
    public abstract Task DeepSuspended(int count, int depth);

    /// <summary>Operations of two <c>Task.Yield()</c>, joined <paramref name="width" /> at a time.</summary>
    public abstract Task WhenAll(int count, int width);

    /// <inheritdoc />
    public override string ToString() => Name;
}
