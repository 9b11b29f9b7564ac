// Windows whose threads wait for work of their own: the work that would end each wait was posted to the context of the very thread
// that waits. No task is waited for, so that the pool sees nothing. Instead: await a TaskCompletionSource or SemaphoreSlim.WaitAsync.
// doctor: HUNG
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Sick;

static class WindowWaits
{
    static readonly ManualResetEventSlim Loaded = new();
    static readonly object Drawer = new();

    /// <summary>Does this a moment later, in the context of whoever calls it.</summary>
    static async void Later(Action work)
    {
        await Task.Delay(50);
        work();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void CommonEvent()
    {
        Later(() => Loaded.Set());
        Loaded.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Handle()
    {
        using var saved = new AutoResetEvent(false);
        Later(() => saved.Set());
        saved.WaitOne();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Semaphore()
    {
        using var free = new SemaphoreSlim(0);
        Later(() => free.Release());
        free.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Countdown()
    {
        using var parts = new CountdownEvent(2);
        Later(() => parts.Signal());
        Later(() => parts.Signal());
        parts.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Pulse()
    {
        var gate = new object();
        var isReady = false;
        Later(() =>
        {
            lock (gate)
            {
                isReady = true;
                Monitor.Pulse(gate);
            }
        });
        lock (gate)
            while (!isReady)
                Monitor.Wait(gate);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Take()
    {
        using var answers = new BlockingCollection<int>();
        Later(() => answers.Add(1));
        answers.Take();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Join()
    {
        var window = SynchronizationContext.Current!;
        var thread = new Thread(() => window.Send(_ => { }, null)) { IsBackground = true };
        thread.Start();
        thread.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Lock()
    {
        var window = SynchronizationContext.Current!;
        using var held = new ManualResetEventSlim();
        new Thread(() =>
        {
            lock (Drawer)
            {
                held.Set();
                window.Send(_ => { }, null);
            }
        }) { IsBackground = true }.Start();
        held.Wait();
        lock (Drawer)
            Console.Error.WriteLine("opened");
    }

    /// <summary>A window whose code is that of a form, which has the event of its wait in a field.</summary>
    sealed class Form
    {
        readonly AutoResetEvent shown = new(false);

        async void Show()
        {
            await Task.Delay(50);
            shown.Set();
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Open()
        {
            Show();
            shown.WaitOne();
        }
    }

    /// <summary>The functions that hang.</summary>
    static readonly Action[] Waits = [CommonEvent, Handle, Semaphore, Countdown, Pulse, Take, Join, Lock, () => new Form().Open()];

    public static void Start()
    {
        foreach (var wait in Waits)
            Open(new WindowContext(), wait);

        // whose work waits in another object than its context
        var queue = new Dispatcher();
        queue.Add(_ => Queued(), null);
        new Thread(queue.Run) { IsBackground = true, Name = "dispatcher" }.Start();

        // which others go on to give work to
        Load.Forever("clock", () =>
        {
            queue.Add(_ => { }, null);
            Overwrite();
            Thread.Sleep(100);
        });

        // a worker of the pool
        Task.Run(() =>
        {
            var context = new WindowContext();
            context.Post(_ => Worker(), null);
            context.Run();
        });
    }

    /// <summary>Overwrites the values that a call left below this place of the stack: a list left there looks like that of a thread that takes work.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Overwrite()
    {
        Span<byte> below = stackalloc byte[16 * 1024];
        below.Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Queued()
    {
        using var drawn = new ManualResetEventSlim();
        Later(() => drawn.Set());
        drawn.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Worker()
    {
        using var free = new SemaphoreSlim(0);
        Later(() => free.Release());
        free.Wait();
    }

    public static void Open(WindowContext context, Action work)
    {
        context.Post(_ => work(), null);
        new Thread(context.Run) { IsBackground = true, Name = "window" }.Start();
    }
}

/// <summary>A queue that makes a context anew for all that it runs.</summary>
sealed class Dispatcher
{
    sealed record Operation(SendOrPostCallback Work, object? State);

    sealed class Context(Dispatcher dispatcher) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback work, object? state) => dispatcher.Add(work, state);
    }

    readonly LinkedList<Operation> operations = new();

    // Where the JIT puts this into its caller, the caller has the list on its stack, as a thread that takes work has: the doctor does not
    // tell the two apart, and calls nothing hung then.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Add(SendOrPostCallback work, object? state)
    {
        lock (operations)
        {
            operations.AddLast(new Operation(work, state));
            Monitor.Pulse(operations);
        }
    }

    Operation Next()
    {
        lock (operations)
        {
            while (operations.Count == 0)
                Monitor.Wait(operations);
            var first = operations.First!.Value;
            operations.RemoveFirst();
            return first;
        }
    }

    public void Run()
    {
        while (true)
        {
            var (work, state) = Next();
            SynchronizationContext.SetSynchronizationContext(new Context(this));
            work(state);
        }
    }
}
