// A parallel query in every work item: it queues its parts behind all other work, and its caller waits for them. Write
// `await Parallel.ForEachAsync(...)`.
// doctor: STARVED parallel-loop
// function: Offers.Ask
using System.Runtime.CompilerServices;

namespace Sick;

static class Offers
{
    static readonly string[] shops = ["north", "east", "south", "west", "harbour", "station", "airport", "market"];

    static int AskShop(string shop, int order)
    {
        Thread.Sleep(5);
        return shop.Length + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Ask(int order)
    {
        var best = int.MaxValue;
        foreach (var price in shops.AsParallel().Select(shop => AskShop(shop, order))) // blamed
            best = Math.Min(best, price);
        return best;
    }

    /// <summary>Awaits.</summary>
    public static Task Cured(int order) =>
        Parallel.ForEachAsync(shops, async (_, stop) => await Task.Delay(5, stop));

    public static void Start() => Load.Backlog(order => Ask(order));
}
