// Random results: every field with any value that it may have, and texts that formats trip over.
module Plait.Tests.Support.RandomResults

open FsCheck
open FsCheck.FSharp

open Plait.Common
open Plait.Report

let private texts = Laws.texts
let private flags = Gen.elements [ true; false ]
let private wholes = Gen.choose (0, 1_000_000)
let private counts = wholes |> Gen.map int64

/// Figures of a plausible size, and the ends of what a float may be.
let private figures =
    Gen.frequency
        [
            8, Gen.choose (0, 2_000_000_000) |> Gen.map (fun value -> float value / 1000.0)
            1, Gen.elements [ 0.0; 0.1; 1.0 / 3.0; 1e-300; 1.7976931348623157e308; 123456789.123456 ]
        ]

let private few gen =
    Gen.listOf gen |> Gen.map (List.truncate 4)

let private verdicts =
    Gen.elements [ Faster; Slower; Same; Unresolved; Verdict.NotJudged ]

/// What is known of a figure.
let measured: Gen<Measured> =
    gen {
        let! value = figures
        let! low = Gen.optionOf figures
        let! high = Gen.optionOf figures
        let! launches = Gen.optionOf (few figures)
        let! spread = Gen.optionOf figures
        let! pairs = Gen.optionOf wholes
        let! verdict = Gen.optionOf verdicts

        return
            {
                Value = value
                Low = low
                High = high
                Launches = launches
                Spread = spread
                Pairs = pairs
                Verdict = verdict
            }
    }

let private families =
    Gen.elements
        [
            Family.Base
            Family.Plait
            Family.FSharp
            Family.CSharp
            Family.Published
            Family.Package
            Family.Control
            Family.Other
        ]

/// Rows.
let rows: Gen<Row> =
    gen {
        let! id = texts
        let! label = texts
        let! syncFn = flags
        let! family = families
        let! library = Gen.optionOf texts

        let! status =
            Gen.elements [ Status.Measured; Status.Partial; Status.Failed; Status.NotAvailable ]

        let! reason = Gen.optionOf texts
        let! correct = Gen.optionOf flags
        let! has = Gen.listOfLength Figures.all.Length flags
        let! found = Gen.listOfLength Figures.all.Length measured
        let! errors = Gen.optionOf counts

        let! published =
            few (
                Gen.map3
                    (fun source percent note -> { Source = source; PercentOfSync = percent; Note = note })
                    texts
                    figures
                    (Gen.optionOf texts)
            )

        return
            {
                Id = id
                Candidate = label
                Factors = (if syncFn then Map [ label, id ] else Map.empty)
                Label = label
                Family = family
                Library = library
                LibraryVersion = library
                Status = status
                Reason = reason
                Correct = correct
                Figures =
                    List.zip3 Figures.all has found
                    |> List.choose (fun (figure, has, measured) ->
                        if has then Some(figure.Key, measured) else None)
                    |> Map.ofList
                Errors =
                    errors
                    |> Option.map (fun count ->
                        { Status = count; Length = 1L; Connection = 0L; Timeout = 2L })
                Published = published
            }
    }

let private maps = few (Gen.zip texts texts) |> Gen.map Map.ofList

let private environments =
    gen {
        let! text = texts
        let! some = Gen.optionOf texts
        let! core = Gen.optionOf wholes
        let! figure = Gen.optionOf figures
        let! flag = flags
        let! packages = maps
        let! variables = maps

        return
            {
                Os = text
                Kernel = some
                Architecture = text
                Cpu = some
                Cores = 2
                Runtime = text
                Sdk = some
                Gc = text
                TieredPgo = flag
                Git = some
                Dirty = flag
                ServerCore = core
                ClientCore = core
                Pinning = text
                BusyCores = figure
                StealPercent = figure
                Packages = packages
                Variables = variables
            }
    }

let private stoppings: Gen<Stopping> =
    gen {
        let! text = texts
        let! some = Gen.optionOf figures
        let! row = Gen.optionOf texts
        let! dropped = few (Gen.zip texts wholes) |> Gen.map Map.ofList

        return
            {
                Rule = text
                Width = some
                Widest = some
                WidestRow = row
                BudgetSeconds = some
                Launches = 3
                Reason = text
                StealLimit = 0.05
                DroppedPairs = dropped
            }
    }

let private axes =
    Gen.map2
        (fun label scale -> { Panel.linear label with Scale = scale })
        texts
        (Gen.elements [ Scale.Linear; Scale.Log ])

let private roundedAxes =
    Gen.map2
        (fun decimals (axis: Axis) -> { axis with Decimals = decimals })
        (Gen.optionOf (Gen.choose (0, 4)))
        axes

