// A static constructor that waits: one worker runs it, all others wait for it, and the task needs one of them to go on. Instead: a Lazy of a
// Task, which the handlers await.
// doctor: STARVED task wait
// function: Rules.Load
using System.Runtime.CompilerServices;

namespace Sick;

static class Rules
{
    static readonly string Text;

    static Rules()
    {
        Text = Load();
    }

    static async Task<string> Read()
    {
        await Task.Delay(50);
        await Task.Yield();
        return "rules";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static string Load()
    {
        return Read().Result; // blamed
    }

    public static int Length => Text.Length;
}

static class Checkout
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Check(int order)
    {
        if (Rules.Length == order)
            Console.Error.WriteLine(order);
    }

    public static void Start() => Load.Backlog(Check);
}
