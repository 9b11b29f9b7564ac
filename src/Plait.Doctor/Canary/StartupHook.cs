// Runs inside the process that is looked at, called by its runtime at the wish of plait doctor: puts one work item into the queue
// of the pool, and writes into the file that asks for it how long that item waited. It may use the runtime's own library only, must
// never throw, and leaves no file behind.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;

/// <summary>The type that the runtime looks for: it has no namespace.</summary>
internal static class StartupHook
{
    // An answered question may still lie there when the next one comes.
    private static readonly HashSet<string> Taken = new HashSet<string>();

    /// <summary>Takes every question that lies in the folder of temporary files: plait-canary-PID-ID.</summary>
    public static void Initialize()
    {
        try
        {
            foreach (string question in Directory.GetFiles(Path.GetTempPath(), $"plait-canary-{Environment.ProcessId}-*"))
            {
                bool isNew;
                lock (Taken)
                {
                    isNew = Taken.Add(question);
                }

                if (isNew)
                {
                    long queued = Stopwatch.GetTimestamp();
                    ThreadPool.UnsafeQueueUserWorkItem(_ => Answer(question, Stopwatch.GetElapsedTime(queued)), null);
                }
            }
        }
        catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
        {
            // whoever asked sees that there is no answer
        }
    }

    private static void Answer(string question, TimeSpan waited)
    {
        try
        {
            // who no longer waits has removed the file, and it is not made anew
            using FileStream file = new FileStream(question, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
            using StreamWriter writer = new StreamWriter(file);
            writer.Write(waited.TotalMilliseconds.ToString("R", CultureInfo.InvariantCulture) + "\n");
        }
        catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
        {
        }
    }
}
