// Nothing is wrong: 200 orders a second wait half a second each, and none of them holds a thread while it waits.
// doctor: HEALTHY
namespace Sick;

static class Shipments
{
    public static async Task<int> ShipAsync(int order)
    {
        await Task.Delay(300);
        var code = await Task.Run(() => order * 17);
        await Task.Delay(200);
        return code;
    }

    public static void Start() => Load.Steady(order => _ = ShipAsync(order));
}
