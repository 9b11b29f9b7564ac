// Layer: pools. The atomic operations of the lock-free protocols. tests/Plait.Explorer compiles the same protocols with
// another file of this name, in which each operation is a point where it switches threads; here each one is exactly the
// call that it names.
namespace Plait.Kernel

open System
open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal Atomic =
    static member inline CompareExchange(location: byref<int>, value: int, comparand: int) : int =
        Interlocked.CompareExchange(&location, value, comparand)

    static member inline CompareExchangeObject
        (location: byref<obj | null>, value: obj | null, comparand: obj | null)
        =
        Interlocked.CompareExchange(&location, value, comparand)

    static member inline Exchange<'Item when 'Item: not struct>
        (location: byref<'Item>, value: 'Item)
        : 'Item =
        Interlocked.Exchange<'Item>(&location, value)

    static member inline ExchangeObject(location: byref<obj | null>, value: obj | null) =
        Interlocked.Exchange(&location, value)

    static member inline Read(location: byref<int>) : int = Volatile.Read &location

    static member inline ReadItem<'Item when 'Item: not struct>(location: byref<'Item>) : 'Item =
        Volatile.Read<'Item> &location

    static member inline Write(location: byref<int>, value: int) = Volatile.Write(&location, value)

    static member inline WriteItem<'Item when 'Item: not struct>(location: byref<'Item>, value: 'Item) =
        Volatile.Write<'Item>(&location, value)

    /// One turn of waiting for another thread's next store.
    static member inline Spin(spin: byref<SpinWait>) = spin.SpinOnce()

    /// The lock of a short section in which nothing of a user runs.
    static member inline Enter(gate: obj) = Monitor.Enter gate

    /// False: another thread is in there.
    static member inline TryEnter(gate: obj) : bool = Monitor.TryEnter gate

    static member inline Exit(gate: obj) = Monitor.Exit gate

    /// How many cores there are.
    static member Cores = Environment.ProcessorCount

    /// A number, not negative, of the one that this thread runs on just now.
    static member inline Core() : int =
        Thread.GetCurrentProcessorId() &&& Int32.MaxValue

    /// Has the item run on the thread pool.
    static member inline Queue(item: IThreadPoolWorkItem) =
        ThreadPool.UnsafeQueueUserWorkItem(item, true) |> ignore

    /// As `Queue`, behind all work that waits there: several items begin in the order in which they were queued.
    static member inline QueueBehind(item: IThreadPoolWorkItem) =
        ThreadPool.UnsafeQueueUserWorkItem(item, false) |> ignore

    /// A look at a Task that another thread may complete before the next statement.
    static member inline IsCompleted(task: Task) : bool = task.IsCompleted
