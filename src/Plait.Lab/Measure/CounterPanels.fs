// Pure: the counters of servers, as panels over time.
module Plait.Lab.CounterPanels

open Plait.Report

let private seconds = (Panel.linear "time (s)")

let private series
    label
    family
    style
    (value: CounterReading -> float)
    (readings: CounterReading list)
    : Series =
    Panel.series
        style
        label
        family
        [|
            for reading in readings do
                [| reading.At / 1000.0; value reading |]
        |]

// The count since the reading before, for a second.
let private perSecond
    (value: CounterReading -> float)
    (readings: CounterReading list)
    : CounterReading list * (CounterReading -> float) =
    let spans =
        readings
        |> List.pairwise
        |> List.map (fun (before, after) -> after.At, (after.At - before.At) / 1000.0)
        |> Map.ofList

    let rate (reading: CounterReading) =
        match Map.tryFind reading.At spans with
        | Some span when span > 0.0 -> value reading / span
        | _ -> 0.0

    // The first has nothing before it to be counted from.
    (match readings with
     | [] -> []
     | _ :: rest -> rest),
    rate

let private labelled (servers: (string * Family * CounterReading list) list) (name: string) (label: string) =
    if servers.Length = 1 then name else $"{label}: {name}"

/// Threads of the pool and the queue in front of them; `servers`: label, family and readings of each.
let threads (servers: (string * Family * CounterReading list) list) : Panel =
    Panel.lines
        "counters-threads"
        "Pool threads and queue over time"
        "Threads of the server's pool (lines), and work items that wait for one (dashed). A queue that grows while threads are added slowly is starvation: something blocks."
        seconds
        (Panel.linear "threads, items")
        [
            for label, family, readings in servers do
                series (labelled servers "threads" label) family Style.Step _.PoolThreads readings
                series (labelled servers "queue" label) family Style.Dashed _.Queue readings
        ]

/// Work items of the pool completed in a second.
let completed (servers: (string * Family * CounterReading list) list) : Panel =
    Panel.lines
        "counters-completed"
        "Work items of the pool over time"
        "Work items that the server's pool completed in a second: hops between threads that the requests made."
        seconds
        (Panel.linear "items/s")
        [
            for label, family, readings in servers do
                let readings, rate = perSecond _.Completed readings
                series (labelled servers "completed" label) family Style.Line rate readings
        ]

/// Megabytes allocated in a second, and collections.
let memory (servers: (string * Family * CounterReading list) list) : Panel =
    Panel.lines
        "counters-memory"
        "Allocation and collections over time"
        "Megabytes that the server allocated in a second (lines), and collections of any generation in a second (dashed)."
        seconds
        (Panel.linear "MB/s, collections/s")
        [
            for label, family, readings in servers do
                let later, rate = perSecond (fun reading -> reading.AllocatedBytes / 1e6) readings
                series (labelled servers "allocated" label) family Style.Line rate later

                let later, rate =
                    perSecond (fun reading -> reading.Gen0 + reading.Gen1 + reading.Gen2) readings

                series (labelled servers "collections" label) family Style.Dashed rate later
        ]

/// All of them; none for servers of which nothing was read.
let all (servers: (string * Family * CounterReading list) list) : Panel list =
    match servers |> List.filter (fun (_, _, readings) -> readings.Length > 1) with
    | [] -> []
    | servers -> [ threads servers; completed servers; memory servers ]
