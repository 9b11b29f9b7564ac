// A sleep at the bottom of a deep recursion, as in a walk over a tree: a reader of stacks may cut them off before they show that the
// thread is the pool's. Let the walk be asynchronous, and await Task.Delay.
// doctor: STARVED sleep
// function: Catalogue.Count
namespace Sick;

static class Catalogue
{
    public static int Count(int depth)
    {
        if (depth > 0)
            return 1 + Count(depth - 1);

        Thread.Sleep(500); // blamed
        return 1;
    }

    /// <summary>Awaits.</summary>
    public static async Task<int> Cured(int depth)
    {
        if (depth > 0)
            return 1 + await Cured(depth - 1);

        await Task.Delay(500);
        return 1;
    }

    public static void Start() => Load.Backlog(_ => Count(300));
}
