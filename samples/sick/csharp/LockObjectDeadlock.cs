// Two workers take two locks of the type Lock, each in another order, after an await. Instead: the same order everywhere.
// doctor: HUNG
using System.Runtime.CompilerServices;
#if !NET9_0_OR_GREATER
// .NET 8 has no such type
using Lock = System.Object;
#endif

namespace Sick;

static class Pallets
{
    static readonly Lock Here = new(), There = new();
    static readonly CountdownEvent BothHold = new(2);

    static async Task Load(Lock from, Lock to)
    {
        await Task.Delay(20);
        lock (from)
        {
            BothHold.Signal();
            BothHold.Wait();
            Carry(to);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Carry(Lock to)
    {
        lock (to) // hangs
            Console.Error.WriteLine("carried");
    }

    public static void Start()
    {
        _ = Load(Here, There);
        _ = Load(There, Here);
    }
}
