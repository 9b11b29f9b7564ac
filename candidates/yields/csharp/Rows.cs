// The rows in C#, by the names that the lab knows them under.
namespace Plait.Lab.Yields;

/// <summary>The rows in C#.</summary>
public static class Rows
{
    private const string Ours = "Plait";

    /// <summary>Each by its name.</summary>
    public static IReadOnlyDictionary<string, Func<Subject>> CSharp { get; } = new Dictionary<string, Func<Subject>>
    {
        ["csharp-task-t"] = () => new TaskOf(null, Methods.TaskOf),
        ["csharp-task-t-again"] = () => new TaskOf(null, Methods.TaskOf),
        ["csharp-task"] = () => new TaskOnly(null, Methods.TaskOnly),
        ["csharp-value-task-t"] = () => new ValueTaskOf(null, Methods.ValueTaskOf),
        ["csharp-value-task"] = () => new ValueTaskOnly(null, Methods.ValueTaskOnly),
        ["csharp-pooling-t"] = () => new ValueTaskOf(null, Methods.PoolingOf),
        ["csharp-pooling"] = () => new ValueTaskOnly(null, Methods.PoolingOnly),
        ["csharp-pooled-task-t"] = () => new TaskOf(Ours, (x, y) => Methods.PooledTaskOf(x, y).AsTask()),
        ["csharp-pooled-task"] = () => new TaskOnly(Ours, () => Methods.PooledTaskOnly().AsTask()),
        ["csharp-pooled-value-task-t"] = () =>
            new ValueTaskOf(Ours, (x, y) => Methods.PooledValueTaskOf(x, y).AsValueTask()),
        ["csharp-pooled-value-task"] = () =>
            new ValueTaskOnly(Ours, () => Methods.PooledValueTaskOnly().AsValueTask()),
        ["csharp-pooled-task-t-by-attribute"] = () => new TaskOf(Ours, Methods.PooledTaskOfByAttribute),
        ["csharp-pooled-task-by-attribute"] = () => new TaskOnly(Ours, Methods.PooledTaskOnlyByAttribute),
        ["csharp-pooled-value-task-t-by-attribute"] = () => new ValueTaskOf(Ours, Methods.PooledValueTaskOfByAttribute),
        ["csharp-pooled-value-task-by-attribute"] = () =>
            new ValueTaskOnly(Ours, Methods.PooledValueTaskOnlyByAttribute),
    };
}
