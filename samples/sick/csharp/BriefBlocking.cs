// Nothing to be cured: short locks that are hardly ever found taken, a sleep of a millisecond now and then, a task that is done
// before its result is taken. A sick program does each of these too, but so often that the pool starves.
// doctor: HEALTHY
namespace Sick;

static class Statistics
{
    static readonly object Gate = new();
    static readonly Dictionary<int, int> Counts = [];

    public static async Task<int> CountAsync(int order)
    {
        var reading = Task.Delay(50);
        await reading;
        reading.Wait();
        if (order % 20 == 0)
            Thread.Sleep(1);
        lock (Gate)
            return Counts[order % 100] = Counts.GetValueOrDefault(order % 100) + 1;
    }

    public static void Start() => Load.Steady(order => _ = CountAsync(order));
}
