// Thread.Sleep behind an await, in a local function of an async method: the runtime has resumed the innermost of three, and the callers
// are no longer on the stack. Await Task.Delay.
// doctor: STARVED sleep
// function: Payments.PayAsync.ChargeAsync
namespace Sick;

static class Payments
{
    static async Task<bool> PayAsync(int order)
    {
        async Task<int> ChargeAsync()
        {
            await Task.Yield();
            Thread.Sleep(500); // blamed
            return order % 2;
        }

        var state = await ChargeAsync();
        return state == 0;
    }

    static async Task HandleAsync(int order)
    {
        if (!await PayAsync(order))
            await Task.Yield();
    }

    public static void Start() => Load.Backlog(order => _ = HandleAsync(order));
}
