// Windows whose posted work lies deep in their queues, or in none that can be read: channels of delegates, jobs by priority, a context that
// waits for its own work, and contexts of which nobody can tell. The first ones hang. Instead: await, all the way up to the event of the window.
// doctor: HUNG
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Sick;

static class DeepWindows
{
    /// <summary>Its queue is a channel of delegates, of which it has the end to write to.</summary>
    sealed class Actions : SynchronizationContext
    {
        readonly ChannelWriter<Action> posted;
        readonly Channel<Action> channel = Channel.CreateUnbounded<Action>(new UnboundedChannelOptions { SingleReader = true });

        public Actions() => posted = channel.Writer;

        public override void Post(SendOrPostCallback work, object? state) => posted.TryWrite(() => work(state));

        /// <summary>Waits for work that only the thread of this context does.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Invoke(Action action)
        {
            using var done = new ManualResetEventSlim();
            Post(_ =>
            {
                action();
                done.Set();
            }, null);
            done.Wait();
        }

        public void Run()
        {
            SetSynchronizationContext(this);
            while (channel.Reader.WaitToReadAsync().AsTask().Result)
                while (channel.Reader.TryRead(out var next))
                    next();
        }
    }

    sealed record Job(Func<bool> Work);

    sealed class Schedule
    {
        public readonly PriorityQueue<Job, int> Jobs = new();
    }

    sealed class Machine
    {
        public readonly Schedule Schedule = new();
    }

    /// <summary>Its queue is a part of a machine's schedule, whose jobs have an order.</summary>
    sealed class Scheduled(Machine machine) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback work, object? state)
        {
            lock (machine)
            {
                machine.Schedule.Jobs.Enqueue(new Job(() =>
                {
                    work(state);
                    return true;
                }), 1);
                Monitor.Pulse(machine);
            }
        }

        public void Run()
        {
            SetSynchronizationContext(this);
            while (true)
            {
                Job next;
                lock (machine)
                {
                    while (machine.Schedule.Jobs.Count == 0)
                        Monitor.Wait(machine);
                    next = machine.Schedule.Jobs.Dequeue();
                }
                next.Work();
            }
        }
    }

    sealed class Layer(object inner)
    {
        public readonly object Inner = inner;
    }

    /// <summary>Its queue is farther away than anybody looks.</summary>
    sealed class Far : SynchronizationContext
    {
        readonly BlockingCollection<Action> posted = [];
        readonly object top;

        public Far()
        {
            top = posted;
            for (var i = 0; i < 12; i++)
                top = new Layer(top);
            posted = null!;
        }

        BlockingCollection<Action> Posted
        {
            get
            {
                var layer = top;
                while (layer is Layer next)
                    layer = next.Inner;
                return (BlockingCollection<Action>)layer;
            }
        }

        public override void Post(SendOrPostCallback work, object? state) => Posted.Add(() => work(state));

        public void Run()
        {
            SetSynchronizationContext(this);
            foreach (var next in Posted.GetConsumingEnumerable())
                next();
        }
    }

    /// <summary>It has no queue: the pool runs posted work.</summary>
    sealed class Pooled : SynchronizationContext
    {
        public override void Post(SendOrPostCallback work, object? state) =>
            ThreadPool.UnsafeQueueUserWorkItem(_ => work(state), null);
    }

    /// <summary>It keeps a callback of its own, which nobody has posted.</summary>
    sealed class Reporting : SynchronizationContext
    {
        readonly Queue<Action> posted = [];
        public readonly Progress<int> Progress = new(_ => { });

        public override void Post(SendOrPostCallback work, object? state)
        {
            lock (posted)
                posted.Enqueue(() => work(state));
        }
    }

    static async Task<int> Price()
    {
        await Task.Delay(50);
        return 42;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Clicked() => Price().GetAwaiter().GetResult();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Chosen() => Price().Wait();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void FarAway() => Price().Wait();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsOnPool() => new ManualResetEventSlim().Wait();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsAndReports() => new ManualResetEventSlim().Wait();

    static void Open(Action run) => new Thread(() => run()) { IsBackground = true, Name = "window" }.Start();

    public static void Start()
    {
        var actions = new Actions();
        actions.Post(_ => Clicked(), null);
        Open(actions.Run);

        var calling = new Actions();
        calling.Post(_ => calling.Invoke(() => { }), null);
        Open(calling.Run);

        var scheduled = new Scheduled(new Machine());
        scheduled.Post(_ => Chosen(), null);
        Open(scheduled.Run);

        var far = new Far();
        far.Post(_ => FarAway(), null);
        Open(far.Run);

        // waits for more
        Open(new Actions().Run);

        Open(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new Pooled());
            WaitsOnPool();
        });
        Open(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new Reporting());
            WaitsAndReports();
        });
    }
}
