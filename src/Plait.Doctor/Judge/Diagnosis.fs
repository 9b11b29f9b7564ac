// A diagnosis: the verdict and its numbers.
namespace Plait.Doctor

/// The verdict on a pool.
[<RequireQualifiedAccess>]
type Verdict =
    /// Work does not wait.
    | Healthy
    /// Work waits because its threads are blocked.
    | Starved
    /// Work waits because its threads compute.
    | CpuBound
    /// Work waits, and neither blocked nor computing threads explain it.
    | Late
    /// Threads wait for one lock, one after the other.
    | LockConvoy
    /// No work waits for the pool's threads, and a thread, of the pool or not, waits for work that waits for this thread.
    | Hung
    /// The program ended, and failed.
    | Failed
    /// The process does not answer.
    | NoAnswer

/// The numbers of a verdict. None: the route does not give it.
type Numbers =
    {
        /// Work items that wait, at the last reading.
        Queue: int64 option
        CompletedPerSecond: float option
        /// Threads of the pool.
        Threads: int option
        /// The most threads that it may have, if it has that many.
        MaxThreads: int option
        /// Workers that had a stack.
        Workers: int
        Blocked: int
        Running: int
        Idle: int
        /// Managed threads outside of the pool that had a stack.
        Others: int
        CpuPercent: float option
        /// New threads of the pool per second.
        InjectedPerSecond: float option
        /// Lock contentions per second.
        ContentionsPerSecond: float option
        /// Seconds that a work item waits if it is queued now; None: no work waits, or none is completed.
        WaitSeconds: float option
    }

/// Reading numbers.
module Numbers =
    /// Seconds of waiting that a user does not notice.
    let shortSeconds = 0.25

    /// The threads of a pool; if that is not known, those with a stack.
    let internal width (numbers: Numbers) : int =
        max numbers.Workers (numbers.Threads |> Option.defaultValue 0)

    /// The processors that running workers can have, of so many.
    let internal most (processors: int) (numbers: Numbers) : float = float (min numbers.Running processors)

    /// Whether the process uses at least half of those; None: its processor time is not known.
    let internal usesThem (processors: int) (numbers: Numbers) : bool option =
        numbers.CpuPercent
        |> Option.map (fun percent -> percent * float processors >= 50.0 * most processors numbers)

/// The result of one look.
type Diagnosis =
    {
        Evidence: Evidence
        Verdict: Verdict
        /// The reason, in a sentence.
        Why: string
        Numbers: Numbers
        /// The lines that block workers: those for which most others wait, then those with most workers.
        BlockingLines: BlockingLine list
        /// The functions in which workers compute, those with most samples first; only if work waits and blocked workers do not
        /// explain it.
        Computing: ComputingFunction list
        /// Threads outside of the pool that wait for others, and all deadlocked threads; these first.
        Waiters: WaitingThread list
        /// The cost, in a sentence; None: none.
        Cost: string option
        /// All samples of workers but idle ones, folded.
        Folded: FoldedStack list
    }
