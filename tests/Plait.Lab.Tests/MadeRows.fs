// Rows and ratios with figures of the test's choice, and nothing else of note.
module Plait.Lab.Tests.MadeRows

open Plait.Report


let ratio median low high : RatioResult =
    {
        Median = median
        Low = low
        High = high
        Launches = [ median ]
        Spread = 0.0
        Pairs = 20
    }

/// A measured row of the candidate of the same name.
let row id bytes (cpu: RatioResult option) : Row =
    {
        Id = id
        Candidate = id
        Factors = { SyncFn = false }
        Label = id
        Family = if id = "sync" then "base" else "plait"
        Library = None
        LibraryVersion = None
        Status = "measured"
        Available = true
        Reason = None
        Correct = Some true
        BytesPerOperation = bytes
        BytesPerOperationNoEscape = None
        CpuMicroseconds = None
        CpuRatio = cpu
        NanosecondsPerWrapper = None
        Verdict = None
        Http = None
        Published = []
    }
