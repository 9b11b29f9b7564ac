// Nothing blocks: orders allocate objects that live for a while, and the garbage collector takes most of the time, while all threads stand
// still. More threads would not help; less garbage would.
// doctor: CPU-BOUND
using System.Runtime.CompilerServices;
namespace Sick;

static class Sketches
{
    sealed class Point(Point? next)
    {
        public readonly Point? Next = next;
        public readonly byte[] Pixels = new byte[20];
    }

    // the collector goes through them each time
    static readonly Point?[] Kept = new Point?[20];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Point? Draw(int count)
    {
        Point? last = null;
        for (var i = 0; i < count; i++)
            last = new Point(last);
        return last;
    }

    public static void Handle(int order)
    {
        Kept[order % Kept.Length] = Draw(5_000);
        GC.Collect();
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(16, 1);
        Load.Backlog(Handle);
    }
}
