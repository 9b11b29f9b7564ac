// Settings that are loaded once, by .Result inside of a Lazy: one worker waits for the task, all others for the lock of the Lazy, and the
// task needs one of them to go on. Instead: a Lazy of a Task, which the handlers await.
// doctor: STARVED task wait
// function: Settings.Load
using System.Runtime.CompilerServices;

namespace Sick;

static class Settings
{
    static readonly Lazy<string> Loaded = new(Load);

    static async Task<string> Read()
    {
        await Task.Delay(50);
        await Task.Yield();
        return "settings";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static string Load()
    {
        return Read().Result; // blamed
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Use(int order)
    {
        if (Loaded.Value.Length == order)
            Console.Error.WriteLine(order);
    }

    public static void Start() => Sick.Load.Backlog(Use);
}
