// Handlers that ask again and again whether a price has come: SpinWait sleeps a millisecond between two questions, and holds the thread
// all the same. Instead: a TaskCompletionSource that whoever brings the price completes, awaited.
// doctor: STARVED spin
// function: Feed.Price
using System.Runtime.CompilerServices;

namespace Sick;

static class Feed
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Price(int order)
    {
        var comes = Environment.TickCount64 + 500 + order % 2;
        SpinWait.SpinUntil(() => Environment.TickCount64 > comes); // blamed
    }

    public static void Start() => Load.Backlog(Price);
}
