// Under test: `async FireAndForget` and its sink.
using System.Collections.Concurrent;
using System.Diagnostics;
using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

/// <summary>The sink and the trace are the process's: nothing else may run beside these.</summary>
[CollectionDefinition(nameof(ForgottenMethods), DisableParallelization = true)]
public class ForgottenCollection;

[Collection(nameof(ForgottenMethods))]
public class ForgottenMethods
{
    private static async FireAndForget Steps(Gate gate, List<string> log)
    {
        log.Add("first part");
        await gate;
        log.Add("rest");
    }

    private static async FireAndForget Fails(Gate? gate, Exception error)
    {
        if (gate is not null) await gate;
        throw error;
    }

    private static async FireAndForget Writes(Gate gate)
    {
        Ambient.Value = 9;
        await gate;
    }

    [Fact]
    public void The_caller_goes_on_at_the_first_wait()
    {
        var gate = new Gate();
        var log = new List<string>();
        _ = Steps(gate, log);
        log.Add("caller");
        gate.Open();
        Assert.Equal(["first part", "caller", "rest"], log);
    }

    [Fact]
    public void A_write_to_the_execution_context_stays_in_the_method()
    {
        var gate = new Gate();
        Ambient.Value = 4;
        _ = Writes(gate);
        Assert.Equal(4, Ambient.Value);
        gate.Open();
        Assert.Equal(4, Ambient.Value);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_error_reaches_every_handler_once(bool waits)
    {
        var error = new TimeoutException();
        var seen = new List<Exception>();
        void First(object? sender, Exception failure) => seen.Add(failure);
        void Second(object? sender, Exception failure) => seen.Add(failure);
        FireAndForget.UnhandledError += First;
        FireAndForget.UnhandledError += Second;

        try
        {
            var gate = new Gate();
            _ = Fails(waits ? gate : null, error);
            if (waits) gate.Open();
        }
        finally
        {
            FireAndForget.UnhandledError -= First;
            FireAndForget.UnhandledError -= Second;
        }

        Assert.Equal([error, error], seen);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_handler_that_throws_does_no_harm(bool waits)
    {
        var error = new TimeoutException();
        var seen = new List<Exception>();
        static void Throws(object? sender, Exception failure) => throw new NotSupportedException("of the handler");
        void Second(object? sender, Exception failure) => seen.Add(failure);
        FireAndForget.UnhandledError += Throws;
        FireAndForget.UnhandledError += Second;

        try
        {
            using var traced = new Traced();
            var gate = new Gate();
            _ = Fails(waits ? gate : null, error);
            if (waits) gate.Open();
            Assert.Contains(traced.Lines, line => line.Contains("of the handler", StringComparison.Ordinal));
        }
        finally
        {
            FireAndForget.UnhandledError -= Throws;
            FireAndForget.UnhandledError -= Second;
        }

        Assert.Equal([error], seen);
    }

    [Fact]
    public void Without_a_handler_the_error_is_traced_once()
    {
        using var traced = new Traced();
        _ = Fails(null, new TimeoutException("nobody listens"));
        _ = Assert.Single(traced.Lines, line => line.Contains("nobody listens", StringComparison.Ordinal));
    }

    [Fact]
    public void A_trace_listener_that_throws_does_no_harm()
    {
        using var traced = new Traced { Fails = true };
        _ = Fails(null, new TimeoutException("and nobody can"));
        _ = Assert.Single(traced.Lines);
    }

    [Fact]
    public async Task A_bare_call_behind_an_interface_compiles_without_a_warning()
    {
        var gate = new Gate();
        IJobs jobs = new Jobs();
        jobs.Begin(gate); // in an async method, where a bare call of what has an awaiter is the warning CS4014, an error here
        gate.Open();
        await Task.Yield();
        Assert.Equal(1, jobs.Ended);
    }

    [Fact]
    public void There_is_no_awaiter_because_await_would_not_wait() =>
        Assert.Null(typeof(FireAndForget).GetMethod("GetAwaiter"));

    [Fact]
    public void A_FireAndForget_is_a_completed_operation()
    {
        FireAndForget forgotten = Steps(new Gate(), []);
        Task task = forgotten;
        ValueTask value = forgotten;
        Assert.True(task.IsCompletedSuccessfully);
        Assert.True(value.IsCompletedSuccessfully);
        Assert.True(forgotten.AsTask().IsCompletedSuccessfully);
        Assert.True(forgotten.AsValueTask().IsCompletedSuccessfully);
        Assert.True(forgotten.Equals(default(FireAndForget)));
        Assert.False(forgotten.Equals((object)1));
        Assert.Equal(forgotten.GetHashCode(), default(FireAndForget).GetHashCode());
        Assert.Equal("FireAndForget", forgotten.ToString());
    }

    private interface IJobs
    {
        int Ended { get; }

        FireAndForget Begin(Gate gate);
    }

    private sealed class Jobs : IJobs
    {
        public int Ended { get; private set; }

        public async FireAndForget Begin(Gate gate)
        {
            await gate;
            Ended++;
        }
    }

    /// <summary>What is traced meanwhile.</summary>
    private sealed class Traced : TraceListener
    {
        private readonly List<TraceListener> others = [.. Trace.Listeners.Cast<TraceListener>()];

        public Traced()
        {
            Trace.Listeners.Clear();
            Trace.Listeners.Add(this);
        }

        public ConcurrentQueue<string> Lines { get; } = [];

        public bool Fails { get; init; }

        public override void Write(string? message)
        {
        }

        public override void WriteLine(string? message)
        {
            Lines.Enqueue(message ?? "");
            if (Fails) throw new NotSupportedException("of the trace");
        }

        protected override void Dispose(bool disposing)
        {
            Trace.Listeners.Clear();
            Trace.Listeners.AddRange([.. others]);
            base.Dispose(disposing);
        }
    }
}
