// A thread of its own for the work, and a thread of the pool that joins it: two threads for one, and the pool's is the one that is
// missed. Let the thread complete a TaskCompletionSource, or use Task.Factory.StartNew with LongRunning, and await that.
// doctor: STARVED join
// function: Exports.Export
namespace Sick;

static class Exports
{
    static void Write(int order) => Thread.Sleep(500 + order % 2);

    public static int Export(int order)
    {
        // the exporting library recurses deeply
        var thread = new Thread(() => Write(order), maxStackSize: 4 << 20) { IsBackground = true };
        thread.Start();
        thread.Join(); // blamed
        return order;
    }

    /// <summary>Awaits the thread.</summary>
    public static async Task<int> Cured(int order)
    {
        await Task.Factory.StartNew(() => Write(order), TaskCreationOptions.LongRunning);
        return order;
    }

    public static void Start() => Load.Backlog(order => Export(order));
}
