using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

/// <summary>One way of writing an async method, by the results of Methods.cs.</summary>
public abstract class Door
{
    /// <summary>All but `async Task` itself.</summary>
    public static readonly Door[] All =
        [new PooledTaskDoor(), new PooledValueTaskDoor(), new TaskByAttribute(), new ValueTaskByAttribute()];

    /// <summary>The names of all, for theories.</summary>
    public static TheoryData<string> Names => [.. All.Select(door => door.Name)];

    /// <summary>The one of that name.</summary>
    public static Door Of(string name) => All.Single(door => door.Name == name);

    public string Name => GetType().Name;

    public abstract bool AwaitedOnce { get; }

    public abstract Task<T> Now<T>(T value);
    public abstract Task<T> Later<T>(T value, int yields);
    public abstract Task<int> Gated(Gate gate);
    public abstract Task<int> Failing(Exception error, int yields);
    public abstract Task<string> Finally(Gate gate, List<string> log);
    public abstract Task<int> Deep(int depth, bool yields);
    public abstract Task<long> Turns(int turns, bool yields);
    public abstract Task<(int Before, int After, int Last)> Ambients(int written);
    public abstract Task<bool> Aside(Gate gate);

    private sealed class PooledTaskDoor : Door
    {
        public override bool AwaitedOnce => false;
        public override Task<T> Now<T>(T value) => OfPooledTask.Methods.Now(value);
        public override Task<T> Later<T>(T value, int yields) => OfPooledTask.Methods.Later(value, yields);
        public override Task<int> Gated(Gate gate) => OfPooledTask.Methods.Gated(gate);
        public override Task<int> Failing(Exception error, int yields) => OfPooledTask.Methods.Failing(error, yields);
        public override Task<string> Finally(Gate gate, List<string> log) => OfPooledTask.Methods.Finally(gate, log);
        public override Task<int> Deep(int depth, bool yields) => OfPooledTask.Methods.Deep(depth, yields);
        public override Task<long> Turns(int turns, bool yields) => OfPooledTask.Methods.Turns(turns, yields);
        public override Task<(int Before, int After, int Last)> Ambients(int written) => OfPooledTask.Methods.Ambients(written);
        public override Task<bool> Aside(Gate gate) => OfPooledTask.Methods.Aside(gate);
    }

    private sealed class PooledValueTaskDoor : Door
    {
        public override bool AwaitedOnce => true;
        public override Task<T> Now<T>(T value) => OfPooledValueTask.Methods.Now(value).AsTask();
        public override Task<T> Later<T>(T value, int yields) => OfPooledValueTask.Methods.Later(value, yields).AsTask();
        public override Task<int> Gated(Gate gate) => OfPooledValueTask.Methods.Gated(gate).AsTask();
        public override Task<int> Failing(Exception error, int yields) => OfPooledValueTask.Methods.Failing(error, yields).AsTask();
        public override Task<string> Finally(Gate gate, List<string> log) => OfPooledValueTask.Methods.Finally(gate, log).AsTask();
        public override Task<int> Deep(int depth, bool yields) => OfPooledValueTask.Methods.Deep(depth, yields).AsTask();
        public override Task<long> Turns(int turns, bool yields) => OfPooledValueTask.Methods.Turns(turns, yields).AsTask();
        public override Task<(int Before, int After, int Last)> Ambients(int written) => OfPooledValueTask.Methods.Ambients(written).AsTask();
        public override Task<bool> Aside(Gate gate) => OfPooledValueTask.Methods.Aside(gate).AsTask();
    }

    private sealed class TaskByAttribute : Door
    {
        public override bool AwaitedOnce => false;
        public override Task<T> Now<T>(T value) => OfTaskByAttribute.Methods.Now(value);
        public override Task<T> Later<T>(T value, int yields) => OfTaskByAttribute.Methods.Later(value, yields);
        public override Task<int> Gated(Gate gate) => OfTaskByAttribute.Methods.Gated(gate);
        public override Task<int> Failing(Exception error, int yields) => OfTaskByAttribute.Methods.Failing(error, yields);
        public override Task<string> Finally(Gate gate, List<string> log) => OfTaskByAttribute.Methods.Finally(gate, log);
        public override Task<int> Deep(int depth, bool yields) => OfTaskByAttribute.Methods.Deep(depth, yields);
        public override Task<long> Turns(int turns, bool yields) => OfTaskByAttribute.Methods.Turns(turns, yields);
        public override Task<(int Before, int After, int Last)> Ambients(int written) => OfTaskByAttribute.Methods.Ambients(written);
        public override Task<bool> Aside(Gate gate) => OfTaskByAttribute.Methods.Aside(gate);
    }

    private sealed class ValueTaskByAttribute : Door
    {
        public override bool AwaitedOnce => true;
        public override Task<T> Now<T>(T value) => OfValueTaskByAttribute.Methods.Now(value).AsTask();
        public override Task<T> Later<T>(T value, int yields) => OfValueTaskByAttribute.Methods.Later(value, yields).AsTask();
        public override Task<int> Gated(Gate gate) => OfValueTaskByAttribute.Methods.Gated(gate).AsTask();
        public override Task<int> Failing(Exception error, int yields) => OfValueTaskByAttribute.Methods.Failing(error, yields).AsTask();
        public override Task<string> Finally(Gate gate, List<string> log) => OfValueTaskByAttribute.Methods.Finally(gate, log).AsTask();
        public override Task<int> Deep(int depth, bool yields) => OfValueTaskByAttribute.Methods.Deep(depth, yields).AsTask();
        public override Task<long> Turns(int turns, bool yields) => OfValueTaskByAttribute.Methods.Turns(turns, yields).AsTask();
        public override Task<(int Before, int After, int Last)> Ambients(int written) => OfValueTaskByAttribute.Methods.Ambients(written).AsTask();
        public override Task<bool> Aside(Gate gate) => OfValueTaskByAttribute.Methods.Aside(gate).AsTask();
    }
}
