// Lines for the console, whose output goes to a pipe that nobody reads any more: when the pipe is full, the thread that writes waits, and
// all others wait for the console. The reader of the output must keep up, or a thread of its own must write it and drop the lines that do not fit.
// doctor: STARVED console output
// function: Receipts.Print
using System.IO.Pipes;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Sick;

static class Receipts
{
    static readonly AnonymousPipeServerStream Pipe = new(PipeDirection.Out);
    static readonly string Line = new('-', 1000);

    [DllImport("libc")]
    static extern int dup2(int from, int to);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Print(int order)
    {
        Console.Error.WriteLine(Line); // blamed
    }

    public static void Start()
    {
        // as of a process that was started with its errors redirected
        _ = dup2((int)Pipe.SafePipeHandle.DangerousGetHandle(), 2);
        Load.Backlog(Print);
    }
}
