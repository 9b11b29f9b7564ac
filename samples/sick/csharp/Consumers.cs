// Workers that are meant to wait, in a program with nothing to do: consumers of a BlockingCollection and of a Channel, one that waits for
// a lock while another works in it, and jobs in an exclusive scheduler, the first of which is slow. Each goes on when there is something.
// doctor: HEALTHY
using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Sick;

static class Consumers
{
    static readonly BlockingCollection<int> Parcels = [];
    static readonly Channel<int> Letters = Channel.CreateUnbounded<int>();
    static readonly ConcurrentExclusiveSchedulerPair Pair = new();
    static readonly TaskCompletionSource<int> Answer = new();
    static readonly object Gate = new();

    static void TakeParcels()
    {
        foreach (var parcel in Parcels.GetConsumingEnumerable())
            Console.Error.WriteLine(parcel);
    }

    static void ReadLetters()
    {
        while (true)
            Console.Error.WriteLine(Letters.Reader.ReadAsync().AsTask().Result);
    }

    static void Work()
    {
        lock (Gate)
            Thread.Sleep(Timeout.Infinite);
    }

    static void WaitForWork()
    {
        lock (Gate)
            Console.Error.WriteLine("worked");
    }

    public static void Start()
    {
        ThreadPool.SetMinThreads(12, 12);
        Task.Run(TakeParcels);
        Task.Run(ReadLetters);
        Task.Run(Work).ConfigureAwait(false);
        Task.Delay(100).ContinueWith(_ => WaitForWork(), TaskScheduler.Default);

        // the second waits for the first, which waits for an answer from elsewhere; nobody waits for the second
        Task.Factory.StartNew(() => Answer.Task.Wait(), default, default, Pair.ExclusiveScheduler);
        Task.Factory.StartNew(() => Console.Error.WriteLine("second"), default, default, Pair.ExclusiveScheduler);
    }
}