let private serieses =
    gen {
        let! label = texts
        let! family = families
        let! points = few (Gen.map2 (fun x y -> [| x; y |]) figures figures)
        let! more = wholes
        let! style = Gen.elements [ Style.Line; Style.Dashed; Style.Step; Style.Dots ]
        let! run = Gen.optionOf texts

        return
            {
                Label = label
                Family = family
                Points = List.toArray points
                Of = points.Length + more
                Style = style
                Run = run
            }
    }

let private items =
    gen {
        let! label = texts
        let! family = families
        let! measured = measured
        let! other = Gen.optionOf figures
        let! note = Gen.optionOf texts
        let! run = Gen.optionOf texts
        return { Item.Of(label, family, measured) with Other = other; Note = note; Run = run }
    }

let private columns: Gen<Column> =
    gen {
        let! title = texts
        let! decimals = Gen.optionOf (Gen.choose (0, 4))
        let! better = Gen.elements [ Better.Lower; Better.Higher; Better.Neither ]

        return
            {
                Title = title
                Group = title
                Decimals = decimals
                Better = better
                Explanation = title
                Ours = false
            }
    }

let private cells =
    Gen.oneof
        [
            texts |> Gen.map Cell.Text
            figures |> Gen.map Cell.Number
            Gen.map3 (fun value low high -> Cell.Interval(value, low, high)) figures figures figures
            Gen.constant Cell.Nothing
        ]

/// Frames that call others down to a depth.
let rec private frames (depth: int) : Gen<FlameFrame> =
    gen {
        let! name = texts
        let! value = figures
        let! note = Gen.optionOf texts
        let! tone = Gen.elements [ Tone.Trouble; Tone.Work; Tone.None ]
        let! word = Gen.optionOf texts
        let! children = if depth = 0 then Gen.constant [] else few (frames (depth - 1))

        return { Name = name; Value = value; Note = note; Tone = tone; Word = word; Children = children }
    }

/// Plots and tables.
let plots: Gen<Plot> =
    Gen.oneof
        [
            Gen.map3 (fun x y series -> Lines(x, y, series)) axes axes (few serieses)
            Gen.map2 (fun y series -> Percentiles(y, series)) axes (few serieses)
            gen {
                let! x = roundedAxes
                let! reference = figures
                let! margin = Gen.optionOf figures
                let! other = Gen.optionOf texts
                let! items = few items
                return Forest(x, reference, margin, other, items)
            }
            gen {
                let! x = roundedAxes
                let! reference = Gen.optionOf figures
                let! other = Gen.optionOf texts
                let! items = few items
                return Bars(x, reference, other, items)
            }
            Gen.map2 (fun columns rows -> Table(columns, rows)) (few columns) (few (few cells))
            Gen.map2 (fun x frames -> Flame(x, frames)) axes (few (frames 1))
        ]

/// Panels.
let panels: Gen<Panel> =
    gen {
        let! id = texts
        let! title = texts
        let! notJudged = Gen.optionOf texts
        let! plot = plots

        return { Id = id; Title = title; Note = title; NotJudged = notJudged; Plot = plot }
    }

/// Results.
let results: Gen<Results> =
    gen {
        let! text = texts
        let! complete = flags
        let! invalid = flags
        let! seed = wholes
        let! rows = few rows
        let! warnings = few texts
        let! environment = environments
        let! margin = figures
        let! stopping = Gen.optionOf stoppings
        let! panels = few panels
        let! held = Gen.optionOf flags

        return
            {
                Schema = Results.CurrentSchema
                Scenario = text
                Title = text
                StartedUtc = "2026-11-21T05:00:00Z"
                EndedUtc = "2026-11-21T05:09:00Z"
                Complete = complete
                Invalid = invalid
                Command = text
                Seed = seed
                Base = text
                Margin = margin
                Settings =
                    {
                        Launches = 3
                        Pairs = seed
                        SliceMilliseconds = 150
                        WarmUpMilliseconds = 4000
                        Connections = 32
                    }
                Environment = environment
                Answer = text
                Summary = text
                Controls =
                    [
                        for held in Option.toList held do
                            {
                                Measure = Measure.OverHttp
                                Held = held
                                Id = text
                                Ratio = text
                                Sentence = text
                                Limit = margin
                                Added = seed
                            }
                    ]
                Warnings = warnings
                Facts = warnings |> List.map (fun words -> { Title = text; Figure = text; Words = words })
                Figures =
                    Figures.all
                    |> List.filter (fun figure -> rows |> List.exists (fun row -> (row.Find figure).IsSome))
                Factors =
                    warnings |> List.map (fun words -> { Name = text; Value = text; Explanation = words })
                Rows = rows
                Panels = panels
                Stopping = stopping
            }
    }

/// One of them, always the same.
let sample: Results =
    Gen.sampleWithSeed (FsCheck.Rnd(Laws.seed, 1UL ||| Laws.seed)) 30 1 results |> Array.head
