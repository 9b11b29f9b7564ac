// The lab's observation of the process in which jobs run.
namespace Plait.Lab

/// How a run of jobs ended.
type CaseEnding =
    /// All jobs ended, after so many seconds.
    | Ended of seconds: float
    /// Not all of them in the time they had.
    | TimedOut of seconds: float
    /// It was stopped.
    | Interrupted
    /// Its process did not do as it should.
    | Failed of sentence: string

/// One run of the jobs of a mode.
type Observation =
    {
        Ending: CaseEnding
        /// The most jobs that waited at the same time.
        AtOnce: int
        /// Jobs that ended.
        Done: int
        /// In the order of time.
        Moments: Moment list
        /// In the order of time.
        Probes: Probe list
        /// None: it was not looked at.
        Examination: Examination option
    }
