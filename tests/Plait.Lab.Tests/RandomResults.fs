// Random results: every field with any value that it may have, and texts that formats trip over.
module Plait.Lab.Tests.RandomResults

open FsCheck
open FsCheck.FSharp

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

let private ratios: Gen<RatioResult> =
    gen {
        let! median = figures
        let! low = figures
        let! high = figures
        let! launches = few figures
        let! spread = figures
        let! pairs = wholes

        return
            {
                Median = median
                Low = low
                High = high
                Launches = launches
                Spread = spread
                Pairs = pairs
            }
    }

let private verdicts = Gen.elements [ "faster"; "slower"; "same"; "unresolved" ]

let private percents: Gen<PercentResult> =
    Gen.map3 (fun median low high -> { Median = median; Low = low; High = high }) figures figures figures

let private inProcess = Gen.zip3 figures ratios verdicts

let private http: Gen<HttpResult> =
    gen {
        let! cpu, ratio, verdict = inProcess
        let! rate = figures
        let! ratePercent = percents
        let! capacity = figures
        let! bytes = Gen.optionOf figures
        let! requests = counts
        let! errors = counts

        return
            {
                CpuMicroseconds = cpu
                CpuRatio = ratio
                Verdict = verdict
                RequestsPerSecond = rate
                RequestsPerSecondPercent = ratePercent
                CapacityPercent = capacity
                BytesPerRequest = bytes
                Requests = requests
                Errors = { Status = errors; Length = 1L; Connection = 0L; Timeout = 2L }
            }
    }

/// Rows.
let rows: Gen<Row> =
    gen {
        let! id = texts
        let! label = texts
        let! syncFn = flags

        let! family =
            Gen.elements [ "base"; "plait"; "fsharp"; "csharp"; "published"; "control" ]

        let! library = Gen.optionOf texts
        let! status = Gen.elements [ "measured"; "partial"; "failed"; "not available" ]
        let! reason = Gen.optionOf texts
        let! correct = Gen.optionOf flags
        let! bytes = Gen.optionOf figures
        let! bytesNoEscape = Gen.optionOf figures
        let! inside = Gen.optionOf inProcess
        let! perWrapper = Gen.optionOf figures
        let! http = Gen.optionOf http

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
                Factors = { SyncFn = syncFn }
                Label = label
                Family = family
                Library = library
                LibraryVersion = library
                Status = status
                Available = (status <> "not available")
                Reason = reason
                Correct = correct
                BytesPerOperation = bytes
                BytesPerOperationNoEscape = bytesNoEscape
                CpuMicroseconds = inside |> Option.map (fun (cpu, _, _) -> cpu)
                CpuRatio = inside |> Option.map (fun (_, ratio, _) -> ratio)
                NanosecondsPerWrapper = perWrapper
                Verdict = inside |> Option.map (fun (_, _, verdict) -> verdict)
                Http = http
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
                LoadAverage = figure
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
    Gen.map2 (fun label scale -> { Label = label; Scale = scale }) texts (Gen.elements [ "linear"; "log" ])

let private serieses =
    gen {
        let! label = texts
        let! points = few (Gen.map2 (fun x y -> [| x; y |]) figures figures)
        let! more = wholes
        let! style = Gen.elements [ "line"; "dashed"; "step"; "dots" ]

        return
            {
                Label = label
                Family = "plait"
                Points = List.toArray points
                Of = points.Length + more
                Style = style
            }
    }

let private items =
    gen {
        let! label = texts
        let! value = figures
        let! low = Gen.optionOf figures
        let! high = Gen.optionOf figures
        let! other = Gen.optionOf figures
        let! note = Gen.optionOf texts

        return
            {
                Label = label
                Family = "fsharp"
                Value = value
                Low = low
                High = high
                Other = other
                Note = note
            }
    }

let private columns =
    Gen.map3
        (fun title digits better -> { Title = title; Digits = digits; Better = better })
        texts
        (Gen.optionOf (Gen.choose (0, 4)))
        (Gen.elements [ "better lower"; "better higher"; "" ])

let private cells =
    Gen.map2 (fun text number -> { Text = text; Number = number }) (Gen.optionOf texts) (Gen.optionOf figures)

/// Panels.
let panels: Gen<Panel> =
    gen {
        let! kind =
            Gen.elements [ "lines"; "percentiles"; "forest"; "bars"; "table"; "facts" ]

        let! id = texts
        let! title = texts
        let! x = axes
        let! y = axes
        let! series = few serieses
        let! items = few items
        let! reference = Gen.optionOf figures
        let! other = Gen.optionOf texts
        let! columns = few columns
        let! rows = few (few cells)

        return
            {
                Kind = kind
                Id = id
                Title = title
                Note = title
                X = x
                Y = y
                Series = series
                Items = items
                Reference = reference
                OtherLabel = other
                Columns = columns
                Rows = rows
            }
    }

/// Results.
let results: Gen<Results> =
    gen {
        let! text = texts
        let! complete = flags
        let! seed = wholes
        let! rows = few rows
        let! warnings = few texts
        let! environment = environments
        let! margin = figures
        let! stopping = Gen.optionOf stoppings
        let! panels = few panels

        let! published =
            few (
                Gen.map3
                    (fun source percent syncFn ->
                        { Source = source; Variant = source; PercentOfSync = percent; SyncFn = syncFn })
                    texts
                    figures
                    flags
            )

        return
            {
                Schema = Results.CurrentSchema
                Scenario = text
                Title = text
                StartedUtc = "2026-11-21T05:00:00Z"
                EndedUtc = "2026-11-21T05:09:00Z"
                Complete = complete
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
                Warnings = warnings
                Rows = rows
                Published = published
                Panels = panels
                Stopping = stopping
            }
    }

/// One of them, always the same.
let sample: Results =
    Gen.sampleWithSeed (FsCheck.Rnd(Laws.seed, 1UL ||| Laws.seed)) 30 1 results |> Array.head
