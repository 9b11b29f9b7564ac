// .Result in a handler: the thread waits for a task whose end needs a thread too. Make the handler async and await the task, all
// the way up.
// doctor: STARVED task-wait
// function: Orders.Handle
using System.Runtime.CompilerServices;

namespace Sick;

static class Orders
{
    static async Task<int> PriceAsync(int order)
    {
        await Task.Delay(500);
        return order % 100;
    }

    // the JIT may move a method as small as this into its caller, and its line with it
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Handle(int order)
    {
        var price = PriceAsync(order).Result; // blamed
        return $"{order}: {price} EUR";
    }

    /// <summary>Awaits.</summary>
    public static async Task<string> Cured(int order)
    {
        var price = await PriceAsync(order);
        return $"{order}: {price} EUR";
    }

    public static void Start() => Load.Backlog(order => Handle(order));
}
