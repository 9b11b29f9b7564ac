// Task.WaitAll over calls that run at the same time: they are asynchronous, and the thread that waits for them is not. Write
// `await Task.WhenAll(...)`.
// doctor: STARVED task-wait
// function: Search.Ask
using System.Runtime.CompilerServices;

namespace Sick;

static class Search
{
    static async Task<int> AskShopAsync(int shop, int order)
    {
        await Task.Delay(300 + 50 * shop);
        return shop * order;
    }

    // the JIT may move a method as small as this into its caller, and its line with it
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Ask(int order)
    {
        Task<int>[] answers = [AskShopAsync(1, order), AskShopAsync(2, order), AskShopAsync(3, order)];
        Task.WaitAll(answers); // blamed
        return answers.Min(answer => answer.Result);
    }

    /// <summary>Awaits.</summary>
    public static async Task<int> Cured(int order)
    {
        var answers = await Task.WhenAll(AskShopAsync(1, order), AskShopAsync(2, order), AskShopAsync(3, order));
        return answers.Min();
    }

    public static void Start() => Load.Backlog(order => Ask(order));
}
