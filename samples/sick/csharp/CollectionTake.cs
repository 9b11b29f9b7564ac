// BlockingCollection.Take on a thread of the pool: the consumer holds it until there is something to take. A Channel has the
// same bounds and is awaited: `await channel.Reader.ReadAsync()`.
// doctor: STARVED collection
// function: Deliveries.Next
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Sick;

static class Deliveries
{
    static readonly BlockingCollection<int> Parcels = new(boundedCapacity: 10);

    // the JIT may move a method as small as this into its caller, and its line with it
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Next(int van)
    {
        var parcel = Parcels.Take(); // blamed
        return $"van {van} takes parcel {parcel}";
    }

    public static void Start()
    {
        var parcel = 0;
        Load.Forever("packing", () =>
        {
            Thread.Sleep(400);
            Parcels.Add(parcel++);
        });
        Load.Backlog(van => Next(van));
    }
}
