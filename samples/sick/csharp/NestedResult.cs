// .Result of an async method that takes .Result itself before it awaits: it is called async, and blocks all the same. Await at
// both places.
// doctor: STARVED task-wait
// function: Baskets.TotalAsync
using System.Runtime.CompilerServices;

namespace Sick;

static class Baskets
{
    static async Task<int> DiscountAsync(int basket)
    {
        await Task.Delay(500);
        return basket % 10;
    }

    // done at once, nearly always
    static ValueTask NoteAsync(int basket) => default;

    static async Task<int> TotalAsync(int basket)
    {
        var discount = DiscountAsync(basket).Result; // blamed
        await NoteAsync(basket);
        return 100 - discount;
    }

    // the JIT may move a method as small as this into its caller, and its line with it
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Handle(int basket)
    {
        return TotalAsync(basket).Result + 1;
    }

    /// <summary>Awaits twice.</summary>
    public static async Task<int> Cured(int basket)
    {
        var discount = await DiscountAsync(basket);
        return 100 - discount + 1;
    }

    public static void Start() => Load.Backlog(basket => Handle(basket));
}
