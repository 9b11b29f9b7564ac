// The code that runs each of these programs. It prints `ready PID` when its load has begun, answers each line on its input with the
// number of work items that the pool has completed, and ends with its input.
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Sick;

static class Running
{
    /// <summary>Runs the one that the arguments name: of those that are sick work waits, of those that are well none does.</summary>
    public static int Run(Dictionary<string, Action> sick, Dictionary<string, Action> well, string[] args)
    {
        var name = string.Join(' ', args);
        var isSick = sick.TryGetValue(name, out var start);
        if (!isSick && !well.TryGetValue(name, out start))
        {
            Console.Error.WriteLine($"Name one of {string.Join(", ", sick.Keys.Concat(well.Keys))}.");
            return 2;
        }

        // standard output past the lock of Console, which a program may hold
        using var output = new StreamWriter(new FileStream(new SafeFileHandle(1, false), FileAccess.Write, 0)) { AutoFlush = true };
        start!();

        // until it has been so for half a second
        for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 500; Thread.Sleep(10))
            if (isSick && ThreadPool.PendingWorkItemCount == 0)
                clock.Restart();
        output.WriteLine($"ready {Environment.ProcessId}");
        while (Console.ReadLine() is not null)
            output.WriteLine($"completed {ThreadPool.CompletedWorkItemCount}");
        return 0;
    }
}
