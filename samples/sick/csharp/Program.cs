// Runs the program named by its argument: the name of its file. It says `ready PID` when its load is under way, answers each
// line on its input with the number of work items that the pool has completed, and ends with its input.
using System.Diagnostics;
using Sick;

Dictionary<string, Action> sick = new()
{
    ["Result"] = Orders.Start,
    ["Wait"] = Reports.Start,
    ["WaitAll"] = Search.Start,
    ["NestedResult"] = Baskets.Start,
    ["SleepInRetry"] = Payments.Start,
    ["LockConvoy"] = Ledger.Start,
    ["SemaphoreWait"] = Printer.Start,
    ["HttpSend"] = Rates.Start,
    ["CollectionTake"] = Deliveries.Start,
    ["MonitorWait"] = Shelf.Start,
    ["EventWait"] = Approvals.Start,
    ["ThreadJoin"] = Exports.Start,
    ["DeepStack"] = Catalogue.Start,
    ["CompiledExpression"] = Discounts.Start,
    ["CpuBound"] = Passwords.Start,
    ["Collecting"] = Sketches.Start,
    ["BoundedLog"] = Log.Start,
};
Dictionary<string, Action> well = new()
{
    ["Healthy"] = Shipments.Start,
    ["BriefBlocking"] = Statistics.Start,
    ["Idle"] = Night.Start,
    ["IdleWindow"] = IdleWindow.Start,
    ["ManyThreads"] = ManyThreads.Start,
    // the pool is, and a thread outside of it hangs
    ["ContextDeadlock"] = Window.Start,
    // the process dies
    ["Crash"] = Crash.Start,
};

var name = string.Join(' ', args);
var isSick = sick.TryGetValue(name, out var start);
if (!isSick && !well.TryGetValue(name, out start))
{
    Console.Error.WriteLine($"Name one of {string.Join(", ", sick.Keys.Concat(well.Keys))}.");
    return 2;
}

start!();

// until it has been so for half a second
for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 500; Thread.Sleep(10))
    if (isSick && ThreadPool.PendingWorkItemCount == 0)
        clock.Restart();
Console.WriteLine($"ready {Environment.ProcessId}");
while (Console.ReadLine() is not null)
    Console.WriteLine($"completed {ThreadPool.CompletedWorkItemCount}");
return 0;
