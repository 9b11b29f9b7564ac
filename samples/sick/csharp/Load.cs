// The load of these programs: orders come in, whether the pool keeps up with them or not. Every program may use it.
namespace Sick;

static class Load
{
    /// <summary>Does this over and over on a thread of its own, which is not the pool's.</summary>
    public static void Forever(string name, Action work)
    {
        void Loop()
        {
            while (true)
                work();
        }

        new Thread(Loop) { IsBackground = true, Name = name }.Start();
    }

    /// <summary>Gives the pool another order whenever fewer than a thousand work items wait for it.</summary>
    public static void Backlog(Action<int> handle)
    {
        var last = 0;
        Forever("orders", () =>
        {
            while (ThreadPool.PendingWorkItemCount < 1000)
            {
                var order = ++last;
                ThreadPool.QueueUserWorkItem(_ => handle(order));
            }

            Thread.Sleep(20);
        });
    }

    /// <summary>Gives the pool two hundred orders a second.</summary>
    public static void Steady(Action<int> handle)
    {
        var last = 0;
        Forever("orders", () =>
        {
            for (var i = 0; i < 4; i++)
            {
                var order = ++last;
                ThreadPool.QueueUserWorkItem(_ => handle(order));
            }

            Thread.Sleep(20);
        });
    }
}
