// A mutex that processes share, held by another one: every worker that wants it holds a thread, and nobody in this process can end that.
// Instead: threads of their own for the code between WaitOne and ReleaseMutex, and as little of it as can be.
// doctor: STARVED mutex
// function: Stock.Export
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Sick;

static class Stock
{
    static readonly string Name = Environment.GetEnvironmentVariable("SICK_MUTEX") ?? $"sick-{Environment.ProcessId}";
    static readonly Mutex Shared = new(false, Name);
    // a process that is collected loses its input
    static Process? holder;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Export(int order)
    {
        Shared.WaitOne(); // blamed
        Console.Error.WriteLine(order);
        Shared.ReleaseMutex();
    }

    public static void Start()
    {
        if (Environment.GetEnvironmentVariable("SICK_MUTEX") != null)
        {
            Shared.WaitOne();
            Console.WriteLine("held");
            Console.ReadLine();
            Environment.Exit(0);
        }

        // the same program once more, which holds it for as long as its input is open
        var path = Environment.ProcessPath!;
        var arguments = Environment.GetCommandLineArgs();
        var isHosted = Path.GetFileNameWithoutExtension(path) == "dotnet";
        var start = new ProcessStartInfo(path, isHosted ? arguments : arguments[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["SICK_MUTEX"] = Name },
        };
        holder = Process.Start(start)!;
        holder.StandardOutput.ReadLine();
        Load.Backlog(Export);
    }
}
