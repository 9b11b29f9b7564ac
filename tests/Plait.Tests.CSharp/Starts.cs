// Under test: how C# starts the functions of F#'s cold and cancellable operations.
using Microsoft.FSharp.Core;

namespace Plait.Tests.CSharp;

public class Starts
{
    [Fact]
    public async Task A_cancellable_task_is_started_with_a_token_or_without()
    {
        using var source = new CancellationTokenSource();
        FSharpFunc<CancellationToken, Task<bool>> canBeCancelled =
            FuncConvert.FromFunc<CancellationToken, Task<bool>>(token => Task.FromResult(token == source.Token));

        Assert.True(await canBeCancelled.Start(source.Token));
        Assert.False(await canBeCancelled.Start());
    }

    [Fact]
    public void No_operation_is_refused()
    {
        FSharpFunc<CancellationToken, Task<int>> none = null!;
        FSharpFunc<Unit, Task> noneCold = null!;
        Assert.Equal("operation", Assert.Throws<ArgumentNullException>(() => { _ = none.Start(); }).ParamName);
        Assert.Equal("operation", Assert.Throws<ArgumentNullException>(() => { _ = noneCold.Start(); }).ParamName);
    }

    [Fact]
    public async Task The_other_kinds_are_started_alike()
    {
        FSharpFunc<CancellationToken, ValueTask<int>> value = 
            FuncConvert.FromFunc<CancellationToken, ValueTask<int>>(_ => new ValueTask<int>(3));
        Assert.Equal(3, await value.Start());

        var seen = new List<string>();
        FSharpFunc<CancellationToken, Task> task = FuncConvert.FromFunc<CancellationToken, Task>(_ => Note("a task"));
        FSharpFunc<CancellationToken, ValueTask> valueTask =
            FuncConvert.FromFunc<CancellationToken, ValueTask>(_ => new ValueTask(Note("a value task")));
        FSharpFunc<Unit, Task<int>> cold = FuncConvert.FromFunc<Unit, Task<int>>(_ => Task.FromResult(4));
        FSharpFunc<Unit, Task> coldUnit = FuncConvert.FromFunc<Unit, Task>(_ => Note("a cold task"));
        await task.Start();
        await valueTask.Start();
        Assert.Equal(4, await cold.Start());
        await coldUnit.Start();
        Assert.Equal(["a task", "a value task", "a cold task"], seen);

        Task Note(string name)
        {
            seen.Add(name);
            return Task.CompletedTask;
        }
    }
}
