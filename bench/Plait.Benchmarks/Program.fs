// The benchmarks' command line.
module Plait.Benchmarks.Program

open System
open System.Diagnostics
open System.IO

let private usage =
    """turns ROUNDS [FILE]         every row in turn in one process, and each suite's control; a suite whose control misses is
                          measured on, in 4 times ROUNDS at most; writes the report; exit code 1 where a goal is missed,
                          3 and no report where a control still misses
published FILE [TITLE]    every row in a process of its own (BenchmarkDotNet, .NET 10); writes the report; all suites, or
                          those whose title begins so
suite TITLE ROUNDS        every row of a suite in turn in one process; prints its table
pair TITLE ROW OVER ROUNDS  the time of a row over another's, the two alone in turn
only TITLE ROW SECONDS      one row again and again, for a profiler"""

let private fail (words: string) =
    eprintfn "%s" words
    2

let private measureAll rounds file =
    let results =
        [
            for suite in Suites.all do
                eprintfn "%s ..." suite.Title
                suite, Turns.measureControlled rounds suite
        ]

    let failures =
        [
            for suite, figures in results do
                match Turns.failedControl suite figures with
                | Some seen ->
                    $"'{suite.Title}': the base once more took {seen:F2} times as long. Is the machine quiet?"
                | None -> ()
        ]

    // in a process of its own
    let once (title: string) (row: string) (over: string) =
        let start =
            ProcessStartInfo(Environment.ProcessPath |> string, RedirectStandardOutput = true)

        for word in [ Environment.GetCommandLineArgs()[0]; "pair"; title; row; over; string (2 * rounds) ] do
            start.ArgumentList.Add word

        use child = Process.Start start |> Option.ofObj |> Option.get
        let said = child.StandardOutput.ReadToEnd()
        child.WaitForExit()

        match Double.TryParse(said, Globalization.CultureInfo.InvariantCulture) with
        | true, ratio -> ratio
        | _ ->
            failwith
                $"The process for '{title}', '{row}' over '{over}' said '{said}' and ended with {child.ExitCode}."

    // where the code of a row comes to lie differs from process to process, and with it a short row's time by a tenth
    let pair title row over =
        eprintfn "%s: %s over %s ..." title row over
        [ for _ in 1..3 -> once title row over ] |> List.sort |> List.item 1

    if not failures.IsEmpty then
        List.iter (eprintfn "%s") failures
        eprintfn "No report is written."
        3
    else
        let text, met = Report.write rounds pair results
        printfn "%s" text
        file |> Option.iter (fun file -> File.WriteAllText(file, text))
        if met then 0 else 1

let private turns rounds file =
    if rounds < 5 && Option.isSome file then
        fail $"{rounds} rounds are too few: figures are published from five on."
    else
        measureAll rounds file

let private startingWith (title: string) =
    Suites.all |> List.filter _.Title.StartsWith(title, StringComparison.OrdinalIgnoreCase)

let private pair title row over rounds =
    match Suites.all |> List.filter (fun suite -> suite.Title = title) with
    | [ suite ] ->
        let rows =
            suite.Rows |> List.filter (fun found -> found.Name = row || found.Name = over)

        match Turns.measure rounds { suite with Rows = rows } with
        | [ _; _ ] as figures ->
            let figuresOf name =
                figures |> List.find (fun figures -> figures.Row = name)

            printfn
                "%s"
                ((Turns.ratio (figuresOf row) (figuresOf over)).ToString
                    Globalization.CultureInfo.InvariantCulture)

            0
        | _ -> fail $"'{title}' has no rows '{row}' and '{over}'."
    | _ -> fail $"There is no suite '{title}'."

/// Runs something over the first suite whose title begins so.
let private withSuite title (run: Suite -> int) =
    match startingWith title with
    | suite :: _ -> run suite
    | [] -> fail $"No suite's title begins with '{title}'. They are: %A{Suites.all |> List.map _.Title}."

let private suite title rounds =
    withSuite title (fun suite ->
        Turns.measure rounds (Turns.withControl suite)
        |> Report.table suite
        |> List.iter (printfn "%s")

        0)

let private only title row seconds =
    withSuite title (fun suite ->
        match suite.Rows |> List.tryFind (fun found -> found.Name = row) with
        | None -> fail $"'{suite.Title}' has no row '{row}'. They are: %A{suite.Rows |> List.map _.Name}."
        | Some row ->
            let watch = Stopwatch.StartNew()
            let mutable least = Double.MaxValue

            while watch.Elapsed.TotalSeconds < seconds do
                let start = Stopwatch.GetTimestamp()
                (row.Run suite.Operations).Wait()

                least <-
                    min least (Stopwatch.GetElapsedTime(start).TotalNanoseconds / float suite.Operations)

            printfn "%s: %s %.1f ns" suite.Title row.Name least
            0)

let private (|Positive|_|) (text: string) =
    match Int32.TryParse text with
    | true, number when number > 0 -> Some number
    | _ -> None

[<EntryPoint>]
let main arguments =
    match List.ofArray arguments with
    | [ "turns"; Positive rounds ] -> turns rounds None
    | [ "turns"; Positive rounds; file ] -> turns rounds (Some file)
    | [ "suite"; title; Positive rounds ] -> suite title rounds
    | [ "pair"; title; row; over; Positive rounds ] -> pair title row over rounds
    | [ "only"; title; row; Positive seconds ] -> only title row (float seconds)
#if !ONLY_IN_TURN
    | [ "published"; file ] -> Published.write file Published.all
    | [ "published"; file; title ] ->
        match startingWith title with
        | [] -> fail $"No suite's title begins with '{title}'. They are: %A{Suites.all |> List.map _.Title}."
        | suites -> Published.write file suites
#endif
    | _ -> fail usage
