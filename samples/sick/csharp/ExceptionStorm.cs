// Nothing blocks: each order throws some hundred exceptions, twenty calls deep, and catches them, which takes the processors. More threads
// would not help; a check in place of the exception, as TryParse makes it, would.
// doctor: CPU-BOUND
using System.Runtime.CompilerServices;

namespace Sick;

static class Imports
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Parse(string text, int depth) => depth > 0 ? Parse(text, depth - 1) + 1 : int.Parse(text);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Read(int order)
    {
        for (var line = 0; line < 200; line++)
            try
            {
                Parse($"order {order}", 20);
            }
            catch (FormatException)
            {
            }
    }

    public static void Start() => Load.Backlog(Read);
}
