// The published figures of this benchmark, and the table that puts them beside the measured ones.
module Plait.Lab.FizzBuzzPublished

open Plait.Report

/// A published row.
type private PublishedRow =
    {
        /// The title of the publication; both are of 2021.
        Title: string
        Variant: string
        SyncFn: bool
        /// Percent of the publication's sync.
        Percent: float
        /// Requests/s; None: only the percentage was published.
        PerSecond: float option
        /// The mean latency in milliseconds, where it was published.
        Mean: float option
        /// The row here that is written in the same way; None: none is.
        Ours: string option
    }

/// By wrk, on a laptop.
let private optimizingTasks =
    let row variant syncFn percent perSecond mean ours =
        {
            Title = "Optimizing Tasks in F#"
            Variant = variant
            SyncFn = syncFn
            Percent = percent
            PerSecond = perSecond
            Mean = mean
            Ours = ours
        }

    [
        row "sync" false 100.0 (Some 14824.56) (Some 7.0) (Some "sync")
        row "Task (Ply task)" false 44.0 (Some 6561.37) (Some 15.44) (Some "ply-task")
        row "Task (Ply task)" true 51.0 (Some 7557.61) (Some 13.26) (Some "ply-task+sync-fn")
        row "hidden DTask" false 88.0 (Some 13082.62) (Some 7.98) (Some "hidden-task")
        row "TaskOrValue" false 34.0 (Some 5081.87) (Some 19.58) (Some "task-or-value")
        row "TaskOrValue" true 58.0 (Some 8620.01) (Some 11.87) (Some "task-or-value+sync-fn")
        row "Ply vtask" true 55.0 (Some 8252.0) None (Some "ply-vtask+sync-fn")
        row "Ply uvtask" true 79.0 (Some 11780.0) None (Some "ply-uvtask+sync-fn")
        row "Ply uply" true 91.0 (Some 13530.0) None (Some "ply-uply+sync-fn")
        row "Ply uply" false 91.5 (Some 13568.0) None (Some "ply-uply")
        row "OCaml sync" false 53.0 None None None
        row "OCaml async" false 42.0 None None None
        row "Rust (hyper) sync" false 51.0 None None None
    ]

/// On .NET 6 with F# 6.
let private benchmarkingTasks =
    let sync = 22572.0

    [
        "sync", sync, "sync"
        "async", 8189.0, "async"
        // The published source of that row references Ply: TaskBuilder.fs itself was never measured there.
        "TaskBuilder.fs (its source: Ply)", 12133.0, "taskbuilder"
        "Ply task", 12087.0, "ply-task"
        "Ply vtask", 13856.0, "ply-vtask"
        "Ply uvtask", 19840.0, "ply-uvtask"
        "Ply uply", 21924.0, "ply-uply"
        "F# 6 task", 15937.0, "task"
    ]
    |> List.map (fun (variant, perSecond, ours) ->
        {
            Title = "Benchmarking F# 6 Tasks"
            Variant = variant
            SyncFn = false
            Percent = System.Math.Round(100.0 * perSecond / sync, 1)
            PerSecond = Some perSecond
            Mean = None
            Ours = Some ours
        })

/// Requests a second of that publication, by candidate.
let perSecond: (string * float) list =
    benchmarkingTasks
    |> List.choose (fun theirs -> Option.map2 (fun name rate -> name, rate) theirs.Ours theirs.PerSecond)

/// The candidate with the figures that were published for it, besides those in its candidate.json.
let beside (candidate: Candidate) : Candidate =
    let own =
        benchmarkingTasks @ optimizingTasks
        |> List.filter (fun theirs ->
            let row =
                if theirs.SyncFn then $"{candidate.Name}+{snd Candidate.syncFn}" else candidate.Name

            // The base of a publication is 100 % of itself and no figure.
            theirs.Variant <> "sync" && theirs.Ours = Some row)
        |> List.map (fun theirs ->
            {
                Source = $"{theirs.Title} (2021)"
                PercentOfSync = theirs.Percent
                Note = Some theirs.Variant
                Factors = if theirs.SyncFn then [ Candidate.syncFn ] else []
            })

    { candidate with Published = candidate.Published @ own }

/// The published figures with ours beside them.
let table (measured: Row list) : Panel =
    let ours (theirs: PublishedRow) (read: Row -> float option) =
        theirs.Ours
        |> Option.bind (fun id -> measured |> List.tryFind (fun row -> row.Id = id))
        |> Option.bind read
        |> Panel.optional

    Panel.table
        "published-fizzbuzz"
        "Published, and ours"
        "Percent of sync travels between machines; requests/s do not. Theirs: requests/s by wrk, with client and server on the same busy cores. Ours: the capacity of one core (CPU for a request), over HTTP and in process. Latencies of a closed loop are connections over requests/s, the same figure again. Both are of 2021."
        [
            Column.words "variant"
            Column.figure "theirs" 1 |> Column.under "% of sync"
            Column.figure "ours" 1 |> Column.under "% of sync" |> Column.ours
            Column.figure "ours, in process" 1 |> Column.under "% of sync" |> Column.ours
            Column.figure "theirs" 0 |> Column.under "req/s"
            Column.figure "ours" 0 |> Column.under "req/s" |> Column.ours
            Column.figure "theirs" 2 |> Column.under "mean ms"
            Column.words "publication"
        ]
        [
            for theirs in optimizingTasks @ benchmarkingTasks ->
                [
                    Panel.text (theirs.Variant + (if theirs.SyncFn then ", sync caller" else ""))
                    Panel.number theirs.Percent
                    ours theirs _.Value(Figures.httpCapacityPercent)
                    ours theirs (fun row ->
                        row.Value Figures.cpuRatio |> Option.map (fun ratio -> 100.0 / ratio))
                    Panel.optional theirs.PerSecond
                    ours theirs _.Value(Figures.httpRequestsPerSecond)
                    Panel.optional theirs.Mean
                    Panel.text theirs.Title
                ]
        ]
