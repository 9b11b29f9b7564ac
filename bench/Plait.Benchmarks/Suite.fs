// The parts of a benchmark.
namespace Plait.Benchmarks

open System.Threading.Tasks

/// One measured program. `Run n` executes its operation n times; the Task ends when all of them have.
type Row =
    {
        Name: string
        Run: int -> Task
    }

    override row.ToString() = row.Name

/// Rows that are compared with each other. `Base` is the name of the row that the ratios are to.
type Suite =
    {
        Title: string
        Base: string
        /// Operations in one slice of time: about a millisecond or more.
        Operations: int
        /// Count the bytes of all threads (the suite suspends on the pool) instead of this one's.
        AllThreads: bool
        Rows: Row list
    }

    override suite.ToString() = suite.Title
