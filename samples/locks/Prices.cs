// A cache over a slow source, with a lazy value for each name, a semaphore and a lock: the twin of Prices.fs. A test runs it.
using System.Collections.Concurrent;

namespace Plait.Samples;

/// <summary>Prices that are loaded once, at most four at the same time.</summary>
public sealed class Prices(Func<string, Task<int>> load)
{
    private readonly AsyncSemaphore slots = new(4);
    private readonly AsyncLock refreshing = new();
    private ConcurrentDictionary<string, AsyncLazy<int>> prices = new();

    /// <summary>The price. The token ends this wait; others that wait for the same price go on.</summary>
    public Task<int> Get(string name, CancellationToken token) => prices.GetOrAdd(name, Price).WaitAsync(token);

    /// <summary>Loads every price anew. Those that read get the old ones until all are there; one refresh runs at a
    /// time.</summary>
    public async Task Refresh(CancellationToken token)
    {
        using (await refreshing.EnterAsync(token))
        {
            ConcurrentDictionary<string, AsyncLazy<int>> fresh = new();
            foreach (string name in prices.Keys)
            {
                token.ThrowIfCancellationRequested();
                AsyncLazy<int> value = Price(name);
                await value;
                fresh[name] = value;
            }

            prices = fresh;
        }
    }

    // a failure is not kept: the next one that asks loads again
    private AsyncLazy<int> Price(string name) => new(() => LoadInSlot(name), LazyFailure.Retry);

    private async Task<int> LoadInSlot(string name)
    {
        using (await slots.EnterAsync())
        {
            return await load(name);
        }
    }
}
