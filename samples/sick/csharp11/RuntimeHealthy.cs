// Nothing is wrong: 200 orders a second wait half a second each in runtime-async methods, and none of them holds a thread while it waits.
// doctor: HEALTHY
namespace Sick;

static class Shipments
{
    static async Task<int> PackAsync(int order)
    {
        await Task.Delay(300);
        return order * 17;
    }

    static async Task<int> ShipAsync(int order)
    {
        var code = await PackAsync(order);
        await Task.Delay(200);
        return code;
    }

    public static void Start() => Load.Steady(order => _ = ShipAsync(order));
}
