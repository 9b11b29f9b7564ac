// The output of a process that was started, read without an await. Instead: `await process.StandardOutput.ReadToEndAsync()`.
// doctor: STARVED pipe
// function: Thumbnails.Make
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Sick;

static class Thumbnails
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Make(int order)
    {
        var start = new ProcessStartInfo("sleep", "2") { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        if (process.StandardOutput.ReadToEnd().Length == order) // blamed
            Console.Error.WriteLine(order);
    }

    public static void Start() => Load.Backlog(Make);
}
