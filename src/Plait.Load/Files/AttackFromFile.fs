// From the content of a JSON to the load run: every part is checked, and what is wrong is said with its place.
module Plait.Load.AttackFromFile

open Plait.Report

open System


let private refuse (where: string) (what: string) : 'T = raise (BadInput $"{where} {what}")

let private bytes (where: string) (text: string) =
    try
        Convert.FromBase64String text
    with :? FormatException ->
        refuse where "is not base64: it is damaged"

let private fromHistogram (where: string) (written: HistogramFile) : Histogram =
    match CompressedHistogram.decode 1L written.Hdr with
    | Error reason -> refuse where $"holds a histogram that {reason}"
    | Ok decoded when decoded.Histogram.Count <> written.Count ->
        refuse
            where
            $"says that it counts {written.Count}, and its histogram holds {decoded.Histogram.Count}: it was changed by hand or is damaged"
    | Ok decoded -> CompressedHistogram.withEnds written.Min written.Max written.Clipped decoded.Histogram

let private fate (where: string) (name: string) : Fate =
    match AttackFigures.fates |> List.tryFind (fun fate -> AttackFigures.fateName fate = name) with
    | Some fate -> fate
    | None ->
        let known =
            AttackFigures.fates |> List.map AttackFigures.fateName |> String.concat ", "

        refuse where $"has '{name}', which is none of: {known}"

let private fromAsk (where: string) (written: AskFile) : Ask =
    match Uri.TryCreate(written.Url, UriKind.Absolute) with
    | true, url ->
        {
            Method = written.Method
            Url = nonNull url
            Headers = written.Headers |> List.map (fun header -> header.Name, header.Value)
            Body = bytes (where + ".body") written.Body
        }
    | _ -> refuse where $"has the URL '{written.Url}', which is none"

let private fromPlan (where: string) (written: PlanFile) : Plan =
    let model =
        match written.Model, written.Arrivals, written.RatePerSecond, written.UntilPerSecond with
        | "open", Some "constant", Some rate, _ -> Open(Constant rate, written.Connections)
        | "open", Some "poisson", Some rate, _ -> Open(Poisson rate, written.Connections)
        | "open", Some "ramp", Some from, Some until -> Open(Ramp(from, until), written.Connections)
        | "closed", _, _, _ -> Closed written.Connections
        | _ ->
            refuse
                where
                "is neither closed nor open with the arrivals constant, poisson or ramp and their rates"

    let seconds (value: float) =
        if abs value < 1e9 then
            TimeSpan.FromTicks(int64 (Math.Round(value * 1e7)))
        else
            refuse where $"has a time of {value} seconds"

    {
        Asks = written.Asks |> List.mapi (fun at ask -> fromAsk $"{where}.asks[{at}]" ask)
        Model = model
        Duration = seconds written.DurationSeconds
        WarmUp = seconds written.WarmUpSeconds
        Timeout = seconds written.TimeoutSeconds
        ExpectStatus = written.ExpectStatus
        ExpectBody = written.ExpectBody |> Option.map (bytes (where + ".expectBody"))
        Seed = written.Seed
        Insecure = written.Insecure
    }

let private fromPoint (where: string) (point: int64[]) : Sample =
    match point with
    | [| intended; sent; done'; status; fate |] when
        abs status < 1000L && Enum.IsDefined(enum<Fate>(int (min fate 1000L)))
        ->
        {
            Intended = intended
            Sent = sent
            Done = done'
            Status = int status
            Fate = enum<Fate>(int fate)
        }
    | _ ->
        let columns = String.concat ", " AttackToFile.sampleColumns
        refuse where $"is not five numbers: {columns}"

let private status (where: string) (text: string) =
    match Int32.TryParse text with
    | true, status -> status
    | _ -> refuse where $"has the status '{text}', which is none"

/// The load run of a file. `file` is for sentences. Raises BadInput when a part of it is not as it must be.
let recording (file: string) (written: AttackFile) : Recording =
    let started =
        match
            DateTime.TryParse(
                written.StartedUtc,
                Globalization.CultureInfo.InvariantCulture,
                Globalization.DateTimeStyles.AdjustToUniversal
                ||| Globalization.DateTimeStyles.AssumeUniversal
            )
        with
        | true, time -> time
        | _ -> refuse $"{file}: startedUtc" $"is '{written.StartedUtc}', which is no time"

    let keyed (name: string) (read: string -> string -> 'Key) (map: Map<string, 'Value>) =
        map
        |> Map.toList
        |> List.map (fun (key, value) -> read $"{file}: {name}" key, value)
        |> Map.ofList

    if not (abs written.ElapsedSeconds < 1e9) then
        refuse $"{file}: elapsedSeconds" $"is {written.ElapsedSeconds}"

    {
        Name = written.Name
        Command = written.Command
        Warnings = written.Warnings
        Environment = written.Environment
        Outcome =
            {
                Plan = fromPlan $"{file}: plan" written.Plan
                StartedUtc = started
                Elapsed = TimeSpan.FromTicks(int64 (Math.Round(written.ElapsedSeconds * 1e7)))
                Fates = keyed "fates" fate written.Fates
                Statuses = keyed "statuses" status written.Statuses
                BytesOut = written.BytesOut
                BytesIn = written.BytesIn
                Intended = fromHistogram $"{file}: intended" written.Intended
                Actual = fromHistogram $"{file}: actual" written.Actual
                Lag = fromHistogram $"{file}: lag" written.Lag
                OwnLag = fromHistogram $"{file}: ownLag" written.OwnLag
                Seconds =
                    written.Seconds
                    |> List.mapi (fun at second ->
                        {
                            At = second.At
                            Due = second.Due
                            Right = second.Right
                            Failed = second.Failed
                            InFlight = second.InFlight
                            Latency = fromHistogram $"{file}: seconds[{at}].latency" second.Latency
                            Actual = fromHistogram $"{file}: seconds[{at}].actual" second.Actual
                        })
                Samples =
                    written.Samples.Points
                    |> Array.mapi (fun at point -> fromPoint $"{file}: samples.points[{at}]" point)
                Busy = written.Busy
                Capacity = written.Capacity
                Invalid = written.Invalid
                Complaints = keyed "complaints" fate written.Complaints
                Stopped = written.Stopped
            }
    }
