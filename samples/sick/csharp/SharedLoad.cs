// All orders wait for one load, an async method that sleeps after its first await: no task is the current one of its thread.
// `await` the load, and `await Task.Delay(...)` in it.
// doctor: STARVED sleep
// function: Weather.LoadAsync
using System.Runtime.CompilerServices;

namespace Sick;

static class Weather
{
    static async Task<int> LoadAsync()
    {
        await Task.Delay(50);
        Thread.Sleep(Timeout.Infinite); // blamed
        return 1;
    }

    static readonly Task<int> Loaded = LoadAsync();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Show(int order) => Loaded.Wait();

    public static void Start()
    {
        Thread.Sleep(200);
        Load.Backlog(Show);
    }
}
