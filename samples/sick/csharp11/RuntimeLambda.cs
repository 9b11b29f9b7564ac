// A semaphore that is waited for in an async lambda. Await WaitAsync.
// doctor: STARVED semaphore
// function: Printers.Handlers
namespace Sick;

static class Printers
{
    static readonly SemaphoreSlim Printer = new(1);

    static IEnumerable<Func<int, Task<int>>> Handlers(int copies)
    {
        return
        [
            async order =>
            {
                await Task.Yield();
                Printer.Wait(); // blamed
                try
                {
                    await Task.Delay(200);
                    return copies * order;
                }
                finally
                {
                    Printer.Release();
                }
            },
        ];
    }

    public static void Start()
    {
        var print = Handlers(2).First();
        Load.Backlog(order => _ = print(order));
    }
}
