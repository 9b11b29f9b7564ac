// What a page shows of several load runs and logs: they share each plot.
module internal Plait.Load.ComparedPanels

open Plait.Report

open System.Globalization


let private invariant = CultureInfo.InvariantCulture

/// The load runs among them, with their names.
let attacks (sources: Source list) =
    sources
    |> List.choose (fun source ->
        match source.Content with
        | Attack recording -> Some(source.Name, recording)
        | Log _
        | Scenario _ -> None)

let private latencyTable (latencies: Latencies list) : Panel =
    Panel.table
        "runs"
        "The runs side by side"
        "Latencies in milliseconds, of right responses. From the intended start counts what a user waits for; from send leaves out how long a request waited to be sent."
        [
            Column.words "run"
            Column.words "latency"
            Column.figure "responses" 0
            Column.figure "50 % (ms)" 3
            Column.figure "99 % (ms)" 3
            Column.figure "99.9 % (ms)" 3
            Column.figure "longest (ms)" 3
        ]
        [
            for one in latencies do
                let figure (percent: float) =
                    if one.Sum.Count = 0L then
                        Panel.nothing
                    else
                        Panel.number (Duration.milliseconds (one.Sum.Percentile percent))

                [
                    Panel.text one.Run
                    Panel.text (Latencies.words one.Name)
                    Panel.number (float one.Sum.Count)
                    figure 50.0
                    figure 99.0
                    figure 99.9
                    figure 100.0
                ]
        ]

let private runTable (recordings: (string * Recording) list) : Panel =
    Panel.table
        "plans"
        "What was asked and where"
        "Runs of other plans or other machines differ by more than the server."
        [
            Column.words "run"
            Column.words "started (UTC)"
            Column.words "request"
            Column.words "load"
            Column.figure "right (1/s)" 1
            Column.figure "success (%)" 3
            Column.figure "own lag 99 % (ms)" 3
            Column.words "machine"
        ]
        [
            for name, recording in recordings do
                let outcome = recording.Outcome

                let machine =
                    match recording.Environment with
                    | Some environment ->
                        let cpu = environment.Cpu |> Option.defaultValue environment.Architecture
                        $"{cpu}, {environment.Cores} cores, {environment.Runtime}"
                    | None -> "not known"

                [
                    Panel.text name
                    Panel.text (outcome.StartedUtc.ToString("yyyy-MM-dd HH:mm:ss", invariant))
                    Panel.text (AttackWords.target outcome.Plan)
                    Panel.text (AttackWords.plan outcome.Plan)
                    Panel.number (AttackFigures.throughput outcome)
                    Panel.number (100.0 * AttackFigures.success outcome)
                    Panel.number (Duration.milliseconds (outcome.OwnLag.Percentile 99.0))
                    Panel.text machine
                ]
        ]

/// The panels of load runs and logs; none where there are neither.
let make (sources: Source list) : Panel list =
    let latencies = sources |> List.collect Source.latencies
    let recordings = attacks sources

    let outcomes =
        recordings |> List.map (fun (name, recording) -> name, recording.Outcome)

    if latencies.IsEmpty then
        []
    else
        [
            latencyTable latencies

            if not outcomes.IsEmpty then
                runTable recordings

            LatencyPanels.percentiles latencies

            if latencies |> List.exists (fun one -> not one.Over.IsEmpty) then
                LatencyPanels.overTime latencies outcomes

            AttackTables.percentiles (
                latencies |> List.map (fun one -> $"{one.Run} {Latencies.words one.Name}", one.Sum)
            )

            if not outcomes.IsEmpty then
                AttackPanels.rates outcomes
                AttackPanels.inFlight outcomes
                AttackTables.fates outcomes
                AttackPanels.lag outcomes
        ]
