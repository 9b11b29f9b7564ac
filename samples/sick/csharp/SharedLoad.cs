// All orders wait for one load, an async method that sleeps after its first await: no task is the current one of its thread. The method
// that it has awaited completed on that thread, and the orders were resumed, too. `await` the load, and `await Task.Delay(...)` in it.
// doctor: STARVED sleep
// function: Weather.LoadAsync
using System.Runtime.CompilerServices;

namespace Sick;

static class Weather
{
    static async Task<int> ReadAsync()
    {
        await Task.Delay(50);
        return 1;
    }

    static async Task<int> LoadAsync()
    {
        var read = await ReadAsync();
        Thread.Sleep(Timeout.Infinite); // blamed
        return read;
    }

    static readonly Task<int> Loaded = LoadAsync();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static async Task Show()
    {
        await Task.Yield();
        Loaded.Wait();
    }

    public static void Start()
    {
        // more than the doctor searches for tasks that were resumed
        ThreadPool.SetMinThreads(40, 40);
        Thread.Sleep(200);
        Load.Backlog(order => { _ = Show(); });
    }
}
