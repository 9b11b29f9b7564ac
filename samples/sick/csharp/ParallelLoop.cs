// Parallel.ForEach over calls that wait, in every work item: the caller runs the items, and the parts that it queues wait behind all other
// work. Write `await Parallel.ForEachAsync(...)`.
// doctor: STARVED sleep
// function: Quotes.Ask
using System.Runtime.CompilerServices;

namespace Sick;

static class Quotes
{
    static readonly string[] shops = ["north", "east", "south", "west", "harbour", "station", "airport", "market"];

    static void AskShop(string shop, int order) => Thread.Sleep(5);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Ask(int order)
    {
        Parallel.ForEach(shops, shop => AskShop(shop, order)); // blamed
    }

    /// <summary>Awaits.</summary>
    public static Task Cured(int order) =>
        Parallel.ForEachAsync(shops, async (_, stop) => await Task.Delay(5, stop));

    public static void Start() => Load.Backlog(Ask);
}
