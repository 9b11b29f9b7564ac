// Thread.Sleep between two tries in an async method. `await Task.Delay(...)` waits without a thread.
// doctor: STARVED sleep
// function: Payments.ChargeAsync
namespace Sick;

static class Payments
{
    static async Task<bool> TryChargeAsync(int order, int tries)
    {
        await Task.Yield();
        return tries > order % 3;
    }

    public static async Task<int> ChargeAsync(int order)
    {
        var tries = 1;
        while (!await TryChargeAsync(order, tries))
        {
            // the bank needs a moment
            Thread.Sleep(300 * tries); // blamed
            tries++;
        }

        return tries;
    }

    /// <summary>Waits without a thread.</summary>
    public static async Task<int> Cured(int order)
    {
        var tries = 1;
        while (!await TryChargeAsync(order, tries))
        {
            await Task.Delay(300 * tries);
            tries++;
        }

        return tries;
    }

    public static void Start() => Load.Backlog(order => _ = ChargeAsync(order));
}
