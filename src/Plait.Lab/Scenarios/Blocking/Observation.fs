// What is seen of a run of jobs, as plain data.
namespace Plait.Lab.Blocking

/// The pool at one time.
type Moment =
    {
        /// Since the jobs began.
        Seconds: float
        /// Threads of the process, whoever made them.
        Threads: int
        /// Threads of the pool.
        PoolThreads: int
        /// Work items that wait for a thread of the pool.
        Queue: int64
        /// Jobs that have ended.
        Ended: int
    }

/// One work item that did nothing, put into the queue of the pool while the jobs ran.
type Probe =
    {
        /// When it was put there, since the jobs began.
        QueuedSeconds: float
        /// How long it waited for a thread.
        DelaySeconds: float
        /// Whether it ran at all; false: the delay is how long it had waited when the run ended.
        Ran: bool
    }

/// How a run of jobs ended.
type Outcome =
    /// All jobs ended, after so many seconds.
    | Ended of seconds: float
    /// Not all of them in the time they had.
    | TimedOut of seconds: float
    /// It was told to stop.
    | Interrupted
    /// Its process did not do as it should.
    | Failed of sentence: string

/// One run of the jobs of a mode.
type Observation =
    {
        Outcome: Outcome
        /// The most jobs that waited at the same time.
        AtOnce: int
        /// Jobs that ended.
        Done: int
        /// In the order of time.
        Moments: Moment list
        /// In the order of time.
        Probes: Probe list
    }
