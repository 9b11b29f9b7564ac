// SemaphoreSlim.Wait as a throttle: who waits for a place holds a thread, and whoever has the place needs one to give it back.
// `await places.WaitAsync()` is the same throttle without threads.
// doctor: STARVED semaphore
// function: Printer.PrintAsync
namespace Sick;

static class Printer
{
    static readonly SemaphoreSlim Places = new(2);

    public static async Task<int> PrintAsync(int order)
    {
        Places.Wait(); // blamed
        try
        {
            await Task.Delay(500);
            return order;
        }
        finally
        {
            Places.Release();
        }
    }

    /// <summary>Waits for a place without a thread.</summary>
    public static async Task<int> Cured(int order)
    {
        await Places.WaitAsync();
        try
        {
            await Task.Delay(500);
            return order;
        }
        finally
        {
            Places.Release();
        }
    }

    public static void Start() => Load.Backlog(order => _ = PrintAsync(order));
}
