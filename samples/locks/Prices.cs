// A cache over a slow source, with a lazy value for each name, a semaphore and a lock: the twin of Prices.fs. A test runs it.
using System.Collections.Concurrent;

namespace Plait.Samples;

/// <summary>Prices that are loaded once, at most four at the same time.</summary>
public sealed class Prices(Func<string, Task<int>> load)
{
    private readonly AsyncSemaphore slots = new(4);
    private readonly AsyncLock refreshing = new();
    private readonly ConcurrentDictionary<string, AsyncLazy<int>> prices = new();

    /// <summary>The price. The token ends this wait; others that wait for the same price go on.</summary>
    public Task<int> Get(string name, CancellationToken token) => prices.GetOrAdd(name, Price).WaitAsync(token);

    /// <summary>Loads every price anew, one refresh at a time, and gives the names that failed with their errors: these
    /// keep their old prices.</summary>
    public async Task<List<(string Name, Exception Error)>> Refresh(CancellationToken token)
    {
        using (await refreshing.EnterAsync(token))
        {
            (string, Exception)?[] failures = await TaskCombinators.MapThrottled(prices.Keys, 4, name => Renew(name, token));
            return [.. failures.OfType<(string, Exception)>()];
        }
    }

    // the new price takes the place of the old one when it is there
    private async Task<(string, Exception)?> Renew(string name, CancellationToken token)
    {
        try
        {
            token.ThrowIfCancellationRequested();
            AsyncLazy<int> fresh = Price(name);
            await fresh.WaitAsync(token);
            prices[name] = fresh;
            return null;
        }
        catch (Exception error) when (!token.IsCancellationRequested)
        {
            return (name, error);
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
