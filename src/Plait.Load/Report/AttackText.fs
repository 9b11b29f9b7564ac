// A load run as text in the shape of vegeta's report, and besides: both clocks, the lag of the generator, and the
// result of every request. Scripts that read vegeta's report read this one.
module Plait.Load.AttackText

open System.Globalization

open Plait.Common

let private invariant = CultureInfo.InvariantCulture
let private two (value: float) = value.ToString("F2", invariant)

/// Vegeta's figures of latencies, in its words.
let private vegetaFigures: (string * LoadFigure<Histogram>) list =
    [
        "min", LoadFigures.shortest
        "mean", LoadFigures.mean
        for percent in [ 50.0; 90.0; 95.0; 99.0 ] do
            string percent, LoadFigures.percentile percent
        "max", LoadFigures.longest
    ]

/// The latencies by both clocks, the lags, and the waits for a connection if there are any, with the figures of each. Figures of no
/// duration are 0, as in vegeta.
let private latencies (outcome: Outcome) : (string * string list) list =
    LoadFigures.durationsOf outcome.Plan
    |> List.filter (fun one -> not one.IsRare || (one.Read outcome.Counts).Count > 0L)
    |> List.sortBy _.IsRare
    |> List.mapi (fun at one ->
        let histogram = one.Read outcome.Counts

        (if at = 0 then one.Title else $"  {one.Title}"),
        vegetaFigures
        |> List.map (fun (_, figure) -> if histogram.Count = 0L then "0s" else figure.Text histogram))

/// The same as a table, a line for each figure, where vegeta's lines are too long for a terminal.
let private latencyTable width (outcome: Outcome) : string list =
    let clocks = latencies outcome

    let headings =
        clocks
        |> List.mapi (fun at (name, _) -> TextTable.right (name.Trim()) |> TextTable.ranked at)

    let rows =
        vegetaFigures
        |> List.mapi (fun at (name, _) -> name :: (clocks |> List.map (snd >> List.item at)))

    let lines, leftOut = TextTable.within width (TextTable.left "" :: headings) rows
    lines @ TextTable.omission width TextTable.onThePage leftOut

let private bytes (total: int64) (requests: int64) =
    let mean = if requests = 0L then 0.0 else float total / float requests
    $"{total}, {two mean}"

/// The results of the requests that were not answered rightly, and the reasons.
let private errors (outcome: Outcome) =
    [
        for result, count, complaint in Outcome.counted outcome do
            if result <> RequestResult.Right then
                let why =
                    complaint |> Option.map (fun text -> $" ({text})") |> Option.defaultValue ""

                $"{Outcome.resultName result}: {count}{why}"
    ]

/// Vegeta's lines: their subject, the names of their figures, and the figures; the lines of latencies apart.
let private vegeta (outcome: Outcome) =
    let counted (pairs: (string * int64) list) =
        pairs |> List.map (fun (name, count) -> $"{name}:{count}") |> String.concat "  "

    let each (text: CountFigure -> string) =
        LoadFigures.forOutput RunOutput.Text |> List.map text |> String.concat ", "

    let wait = outcome.Elapsed - outcome.AttackTime
    let names = vegetaFigures |> List.map fst |> String.concat ", "

    [
        [
            "Requests"
            "[total, rate, throughput]"
            $"{outcome.Requests}, {two outcome.RatePerSecond}, {two outcome.RightPerSecond}"
        ]
        [
            "Duration"
            "[total, attack, wait]"
            [ outcome.Elapsed; outcome.AttackTime; wait ]
            |> List.map Duration.showSpan
            |> String.concat ", "
        ]
    ],
    [
        for name, figures in latencies outcome do
            [ name; $"[{names}]"; String.concat ", " figures ]
    ],
    [
        [ "Bytes In"; "[total, mean]"; bytes outcome.Counts.BytesIn outcome.Requests ]
        [ "Bytes Out"; "[total, mean]"; bytes outcome.Counts.BytesOut outcome.Requests ]
        [
            "Connections"
            "[open, allowed, made]"
            $"{outcome.Counts.Connections}, {outcome.MaxConnections}, {outcome.Counts.Connects.Count}"
        ]
        [ "  requests"; $"[{each _.Figure.Figure.Title}]"; each (fun count -> string (count.Read outcome)) ]
        [ "Success"; "[ratio]"; two (100.0 * outcome.Success) + "%" ]
        [
            "Status Codes"
            "[code:count]"
            outcome.Statuses
            |> Map.toList
            |> List.map (fun (status, count) -> string status, count)
            |> counted
        ]
        [
            "Results"
            "[name:count]"
            outcome.Results
            |> Map.toList
            |> List.map (fun (result, count) -> Outcome.resultName result, count)
            |> counted
        ]
    ]

let private report isTerminal width (outcome: Outcome) : string =
    let prose = Wrap.within width ""
    let first, latencies, last = vegeta outcome
    let whole = TextTable.columns (first @ latencies @ last)

    [
        if isTerminal && whole |> List.exists (fun line -> line.Length > width) then
            let lines = first @ last

            yield!
                List.map List.last lines
                |> List.zip (TextTable.columns (lines |> List.map (List.truncate 2)))
                |> TextTable.described width

            ""
            yield! latencyTable width outcome
            ""
        else
            yield! whole

        "Error Set:"
        yield! if isTerminal then errors outcome |> List.collect prose else errors outcome
        ""

        if not outcome.Verdicts.IsEmpty then
            "Rules:"
            yield! Rule.lines outcome.Verdicts
            ""

        match StepTable.lines width outcome with
        | [] -> ()
        | lines ->
            yield!
                prose "Steps, with latencies from the intended start of the requests that were due in each:"

            yield! lines
            ""

        yield!
            prose (
                match outcome.Plan.Model with
                | Open _ ->
                    "Latencies count from the moment at which a request was due; 'from send' from its actual sending. 'lag' is the difference, for any reason; 'own lag' is the part of it in which the generator had a free connection."
                | Closed _ ->
                    "Latencies count from the moment at which a request was sent: each connection sends its next one when it has the answer."
            )

        if outcome.Counts.Waited.Count > 0L then
            yield!
                prose
                    "'waited' is the wait of requests while all allowed connections were in use; latencies from the moment at which a request was due include it."

        match Plan.connectionsWanted outcome.Plan with
        | Some wanted when outcome.Plan.Connecting.Grows && wanted > float outcome.MaxConnections ->
            yield!
                prose
                    $"At most {outcome.MaxConnections} connections could be open, by --max-connections or by this machine's local ports and files; if every response takes the whole --timeout, the run needs {wanted}."
        | _ -> ()

        if Plan.isSecure outcome.Plan && outcome.Plan.Connecting.Insecure then
            yield! prose "The server's certificate was not checked (--insecure)."

        if outcome.IsCutShort then
            yield! prose "Stopped before its time: the figures are of the time until then."

        for note in Outcome.notes outcome do
            yield! prose $"NOTE: {note}"

        match Lag.sentence outcome.Plan outcome.Counts with
        | Some sentence -> yield! prose $"LAG: {sentence}"
        | None -> ()

        for sentence in outcome.Invalid do
            yield! prose $"INVALID: {sentence}"
    ]
    |> String.concat "\n"
    |> fun text -> text + "\n"

/// The report in vegeta's shape, with a line feed at the end. Its table and sentences fit `width` columns; vegeta's lines are
/// as long as vegeta's.
let write (width: int) (outcome: Outcome) : string = report false width outcome

/// The same for a terminal of `width` columns: where vegeta's lines are longer, latencies are a table.
let show (width: int) (outcome: Outcome) : string = report true width outcome
