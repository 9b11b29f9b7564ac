// The life of a row's process: lines of JSON in, one line of JSON out for each, until standard input ends. The protocol
// is that of the other candidates, as far as it applies; ../../README.md has it.
using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Text.Json;

namespace Plait.Lab.Yields;

/// <summary>Runs one row.</summary>
public static class Worker
{
    private static readonly Stream Output = Console.OpenStandardOutput();

    private static void Send(Action<Utf8JsonWriter> properties)
    {
        var line = new MemoryStream();

        using (var writer = new Utf8JsonWriter(line))
        {
            writer.WriteStartObject();
            properties(writer);
            writer.WriteEndObject();
        }

        line.WriteByte((byte)'\n');
        Output.Write(line.GetBuffer(), 0, (int)line.Length);
        Output.Flush();
    }

    private static string? VersionOf(string? library) =>
        library is null
            ? null
            : Assembly.Load(library).GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                ?.InformationalVersion.Split(["+", "-servicing"], StringSplitOptions.None)[0];

    private static void Introduce(Utf8JsonWriter writer, string name, Subject subject)
    {
        writer.WriteBoolean("ready", true);
        writer.WriteString("candidate", name);
        writer.WriteNumber("pid", Environment.ProcessId);
        writer.WriteString("runtime", Environment.Version.ToString());
        writer.WriteString("library", subject.Library);
        writer.WriteString("libraryVersion", VersionOf(subject.Library));
        writer.WriteBoolean("serverGc", GCSettings.IsServerGC);
        writer.WriteNumber("processorCount", Environment.ProcessorCount);
    }

    /// <summary>The text that the lab compares before it measures time: the yields of an operation, and its result.</summary>
    private static string Body(Subject subject)
    {
        const int calls = 100;
        int wrong = 0;
        long before = ThreadPool.CompletedWorkItemCount;

        for (int i = 0; i < calls; i++)
        {
            wrong += subject.Call(i, 7).GetAwaiter().GetResult() is { } value && value != Subject.Expected(i, 7) ? 1 : 0;
        }

        // The last item is counted a moment after it has woken this thread.
        SpinWait.SpinUntil(() => ThreadPool.CompletedWorkItemCount - before >= 2 * calls, 1000);
        long yields = (ThreadPool.CompletedWorkItemCount - before) / calls;
        return wrong == 0 ? $"{yields} yields, then the result" : $"{wrong} of {calls} results are wrong";
    }

    private static void Run(Utf8JsonWriter writer, Subject subject, int milliseconds)
    {
        int collections = GC.CollectionCount(0);
        TimeSpan paused = GC.GetTotalPauseDuration();
        TimeSpan compiling = JitInfo.GetCompilationTime();
        long allocated = GC.GetTotalAllocatedBytes(true);
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        long started = Stopwatch.GetTimestamp();
        long done = subject.Run(started + (milliseconds * Stopwatch.Frequency / 1000)).GetAwaiter().GetResult();
        TimeSpan wall = Stopwatch.GetElapsedTime(started);
        cpu = Environment.CpuUsage.TotalTime - cpu;
        allocated = GC.GetTotalAllocatedBytes(true) - allocated;
        writer.WriteNumber("operations", done);
        writer.WriteNumber("cpuMicroseconds", cpu.TotalMicroseconds);
        writer.WriteNumber("wallMicroseconds", wall.TotalMicroseconds);
        writer.WriteNumber("allocatedBytes", allocated);
        writer.WriteNumber("gen0", GC.CollectionCount(0) - collections);
        writer.WriteNumber("gcPauseMicroseconds", (GC.GetTotalPauseDuration() - paused).TotalMicroseconds);
        writer.WriteNumber("compilingMicroseconds", (JitInfo.GetCompilationTime() - compiling).TotalMicroseconds);
    }

    private static void Call(Utf8JsonWriter writer, Subject subject, int x, int y)
    {
        if (subject.Call(x, y).GetAwaiter().GetResult() is { } result)
        {
            writer.WriteNumber("result", result);
        }
        else
        {
            writer.WriteNull("result");
        }
    }

    private static void Answer(Utf8JsonWriter writer, Subject subject, JsonElement request)
    {
        int Number(string name) => request.GetProperty(name).GetInt32();

        switch (request.GetProperty("do").GetString())
        {
            case "body":
                writer.WriteString("body", Body(subject));
                break;
            case "run":
                Run(writer, subject, Number("milliseconds"));
                break;
            case "call":
                Call(writer, subject, Number("x"), Number("y"));
                break;
            case var other:
                throw new InvalidDataException($"\"{other}\" is unknown; known are body, run and call");
        }
    }

    private static void Handle(Subject subject, string line)
    {
        try
        {
            using var request = JsonDocument.Parse(line);
            Send(writer => Answer(writer, subject, request.RootElement));
        }
        catch (Exception trouble)
        {
            Send(writer => writer.WriteString("error", trouble.Message));
        }
    }

    /// <summary>The entry point: the only argument is the name of a row. Returns the exit code.</summary>
    public static int Run(string[] arguments, IReadOnlyDictionary<string, Func<Subject>> rows)
    {
        if (arguments is not [var name] || !rows.TryGetValue(name, out var make))
        {
            Console.Error.WriteLine($"the argument is the name of a row: {string.Join(", ", rows.Keys)}");
            return 2;
        }

        // On one core a second thread could only take turns with the first.
        if (Environment.ProcessorCount == 1)
        {
            _ = ThreadPool.SetMaxThreads(1, 1);
        }

        Subject subject = make();
        Send(writer => Introduce(writer, name, subject));

        while (Console.In.ReadLine() is { } line)
        {
            Handle(subject, line);
        }

        return 0;
    }
}
