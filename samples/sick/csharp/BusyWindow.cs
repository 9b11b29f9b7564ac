// Threads outside of the pool that wait, and go on in the end: windows that stand still while a thread works for them and posts how far it
// is, or while they wait for a time and a clock posts to them, the two threads of a runner of tests, loops that wait for work or for its hour, and threads that wait for the end of a server.
// doctor: HEALTHY
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Sick;

static class BusyWindow
{
    /// <summary>Works for as long as anybody looks, and says how far it is.</summary>
    static void Work(Action<int> tell)
    {
        for (var done = 0; ; done++)
        {
            tell(done);
            Thread.Sleep(200);
        }
    }

    static void Show(int done)
    {
        if (done < 0)
            Console.Error.WriteLine(done);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void JoinsWork()
    {
        var window = SynchronizationContext.Current!;
        var thread = new Thread(() => Work(done => window.Post(_ => Show(done), null))) { IsBackground = true };
        thread.Start();
        thread.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForWork()
    {
        var window = SynchronizationContext.Current!;
        using var done = new ManualResetEventSlim();
        new Thread(() =>
        {
            Work(so => window.Post(_ => Show(so), null));
            done.Set();
        }) { IsBackground = true }.Start();
        done.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForTask()
    {
        IProgress<int> progress = new Progress<int>(Show);
        Task.Run(() => Work(progress.Report)).Wait();
    }

    /// <summary>Posts at short intervals, as a clock on the window does.</summary>
    static Timer Tick()
    {
        var window = SynchronizationContext.Current!;
        return new Timer(_ => window.Post(_ => Show(0), null), null, 100, 200);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForDelay()
    {
        using var clock = Tick();
        Task.Delay(TimeSpan.FromHours(1)).Wait();
    }

    /// <summary>Continues off the window, so that nothing is posted that would end it.</summary>
    static async Task Later() => await Task.Delay(TimeSpan.FromHours(1)).ConfigureAwait(false);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForLater()
    {
        using var clock = Tick();
        Later().Wait();
    }

    /// <summary>Posted work runs on the first of two threads that is free.</summary>
    sealed class Runner : SynchronizationContext
    {
        readonly BlockingCollection<(SendOrPostCallback Work, object? State)> posted = [];

        public override void Post(SendOrPostCallback work, object? state) => posted.Add((work, state));

        public void Run()
        {
            foreach (var (work, state) in posted.GetConsumingEnumerable())
            {
                SetSynchronizationContext(this);
                work(state);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForTest(ManualResetEventSlim over) => over.Wait();

    static void Compute(ManualResetEventSlim over)
    {
        while (!over.IsSet)
            Thread.SpinWait(1000);
    }

    static void RunTests()
    {
        var runner = new Runner();
        var over = new ManualResetEventSlim();
        runner.Post(_ => WaitsForTest(over), null);
        runner.Post(_ => Compute(over), null);
        for (var i = 0; i < 100; i++)
            runner.Post(_ => WaitsForTest(over), null);

        for (var i = 0; i < 2; i++)
            new Thread(runner.Run) { IsBackground = true, Name = "tests", Priority = ThreadPriority.Lowest }.Start();
    }

    /// <summary>Posted work runs an hour later.</summary>
    sealed class Timed : SynchronizationContext
    {
        readonly List<(DateTime At, SendOrPostCallback Work, object? State)> later = [];

        public override void Post(SendOrPostCallback work, object? state)
        {
            lock (later)
            {
                later.Add((DateTime.UtcNow.AddHours(1), work, state));
                Monitor.Pulse(later);
            }
        }

        public void Run()
        {
            SetSynchronizationContext(this);
            lock (later)
                while (later.Count == 0 || later[0].At > DateTime.UtcNow)
                    Monitor.Wait(later, TimeSpan.FromMinutes(50));
            later[0].Work(later[0].State);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void JoinsServer()
    {
        var server = new Thread(() => Work(Show)) { IsBackground = true, Name = "server" };
        server.Start();
        server.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WaitsForEnd() => new ManualResetEvent(false).WaitOne();

    public static void Start()
    {
        foreach (var work in (Action[])[JoinsWork, WaitsForWork, WaitsForTask, WaitsForDelay, WaitsForLater])
            WindowWaits.Open(new WindowContext(), work);

        RunTests();
        new Thread(new Dispatcher().Run) { IsBackground = true, Name = "dispatcher" }.Start();

        var timed = new Timed();
        timed.Post(_ => { }, null);
        new Thread(timed.Run) { IsBackground = true, Name = "timed" }.Start();

        foreach (var work in (Action[])[JoinsServer, WaitsForEnd])
            new Thread(() => work()) { IsBackground = true, Name = "server" }.Start();
    }
}
