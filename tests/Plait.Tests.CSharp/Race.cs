using System.Diagnostics;

namespace Plait.Tests.CSharp;

/// <summary>Threads that try the same thing at the same moment, round after round.</summary>
internal sealed class Race : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly Barrier start;
    private readonly Barrier end;
    private readonly bool[] won;
    private Func<int, bool>? attempt;
    private volatile Exception? thrown;

    /// <summary>With so many threads beside the caller's.</summary>
    public Race(int runners)
    {
        start = new Barrier(runners + 1);
        end = new Barrier(runners + 1);
        won = new bool[runners];

        for (int i = 0; i < runners; i++)
        {
            int runner = i;
            new Thread(() => Run(runner)) { IsBackground = true }.Start();
        }
    }

    /// <summary>The numbers of so many rounds. A machine that is busy with other programs needs milliseconds to bring all threads
    /// together: after ten seconds a hundred rounds are enough.</summary>
    public static IEnumerable<int> Rounds(int most)
    {
        var clock = Stopwatch.StartNew();

        for (int round = 0; round < most && (round < 100 || clock.Elapsed.TotalSeconds < 10); round++)
        {
            yield return round;
        }
    }

    /// <summary>Which attempt answered true; fails unless exactly one did and none threw.</summary>
    public int Winner(Func<int, bool> tried)
    {
        attempt = tried;
        Assert.True(start.SignalAndWait(Limit) && end.SignalAndWait(Limit), "The race did not end.");
        Assert.Null(thrown);
        _ = Assert.Single(won, winner => winner);
        return Array.IndexOf(won, true);
    }

    /// <summary>Ends the threads.</summary>
    public void Dispose()
    {
        attempt = null;
        _ = start.SignalAndWait(Limit);
    }

    private void Run(int runner)
    {
        while (true)
        {
            start.SignalAndWait();
            if (attempt is null) return;

            try
            {
                won[runner] = attempt(runner);
            }
            catch (Exception error)
            {
                thrown = error;
            }

            end.SignalAndWait();
        }
    }
}
