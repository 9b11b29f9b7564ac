// Two tasks wait for each other. Instead: one of them does the shared work, and the other awaits it.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

static class Chapters
{
    static Task? first, second;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Follow(ref Task? other)
    {
        SpinWait.SpinUntil(() => first?.Status == TaskStatus.Running && second?.Status == TaskStatus.Running);
        other!.Wait(); // hangs
    }

    public static void Start()
    {
        first = new Task(() => Follow(ref second));
        second = new Task(() => Follow(ref first));
        first.Start();
        second.Start();
    }
}
