// Under test: a strand as C# sees it: await, ConfigureAwait, AsTask, AsValueTask, its states, its errors.
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

public class StrandFromCSharp
{
    [Fact]
    public async Task A_completed_strand_is_awaited_without_a_suspension()
    {
        Strand<int> strand = Strand<int>.Of(5);
        Assert.True(strand.GetAwaiter().IsCompleted);
        Assert.Equal(5, await strand);
        Assert.Equal(5, await strand); // and again
        Assert.Equal(5, await default(Strand<int>) + 5);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_pending_strand_gives_its_result(bool configured)
    {
        var gate = new Gate();
        Strand<string> strand = Programs.Strand.Results.behind(gate, "value");
        Task<string> waiting = Wait();
        Assert.False(waiting.IsCompleted);
        gate.Open();
        Assert.Equal("value", await Within.Result("The strand", waiting));

        async Task<string> Wait() => configured ? await strand.ConfigureAwait(false) : await strand;
    }

    [Fact]
    public async Task AsTask_and_AsValueTask_give_the_result_too()
    {
        var gate = new Gate();
        Task<int> task = Programs.Strand.Results.behind(gate, 1).AsTask();
        gate.Open();
        Assert.Equal(1, await Within.Result("The task", task));
        Assert.Same(task, task);

        ValueTask<int> value = Programs.Strand.Results.behind(gate, 2).AsValueTask();
        Assert.False(value.IsCompleted);
        gate.Open();
        Assert.Equal(2, await Within.Result("The value", value.AsTask()));
        Assert.Equal(3, Strand<int>.Of(3).AsValueTask().Result);
        Assert.Equal(4, await Strand<int>.Of(4).AsTask());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task An_exception_is_the_same_instance(int yields)
    {
        var error = new TimeoutException("of the strand");
        Strand<int> strand = Programs.Strand.Results.fails(error, yields);
        TimeoutException caught = await Assert.ThrowsAsync<TimeoutException>(() => Within.Result("The strand", Wait()));
        Assert.Same(error, caught);

        async Task<int> Wait() => await strand;
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_cancellation_keeps_its_token(int yields)
    {
        using var source = new CancellationTokenSource();
        source.Cancel();
        Task<int> task = Programs.Strand.Results.fails(new OperationCanceledException(source.Token), yields).AsTask();
        OperationCanceledException caught =
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Within.Result("The task", task));
        Assert.Equal(source.Token, caught.CancellationToken);
        Assert.True(task.IsCanceled);
    }

    [Fact]
    public async Task The_second_of_two_waiters_gets_the_error_and_the_process_lives()
    {
        var gate = new Gate();
        Strand<int> strand = Programs.Strand.Results.behind(gate, 1);
        Task<int> first = Wait(), second = Wait();
        await Assert.ThrowsAsync<InvalidOperationException>(() => Within.Result("The second waiter", second));
        Assert.False(first.IsCompleted);
        gate.Open();
        Assert.Equal(1, await Within.Result("The first waiter", first));

        async Task<int> Wait() => await strand;
    }

    [Fact]
    public async Task The_context_of_the_awaiting_method_is_its_own()
    {
        Ambient.Value = 1;
        var gate = new Gate();
        Task<int> waiting = Wait();
        Ambient.Value = 2;
        Foreign.Run(gate.Open);
        Assert.Equal(77, await Within.Result("It", waiting));
        Assert.Equal(2, Ambient.Value);

        async Task<int> Wait()
        {
            Ambient.Value = 77;
            await Programs.Strand.Results.behind(gate, 0);
            return Ambient.Value;
        }
    }

    [Fact]
    public async Task A_continuation_that_throws_does_not_disturb_the_strand()
    {
        var gate = new Gate();
        Strand<int> strand = Programs.Strand.Results.behind(gate, 1);
        Task<int> waiting = Wait();
        gate.Open();
        await Assert.ThrowsAsync<NotSupportedException>(() => Within.Result("It", waiting));
        Assert.Equal(1, strand.Result);

        async Task<int> Wait()
        {
            await strand;
            throw new NotSupportedException();
        }
    }
}
