// The table in the terminal: 120 columns, ranked, with what the reader must know below it.
module Plait.Lab.Tests.Tables

open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Report


let private hundredths low high =
    Gen.choose (low, high) |> Gen.map (fun value -> float value / 100.0)

let private ratios: Gen<RatioResult> =
    gen {
        let! median = hundredths 1 9999
        let! width = hundredths 0 100

        return
            {
                Median = median
                Low = median - width / 2.0 |> max 0.0
                High = median + width
                Launches = [ median; median ]
                Spread = width
                Pairs = 6
            }
    }

/// Rows with figures that a slow candidate on a slow machine may have.
let private rows: Gen<Row> =
    let idLetters = Gen.elements [ 'a'; '-'; '+'; 'z' ]

    gen {
        let! row = RandomResults.rows
        let! letters = Gen.listOf idLetters
        let! ratio = ratios
        let! bytes = Gen.choose (0, 9_999_999)
        let! rate = Gen.choose (1, 999_999)
        let! perWrapper = hundredths -9999 99_999

        let! words =
            Gen.listOf (Gen.elements [ "the"; "process"; "ended"; "unexpectedly"; "with"; "exit"; "3" ])

        return
            { row with
                Id = System.String(Array.ofList ('x' :: letters))
                Reason = (if words.IsEmpty then None else Some(String.concat " " words))
                BytesPerOperation = row.BytesPerOperation |> Option.map (fun _ -> float bytes)
                BytesPerOperationNoEscape = row.BytesPerOperationNoEscape |> Option.map (fun _ -> float bytes)
                CpuMicroseconds = row.CpuMicroseconds |> Option.map (fun _ -> 100.0 * ratio.Median)
                CpuRatio = row.CpuRatio |> Option.map (fun _ -> ratio)
                NanosecondsPerWrapper = row.NanosecondsPerWrapper |> Option.map (fun _ -> perWrapper)
                Http =
                    row.Http
                    |> Option.map (fun part ->
                        { part with
                            CpuRatio = ratio
                            RequestsPerSecond = float rate
                            BytesPerRequest = part.BytesPerRequest |> Option.map (fun _ -> float bytes)
                            CapacityPercent = min 999.0 (100.0 / ratio.Median)
                        })
                Published = row.Published |> List.map (fun figure -> { figure with PercentOfSync = 97.1 })
            }
    }

let private results rows =
    { RandomResults.sample with
        Rows = rows
        Base = rows |> List.tryHead |> Option.map _.Id |> Option.defaultValue "sync"
        Margin = 0.03
        Warnings = []
    }

let private texts rows =
    Table.lines (results rows) |> List.map snd

[<Fact>]
let ``the table fits 120 columns`` () =
    Laws.forEach 200 (Gen.listOf rows) (fun rows ->
        match texts rows |> List.tryFind (fun line -> line.Length > 120) with
        | Some line -> failwith $"{line.Length} columns: {line}"
        | None -> true)

[<Fact>]
let ``every row has a line and every reason is told`` () =
    Laws.forEach 100 (Gen.listOf rows) (fun rows ->
        let all =
            String.concat " " (texts rows)
            |> _.Split(' ', System.StringSplitOptions.RemoveEmptyEntries)
            |> String.concat " "

        rows
        |> List.forall (fun row ->
            all.Contains(row.Id.Substring(0, min 25 row.Id.Length))
            && row.Reason |> Option.forall all.Contains))

[<Fact>]
let ``rows are ranked by the ratio in process, then over HTTP, then those without`` () =
    Laws.forEach 100 (Gen.listOf rows) (fun rows ->
        let key (row: Row) =
            match row.CpuRatio, row.Http with
            | Some ratio, _ -> 0, ratio.Median
            | None, Some part -> 1, part.CpuRatio.Median
            | None, None -> 2, 0.0

        let ranked = TableRow.rank rows |> List.map key
        ranked = List.sort ranked && ranked.Length = rows.Length)

let private row =
    List.head (
        Gen.sampleWithSeed (FsCheck.Rnd(1UL, 1UL)) 10 50 rows
        |> Array.filter (fun row -> row.CpuRatio.IsSome && row.Http.IsSome)
        |> List.ofArray
    )

let private withRatio family (median: float) (row: Row) =
    { row with
        Family = family
        Factors = { SyncFn = false }
        CpuRatio = row.CpuRatio |> Option.map (fun ratio -> { ratio with Median = median })
    }

[<Fact>]
let ``the control has a line of its own with its figures`` () =
    let control = withRatio "control" 1.01 { row with Id = "sync-again" }
    let line = Table.controlLine [ control ] |> Option.get
    Assert.Contains("A/A control (sync-again): in process 1.01", line)
    let launches (ratio: RatioResult) = { ratio with Launches = [ 1.0 ] }

    let once =
        Table.controlLine [ { control with CpuRatio = Option.map launches control.CpuRatio; Http = None } ]

    Assert.DoesNotContain("spread", Option.get once)
    Assert.Contains("over HTTP", line)

    Assert.Equal(
        Some "A/A control (sync-again): not measured",
        Table.controlLine [ { control with CpuRatio = None; Http = None } ]
    )

    Assert.Equal(None, Table.controlLine [ withRatio "plait" 1.0 row ])

[<Fact>]
let ``a sentence is broken between words and keeps them all`` () =
    let words =
        Gen.listOf (Gen.elements [ "a"; "long"; "sentence"; "of"; "interpretation" ])

    Laws.forEach 200 words (fun words ->
        let lines = Wrap.lines "  " (String.concat " " words)

        lines |> List.forall (fun line -> line.Length <= 120 && line.StartsWith "  ")
        && (lines |> List.map _.Trim() |> String.concat " " |> _.Trim()) = String.concat " " words)

[<Fact>]
let ``a column that no row has a figure in is left out, and names get its room`` () =
    let long = System.String('n', 50)

    let bare =
        { row with
            Id = long
            BytesPerOperationNoEscape = None
            NanosecondsPerWrapper = None
            Http = None
            Published = []
        }

    let lines = texts [ bare ]
    let heading = List.head lines
    Assert.Contains("B/op", heading)
    Assert.Contains(lines, fun line -> line.StartsWith(long + " "))

    for title in [ "no esc"; "ns/wr"; "HTTP CPU ratio"; "req/s"; "cap%"; "pub%"; "B/req" ] do
        Assert.DoesNotContain(title, heading)

    // One row that has a figure brings the column back, for all.
    let loaded = texts [ bare; { row with Id = "x"; Published = [] } ]
    Assert.Contains("req/s", List.head loaded)
    Assert.DoesNotContain("pub%", String.concat "" loaded)
