// .Result within a runtime-async method, three calls below the one that the order came to: nothing has suspended yet, so that all three
// stand on the stack. Await it.
// doctor: STARVED task-wait
// function: Orders.DiscountAsync
namespace Sick;

static class Orders
{
    static async Task<int> CustomerAsync(int order)
    {
        await Task.Delay(500);
        return order % 10;
    }

    static async Task<int> DiscountAsync(int order)
    {
        var customer = CustomerAsync(order).Result; // blamed
        return customer == 0 ? 10 : 0;
    }

    static async ValueTask<int> PriceAsync(int order)
    {
        var discount = await DiscountAsync(order);
        return 100 - discount;
    }

    static async Task<int> TotalAsync(int order)
    {
        var price = await PriceAsync(order);
        return price + 1;
    }

    public static void Start() => Load.Backlog(order => TotalAsync(order).Wait());
}
