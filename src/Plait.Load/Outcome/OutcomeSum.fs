// Pure: the sum of the outcomes of several threads of one run. Nothing is lost: counts and histograms are added.
module internal Plait.Load.OutcomeSum

let private sum (all: Map<'Key, int64> list) : Map<'Key, int64> =
    all
    |> List.collect Map.toList
    |> List.groupBy fst
    |> List.map (fun (key, counts) -> key, List.sumBy snd counts)
    |> Map.ofList

/// The same second of all threads.
let second (parts: Second list) : Second =
    {
        At = parts.Head.At
        Seconds = parts.Head.Seconds
        Due = parts |> List.sumBy _.Due
        Right = parts |> List.sumBy _.Right
        Failed = parts |> List.sumBy _.Failed
        Failures = parts |> List.map _.Failures |> sum
        InFlight = parts |> List.sumBy _.InFlight
        Latency = (parts |> List.map _.Latency |> Histogram.Sum).Packed()
        Actual = (parts |> List.map (fun part -> part.Actual) |> Histogram.Sum).Packed()
    }

let private step (parts: Step list) : Step =
    { parts.Head with
        Due = parts |> List.sumBy _.Due
        Right = parts |> List.sumBy _.Right
        Answered = parts |> List.sumBy _.Answered
        Intended = parts |> List.sumBy (fun part -> part.Intended)
        Actual = parts |> List.sumBy (fun part -> part.Actual)
    }

/// The outcome of a run whose threads had these, without its seconds.
let outcome (parts: Outcome list) : Outcome =
    match parts with
    | [ only ] -> only
    | _ ->
        { parts.Head with
            StartedUtc = parts |> List.map _.StartedUtc |> List.min
            Elapsed = parts |> List.map _.Elapsed |> List.max
            AttackTime = parts |> List.map _.AttackTime |> List.max
            Stopped = parts |> List.exists _.Stopped
            Results = parts |> List.map _.Results |> sum
            Statuses = parts |> List.map _.Statuses |> sum
            Complaints =
                parts
                |> List.rev
                |> List.fold (fun all part -> Map.foldBack Map.add part.Complaints all) Map.empty
            Counts = parts |> List.sumBy _.Counts
            Steps = parts |> List.map _.Steps |> List.transpose |> List.map step
            Dates = parts |> List.map _.Dates |> ServerDate.sum
            Addresses = parts |> List.collect _.Addresses |> List.distinct |> List.sort
            Samples = parts |> List.map _.Samples |> Array.concat |> Array.sortBy (fun sample -> sample.Done)
        }
