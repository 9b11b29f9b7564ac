// Under test: how C# starts the functions of F#'s cold and cancellable operations, and functions of a token that C# made.
using Microsoft.FSharp.Core;
using Plait.Tests.Programs;

namespace Plait.Tests.CSharp;

public class Starts
{
    /// <summary>A start of a kind of function. The Task of one without a result has 0.</summary>
    private static Func<CancellationToken, Task<int>> Of(string kind, FSharpRef<int> starts, Task<int> waited)
    {
        FSharpFunc<CancellationToken, Task<int>> cancellable = Started.cancellable(starts, waited);
        FSharpFunc<CancellationToken, Task> cancellableUnit = Started.cancellableUnit(starts, waited);
        FSharpFunc<CancellationToken, ValueTask<int>> value = Started.cancellableValue(starts, waited);
        FSharpFunc<CancellationToken, ValueTask> valueUnit = Started.cancellableValueUnit(starts, waited);

        return kind switch
        {
            "cancellableTask" => token => cancellable.Start(token),
            "cancellableTask, no result" => async token =>
            {
                await cancellableUnit.Start(token);
                return 0;
            },
            "cancellableValueTask" => async token => await value.Start(token),
            "cancellableValueTask, no result" => async token =>
            {
                await valueUnit.Start(token);
                return 0;
            },
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, null),
        };
    }

    public static TheoryData<string> Kinds =>
        ["cancellableTask", "cancellableTask, no result", "cancellableValueTask", "cancellableValueTask, no result"];

    [Theory, MemberData(nameof(Kinds))]
    public async Task Each_start_runs_the_code_anew(string kind)
    {
        var starts = new FSharpRef<int>(0);
        var waited = new TaskCompletionSource<int>();
        Func<CancellationToken, Task<int>> start = Of(kind, starts, waited.Task);
        Assert.Equal(0, starts.Value);

        Task<int> first = start(default), second = start(default);
        Assert.Equal(2, starts.Value);
        Assert.False(first.IsCompleted || second.IsCompleted);

        waited.SetResult(3);
        int expected = kind.EndsWith("no result", StringComparison.Ordinal) ? 0 : 3;
        Assert.Equal((expected, expected), (await first, await second));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_token_that_is_cancelled_before_runs_no_code_and_one_that_is_cancelled_meanwhile_ends_the_wait(string kind)
    {
        var starts = new FSharpRef<int>(0);
        var waited = new TaskCompletionSource<int>();
        using var source = new CancellationTokenSource();
        Func<CancellationToken, Task<int>> start = Of(kind, starts, waited.Task);

        Task<int> running = start(source.Token);
        Assert.False(running.IsCompleted);
        source.Cancel();
        OperationCanceledException meanwhile = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.Equal(source.Token, meanwhile.CancellationToken);
        Assert.Equal(1, starts.Value);

        Task<int> late = start(source.Token);
        Assert.True(late.IsCanceled);
        OperationCanceledException before = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => late);
        Assert.Equal(source.Token, before.CancellationToken);
        Assert.Equal(1, starts.Value);
    }

    [Fact]
    public async Task A_cold_task_is_started_without_an_argument()
    {
        var starts = new FSharpRef<int>(0);
        FSharpFunc<Unit, Task<int>> cold = Started.cold(starts, Task.FromResult(4));
        FSharpFunc<Unit, Task> coldUnit = Started.coldUnit(starts, Task.FromResult(5));
        Assert.Equal(0, starts.Value);

        Assert.Equal((4, 4), (await cold.Start(), await cold.Start()));
        await coldUnit.Start();
        Assert.Equal(3, starts.Value);
    }

    [Fact]
    public async Task A_function_of_CSharp_gets_the_token_or_none()
    {
        using var source = new CancellationTokenSource();
        FSharpFunc<CancellationToken, Task<CancellationToken>> given =
            FuncConvert.FromFunc<CancellationToken, Task<CancellationToken>>(Task.FromResult);

        Assert.Equal(source.Token, await given.Start(source.Token));
        Assert.Equal(CancellationToken.None, await given.Start());
    }

    [Fact]
    public void No_operation_is_refused()
    {
        FSharpFunc<CancellationToken, Task<int>> none = null!;
        FSharpFunc<Unit, Task> noneCold = null!;
        Assert.Equal("operation", Assert.Throws<ArgumentNullException>(() => { _ = none.Start(); }).ParamName);
        Assert.Equal("operation", Assert.Throws<ArgumentNullException>(() => { _ = noneCold.Start(); }).ParamName);
    }
}
