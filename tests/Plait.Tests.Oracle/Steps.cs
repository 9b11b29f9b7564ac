namespace Plait.Tests.Oracle;

/// <summary>A small asynchronous program as data, to be interpreted in every way of writing async.</summary>
public abstract record Step
{
    /// <summary>Its steps on one line.</summary>
    public static string Show(IEnumerable<Step> steps) => "[" + string.Join("; ", steps) + "]";
}

/// <summary>Writes the ambient value.</summary>
public sealed record Set(int Value) : Step
{
    /// <inheritdoc />
    public override string ToString() => $"set {Value}";
}

/// <summary>Notes the ambient value and the SynchronizationContext.</summary>
public sealed record Look : Step
{
    /// <inheritdoc />
    public override string ToString() => "read";
}

/// <summary>Throws the program's exception.</summary>
public sealed record Throw : Step
{
    /// <inheritdoc />
    public override string ToString() => "throw";
}

/// <summary>Task.Yield().</summary>
public sealed record Pause : Step
{
    /// <inheritdoc />
    public override string ToString() => "yield";
}

/// <summary>What is awaited.</summary>
public enum Awaited
{
    /// <summary>A Task.</summary>
    Task,

    /// <summary>A ValueTask over an IValueTaskSource.</summary>
    ValueTask,

    /// <summary>A struct awaiter.</summary>
    Awaiter,

    /// <summary>An awaiter with OnCompleted only.</summary>
    Plain,
}

/// <summary>Awaits something that ends at once or on a foreign thread, well or not.</summary>
public sealed record Await(Awaited Kind, bool AtOnce, bool Fails) : Step
{
    /// <inheritdoc />
    public override string ToString() =>
        $"await {Kind.ToString().ToLowerInvariant()}{(AtOnce ? " done" : "")}{(Fails ? " failing" : "")}";
}

/// <summary>Calls a program and awaits it.</summary>
public sealed record Call(Step[] Body) : Step
{
    /// <inheritdoc />
    public override string ToString() => "call " + Show(Body);
}

/// <summary>Calls a program, notes what the call left behind, then awaits it.</summary>
public sealed record CallThenRead(Step[] Body) : Step
{
    /// <inheritdoc />
    public override string ToString() => "call, read, await " + Show(Body);
}

/// <summary>Returns from a program: a tail call where there are some.</summary>
public sealed record Tail(Step[] Body) : Step
{
    /// <inheritdoc />
    public override string ToString() => "return! " + Show(Body);
}

/// <summary>try/catch.</summary>
public sealed record Try(Step[] Body, Step[] Handler) : Step
{
    /// <inheritdoc />
    public override string ToString() => $"try {Show(Body)} with {Show(Handler)}";
}

/// <summary>try/finally. The end is synchronous.</summary>
public sealed record Finally(Step[] Body, int Written) : Step
{
    /// <inheritdoc />
    public override string ToString() => $"try {Show(Body)} finally set {Written}";
}

/// <summary>await using.</summary>
public sealed record Using(bool Pending, bool Fails, int Written, Step[] Body) : Step
{
    /// <inheritdoc />
    public override string ToString() =>
        $"use ({(Pending ? "pending" : "done")}{(Fails ? " failing" : "")} set {Written}) {Show(Body)}";
}

/// <summary>A loop.</summary>
public sealed record Loop(int Turns, Step[] Body) : Step
{
    /// <inheritdoc />
    public override string ToString() => $"loop {Turns} {Show(Body)}";
}

/// <summary>Two programs side by side.</summary>
public sealed record Both(Step[] Left, Step[] Right) : Step
{
    /// <inheritdoc />
    public override string ToString() => $"both {Show(Left)} {Show(Right)}";
}
