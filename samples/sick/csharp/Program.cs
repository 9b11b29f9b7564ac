// Runs the program named by its argument: the name of its file.
using Sick;

Dictionary<string, Action> sick = new()
{
    ["Result"] = Orders.Start,
    ["Wait"] = Reports.Start,
    ["WaitAll"] = Search.Start,
    ["NestedResult"] = Baskets.Start,
    ["SleepInRetry"] = Payments.Start,
    ["LockConvoy"] = Ledger.Start,
    ["SynchronizedMethod"] = Counter.Start,
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
    ["ExceptionStorm"] = Imports.Start,
    ["SpinUntil"] = Feed.Start,
    ["LazyResult"] = Settings.Start,
    ["ConsoleOutput"] = Receipts.Start,
    ["ParallelLoop"] = Quotes.Start,
    ["ParallelQuery"] = Offers.Start,
    ["CappedPool"] = Quotas.Start,
    ["PackageCall"] = Books.Start,
    ["SharedMutex"] = Stock.Start,
    ["OutsideHolder"] = Prices.Start,
    ["OldReaderWriterLock"] = Fares.Start,
    ["StaticConstructor"] = Checkout.Start,
    ["FinalizerWait"] = Drivers.Start,
    ["ProcessOutput"] = Thumbnails.Start,
    ["SemaphoreLock"] = Invoices.Start,
    ["SleepInLoop"] = Meters.Start,
    ["SleepInScheduler"] = Journal.Start,
    ["SleepInCatch"] = Backups.Start,
    ["SharedLoad"] = Weather.Start,
    ["OwnLock"] = Tickets.Start,
    ["NativeCall"] = Scanner.Start,
};
Dictionary<string, Action> well = new()
{
    ["Healthy"] = Shipments.Start,
    ["BriefBlocking"] = Statistics.Start,
    ["Idle"] = Night.Start,
    ["IdleWindow"] = IdleWindow.Start,
    ["BusyWindow"] = BusyWindow.Start,
    ["ManyThreads"] = ManyThreads.Start,
    // the pool is, and a thread outside of it hangs
    ["ContextDeadlock"] = Window.Start,
    ["WindowWaits"] = WindowWaits.Start,
    ["DeepWindows"] = DeepWindows.Start,
    ["JoinDeadlock"] = Archiving.Start,
    // its workers wait for each other, and nothing else is to be done
    ["SchedulerDeadlock"] = Accounts.Start,
    ["LockDeadlock"] = Transfers.Start,
    ["LockObjectDeadlock"] = Pallets.Start,
    ["AbandonedLock"] = Shifts.Start,
    ["TaskDeadlock"] = Chapters.Start,
    ["ResumedDeadlock"] = Shelves.Start,
    ["InitializerDeadlock"] = Tariffs.Start,
    ["ReaderWriterDeadlock"] = Routing.Start,
    // the pool is, and the finalizer thread waits
    ["StuckFinalizer"] = Handles.Start,
    // workers that are meant to wait
    ["Consumers"] = Consumers.Start,
    // the process dies
    ["Crash"] = Crash.Start,
};

return Running.Run(sick, well, args);
