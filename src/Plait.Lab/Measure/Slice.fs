// The plain data of measuring: one slice of work of one process, and the pair of slices that a ratio is made of.
namespace Plait.Lab

open Plait.Report

/// The work of one process in one slice of time.
type Slice =
    {
        /// Requests done: in process, or answered correctly over HTTP.
        Operations: int64
        /// CPU time of the process that did them, user and system.
        CpuMicroseconds: float
        /// Time on the wall.
        WallMicroseconds: float
        /// Bytes that the process allocated meanwhile.
        AllocatedBytes: float
        /// Over HTTP: the responses that did not count.
        Errors: ErrorCounts
        /// Over HTTP: the share of the client's core that the client used, 0 to 1.
        ClientBusy: float
        /// Other counts of a candidate's process in process meanwhile, by its own names.
        Counters: Map<string, float>
    }

    /// The counter of the time that the runtime's compiler took.
    static member Compiling = "compilingMicroseconds"

    /// The time that the runtime's compiler took; 0 where the process does not report it.
    member this.CompilingMicroseconds =
        Map.tryFind Slice.Compiling this.Counters |> Option.defaultValue 0.0

    /// One of the counters, for one request; no number where the process does not count it.
    member this.CountedPerOperation(name: string) =
        Map.tryFind name this.Counters
        |> Option.map (fun count -> count / float this.Operations)
        |> Option.defaultValue nan

    /// CPU microseconds for one request; infinite when none was done.
    member this.CpuPerOperation = this.CpuMicroseconds / float this.Operations
    /// Requests for each second on the wall.
    member this.PerSecond = float this.Operations * 1e6 / this.WallMicroseconds
    /// Bytes allocated for one request.
    member this.BytesPerOperation = this.AllocatedBytes / float this.Operations

/// One slice of the candidate and one of the base, taken directly one after the other.
type Pair =
    {
        /// The candidate's slice.
        Candidate: Slice
        /// The base's slice.
        Base: Slice
    }

    /// CPU for a request, candidate over base.
    member this.CpuRatio = this.Candidate.CpuPerOperation / this.Base.CpuPerOperation
    /// Requests a second, candidate over base.
    member this.RateRatio = this.Candidate.PerSecond / this.Base.PerSecond

    /// Whether there is a ratio in it: a slice so short that the clock of the CPU did not move has none.
    member this.IsUsable =
        let counts (slice: Slice) =
            slice.Operations > 0L && slice.CpuMicroseconds > 0.0 && slice.WallMicroseconds > 0.0

        counts this.Candidate && counts this.Base
