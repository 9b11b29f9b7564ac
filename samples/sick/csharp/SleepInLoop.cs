// Thread.Sleep in the items of a parallel loop: the lambda ends with a jump to the call, so its frame is not on the stack, and the loop's
// frames stand directly above the call. Write `await Parallel.ForEachAsync(...)` with `await Task.Delay(...)`.
// doctor: STARVED sleep
// function: Meters.Read
using System.Runtime.CompilerServices;

namespace Sick;

static class Meters
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Read(int order)
    {
        Parallel.For(0, 50, _ => Thread.Sleep(200)); // blamed
    }

    /// <summary>Awaits.</summary>
    public static Task Cured(int order) =>
        Parallel.ForAsync(0, 50, async (_, stop) => await Task.Delay(200, stop));

    public static void Start() => Load.Backlog(Read);
}
