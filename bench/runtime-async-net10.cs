#!/usr/bin/env dotnet
// Runtime async on .NET 10, where DOTNET_RuntimeAsync=1 turns it on: `bench/runtime-async-net10.sh` runs it with the switch and
// without, and writes bench/results/runtime-async-net10.md.
#:property TargetFramework=net10.0
#:property LangVersion=preview
#:property Features=runtime-async=on
#:property EnablePreviewFeatures=true
#:property ServerGarbageCollection=false
#:property ConcurrentGarbageCollection=false
#:property TieredCompilation=false
#:property PublishAot=false
#:property NoWarn=SYSLIB5007;CA2252;CA1515;CA1852;CA2007;CA1303;CA1305;IDE0005
static async Task<int> YieldsTwice(int x)
{
    await Task.Yield();
    await Task.Yield();
    return x + 1;
}

static async Task<int> CancelledAtOnce(CancellationToken token)
{
    token.ThrowIfCancellationRequested();
    await Task.Yield();
    return 0;
}

static async Task<int> CancelledLater(CancellationToken token)
{
    await Task.Yield();
    token.ThrowIfCancellationRequested();
    return 0;
}

static async Task<int> AwaitsCancelled(CancellationToken token)
{
    await Task.FromCanceled(token);
    return 0;
}

// Through a delegate, so that each is an operation of its own. Waited for by the thread: only the operations allocate.
Func<int, Task<int>> start = YieldsTwice;
const int Operations = 20_000;

double Measure()
{
    long before = GC.GetTotalAllocatedBytes(true);
    for (int i = 0; i < Operations; i++)
    {
        Task<int> operation = start(i);
        while (!operation.IsCompleted)
        {
            Thread.SpinWait(1);
        }
    }

    return (double)(GC.GetTotalAllocatedBytes(true) - before) / Operations;
}

Measure();
double bytes = Enumerable.Range(0, 9).Select(_ => Measure()).Min();
using CancellationTokenSource source = new();
await source.CancelAsync();
List<string> ends = [];
foreach (Func<CancellationToken, Task<int>> work in (Func<CancellationToken, Task<int>>[])[CancelledAtOnce, CancelledLater, AwaitsCancelled])
{
    Task<int> ended = work(source.Token);
    await Task.WhenAny(ended);
    ends.Add(ended.Status.ToString());
}

Console.WriteLine($"{Environment.Version} {bytes:F0} {string.Join(' ', ends)}");
