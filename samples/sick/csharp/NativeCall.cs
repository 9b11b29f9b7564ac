// A native function that blocks, called through code that the SDK generates: a driver without an asynchronous form. Instead: threads of
// its own, Blocking.run of Plait.ThreadPool.
// doctor: STARVED other
// function: Scanner.Scan
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Sick;

static partial class Scanner
{
    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(nint files, nuint count, int milliseconds);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Scan()
    {
        var found = Poll(0, 0, 250); // blamed
        return found + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Handle(int order)
    {
        if (Scan() > order)
            Console.Error.WriteLine(order);
    }

    public static void Start() => Load.Backlog(Handle);
}
