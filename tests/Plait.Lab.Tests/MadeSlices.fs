// Slices with figures of the test's choice, and nothing else of note.
module Plait.Lab.Tests.MadeSlices

open Plait.Lab
open Plait.Report

/// So many operations in two milliseconds, which took so many microseconds of the processor.
let slice (operations: int64) (cpu: float) : Slice =
    {
        Operations = operations
        CpuMicroseconds = cpu
        WallMicroseconds = 2000.0
        AllocatedBytes = 1.0
        Errors = ErrorCounts.None
        ClientBusy = 0.0
        Counters = Map.empty
    }
