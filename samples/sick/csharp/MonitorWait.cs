// Monitor.Wait for a change that another thread signals by Pulse: each waiting handler holds a thread. Make the state that changes a
// Channel, or a TaskCompletionSource, and await it.
// doctor: STARVED monitor-wait
// function: Shelf.Take
namespace Sick;

static class Shelf
{
    static readonly object Gate = new();
    static int _books;

    public static int Take(int order)
    {
        lock (Gate)
        {
            while (_books == 0)
                Monitor.Wait(Gate); // blamed
            _books--;
            return order;
        }
    }

    static void Fill()
    {
        Thread.Sleep(400);
        lock (Gate)
        {
            _books++;
            Monitor.Pulse(Gate);
        }
    }

    public static void Start()
    {
        Load.Forever("filling", Fill);
        Load.Backlog(order => Take(order));
    }
}
