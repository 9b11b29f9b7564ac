// A diagnosis: the verdict, with the numbers it stands on.
namespace Plait.Doctor

/// The verdict on a pool.
[<RequireQualifiedAccess>]
type Verdict =
    /// Nothing: work is taken up as it comes.
    | Healthy
    /// Work waits because its threads are blocked.
    | Starved
    /// Work waits because its threads compute.
    | CpuBound
    /// Work waits, and neither blocked threads nor computing ones explain it.
    | Late
    /// Threads wait for one lock, one behind the other.
    | LockConvoy
    /// No work waits for the pool's threads, and a thread, one of the pool or not, waits for work that waits for this
    /// thread.
    | Hung
    /// The program ended, and failed.
    | Failed
    /// The process does not answer.
    | NoAnswer

/// The numbers that a verdict stands on. None: the way into the process does not give it.
type Numbers =
    {
        /// Work items that wait, at the last reading.
        Queue: int64 option
        CompletedPerSecond: float option
        /// Threads of the pool.
        Threads: int option
        /// The most that it may have, where it has them.
        MaxThreads: int option
        /// Workers that had a stack.
        Workers: int
        Blocked: int
        Running: int
        Idle: int
        /// Managed threads outside of the pool that had a stack.
        Others: int
        CpuPercent: float option
        /// Threads that the pool gained, a second.
        InjectedPerSecond: float option
        /// Times a second that a thread found a lock taken.
        ContentionsPerSecond: float option
        /// Seconds that an item waits which is queued now; None: nothing waits, or nothing is completed.
        WaitSeconds: float option
    }

/// Reading numbers.
module Numbers =
    /// Seconds that work may wait for a thread without anybody feeling it.
    let shortSeconds = 0.25

    /// The threads that a pool has, or whose stacks were seen where that is not known.
    let internal width (numbers: Numbers) : int =
        max numbers.Workers (numbers.Threads |> Option.defaultValue 0)

/// The result of one look.
type Diagnosis =
    {
        Evidence: Evidence
        Verdict: Verdict
        /// Why, in a sentence.
        Why: string
        Numbers: Numbers
        /// The lines that hold workers, most workers first.
        Blames: Blame list
        /// The functions in which workers compute, those of most samples first: where work waits, and blocked workers are not why.
        Computing: Computing list
        /// Threads outside of the pool that wait for others, and all that can never go on, these first.
        Waiters: WaitingThread list
        /// The cost, in a sentence; None: none.
        Cost: string option
        /// All samples of workers, folded; idle ones left out.
        Folded: FoldedStack list
    }
