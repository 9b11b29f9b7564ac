// Rows and ratios with figures of the test's choice, and nothing else of note.
module Plait.Tests.Support.MadeRows

open Plait.Report

let ratio median low high : Measured =
    { Measured.Plain median with
        Low = Some low
        High = Some high
        Launches = Some [ median ]
        Pairs = Some 20
    }

/// Figures by their keys, those that there are.
let figures (found: (Figure * Measured option) list) : Map<string, Measured> =
    found
    |> List.choose (fun (figure, measured) -> measured |> Option.map (fun measured -> figure.Key, measured))
    |> Map.ofList

/// A measured row of the candidate of the same name.
let made id (found: (Figure * Measured option) list) : Row =
    {
        Id = id
        Candidate = id
        Factors = Map.empty
        Label = id
        Family =
            match id with
            | "sync" -> Family.Base
            | "sync-again" -> Family.Control
            | _ -> Family.Plait
        Library = None
        LibraryVersion = None
        Status = Status.Measured
        Reason = None
        Correct = Some true
        Figures = figures found
        Errors = None
        Published = []
    }

/// The control of a measure, the base once more, that came out so.
let control (measure: Measure) held shown : Control =
    ControlRule.found
        measure
        held
        ControlRule.widest
        0
        ("sync-again", "the base")
        shown
        "3 % and an interval of at most 10 %"

/// The same with bytes and a ratio in process.
let row id (bytes: float option) (cpu: Measured option) : Row =
    made id [ Figures.bytesPerOperation, bytes |> Option.map Measured.Plain; Figures.cpuRatio, cpu ]
