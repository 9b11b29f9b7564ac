// The board of a load run while it runs: its seconds so far, as lines that fit a terminal of any size. Pure but for
// the sums that it keeps; another file draws it on the terminal.
namespace Plait.Load

open System
open System.Globalization

open Plait.Common

/// The seconds of a run so far, summed up.
type AttackBoard(plan: Plan) =
    let p99s = ResizeArray<int64>()
    let latencies = Histogram()
    let mutable failures: Map<RequestResult, int64> = Map.empty
    let mutable last: Second option = None
    let mutable right = 0L
    let mutable failed = 0L

    let marks = "▁▂▃▄▅▆▇█"
    let until = int (Math.Ceiling plan.Duration.TotalSeconds)

    let whole (count: int64) =
        count.ToString("N0", CultureInfo.InvariantCulture)

    let percentile (histogram: Histogram) (percent: float) =
        (LoadFigures.percentile percent).Text histogram

    let percentiles (histogram: Histogram) =
        $"p50 {percentile histogram 50.0}  p99 {percentile histogram 99.0}  max {percentile histogram 100.0}"

    /// Failures by their kind, most of all first.
    let kinds (failures: Map<RequestResult, int64>) =
        failures
        |> Map.toList
        |> List.filter (fun (_, count) -> count > 0L)
        |> List.sortByDescending snd
        |> List.map (fun (result, count) -> $"{Outcome.resultName result} {whole count}")
        |> String.concat ", "

    // The last responses may come behind the end.
    let time (second: Second) =
        if Plan.isEndless plan then $"{second.At + 1} s"
        elif second.At < until then $"{second.At + 1}/{until} s"
        else "after the end"

    /// The number of requests; None: there is none, or that of a share depends on its threads and on the requests of the warm-up.
    let most =
        let isKnown =
            plan.Share = Share.Whole
            || plan.Threads = 1 && (plan.Model.IsClosed || plan.WarmUp = TimeSpan.Zero)

        if isKnown then Plan.mostRequests plan else None

    /// The part of the run that is over, 0 to 1; None: the run has no end of its own.
    let share (second: Second) : float option =
        let byTime =
            if Plan.isEndless plan then None else Some(float (second.At + 1) / float until)

        let byCount = most |> Option.map (fun most -> float (right + failed) / float most)

        match byTime, byCount with
        | Some time, Some count -> Some(max time count)
        | one, other -> Option.orElse other one
        |> Option.map (min 1.0)

    /// The whole parts of a line that fit; a comma or two blanks end a part.
    let fit (width: int) (text: string) : string =
        if text.Length <= width then
            text
        else
            let start = text.Substring(0, width + 1)

            match max (start.LastIndexOf ", ") (start.LastIndexOf "  ") with
            // A part alone that has no room.
            | at when at <= 9 -> text.Substring(0, width)
            | at -> text.Substring(0, at).TrimEnd()

    let bar (room: int) (share: float) =
        let full = int (Math.Round(share * float room))
        String('█', full) + String('░', room - full)

    let progress (width: int) (second: Second) : string =
        let said =
            match most with
            | Some most -> $"{whole (right + failed)} of {whole most} requests, {time second}"
            | None when Plan.isUntilStopped plan -> $"{time second}, until Ctrl-C"
            | None -> time second

        match share second with
        | None -> said
        | Some share ->
            let percent = $"{Math.Floor(100.0 * share):F0} %%"
            let room = min 40 (width - said.Length - percent.Length - 4)

            if room < 8 then $"{percent}  {said}" else $"{bar room share}  {percent}  {said}"

    /// The last seconds' 99th percentiles, low to high on a scale of ratios; a gap where nothing was answered rightly.
    let line (room: int) : string =
        let shown = p99s |> Seq.skip (max 0 (p99s.Count - room)) |> Array.ofSeq
        let logs = shown |> Array.map (fun p99 -> Math.Log(float p99))
        let known = logs |> Array.filter Double.IsFinite

        if known.Length = 0 then
            ""
        else
            let least, most = Array.min known, Array.max known

            String(
                [|
                    for log in logs ->
                        if Double.IsFinite log then
                            // Less than a tenth up and down is not shown as a curve.
                            let height = (log - least) / max 0.1 (most - least)
                            marks[int (Math.Round(height * float (marks.Length - 1)))]
                        else
                            ' '
                |]
            )

    /// The lowest and the highest 99th percentile of the seconds so far.
    let scale () : string =
        match p99s |> Seq.filter (fun p99 -> p99 > 0L) |> List.ofSeq with
        | [] -> ""
        | known -> $"  {Duration.rough (List.min known)} to {Duration.rough (List.max known)}"

    /// Classes of equal ratio from the shortest duration to the longest: the lowest duration of each, and its count.
    let classes (number: int) : (int64 * int64)[] =
        let shortest = Math.Log(float (max 1L latencies.Min))
        let longest = Math.Log(float (max 1L latencies.Max))
        let step = max 0.01 ((longest - shortest) / float number)
        let counts = Array.zeroCreate<int64> number

        for bucket in latencies.Buckets do
            let middle = float bucket.Lowest + float (bucket.Highest - bucket.Lowest) / 2.0
            let at = int ((Math.Log(max 1.0 middle) - shortest) / step)
            let at = Math.Clamp(at, 0, number - 1)
            counts[at] <- counts[at] + bucket.Count

        counts |> Array.mapi (fun at count -> int64 (Math.Exp(shortest + float at * step)), count)

    let histogram (width: int) (rows: int) : string list =
        let classes = classes rows
        let most = classes |> Array.map snd |> Array.max
        let texts = classes |> Array.map (fun (_, count) -> whole count)
        let widest = texts |> Array.map _.Length |> Array.max
        let room = min 60 (width - 10 - widest - 3)

        [
            for (from, count), text in Array.zip classes texts do
                let drawn =
                    if count = 0L || room < 1 then
                        ""
                    else
                        // A count above zero has one block at least.
                        String('█', max 1 (int (float room * float count / float most))) + " "

                $"{(Duration.rough from).PadLeft 10} {drawn}{text}"
        ]

    /// The next second of the run.
    member _.Add(second: Second) : unit =
        last <- Some second
        right <- right + second.Right
        failed <- failed + second.Failed
        latencies.Add second.Latency
        p99s.Add(second.Latency.Percentile 99.0)

        for KeyValue(result, count) in second.Failures do
            failures <-
                failures
                |> Map.add result (count + (Map.tryFind result failures |> Option.defaultValue 0L))

    /// The figures of the last added second, in one line.
    member _.Plain: string =
        match last with
        | None -> ""
        | Some second ->
            let why =
                if second.Failures.IsEmpty then "" else $", failed: {kinds second.Failures}"

            $"[{time second}] {second.Due} due, {second.Right} right, {second.Failed} failed, {second.InFlight} in flight, p50 {percentile second.Latency 50.0}, p99 {percentile second.Latency 99.0}{why}"

    /// Lines of at most `width` columns, at most `height` of them: the most important first, and the histogram in the
    /// rest.
    member _.Lines(width: int, height: int) : (LineKind * string) list =
        let row kind (name: string) (text: string) =
            // The first of the names' column, which is 9 wide.
            kind, name.PadRight 9 + text

        let rows =
            match last with
            | None ->
                [
                    row
                        LineKind.Plain
                        "time"
                        (if plan.WarmUp > TimeSpan.Zero then
                             $"warming up for {plan.WarmUp.TotalSeconds} s"
                         else
                             "connecting")
                ]
            | Some second ->
                [
                    row LineKind.Heading "time" (progress (width - 9) second)
                    row
                        LineKind.Plain
                        "rate"
                        $"{whole second.Right}/s right, {whole second.Due}/s due, {whole (int64 second.InFlight)} in flight"
                    row LineKind.Plain "latency" (percentiles second.Latency)
                    row LineKind.Plain "so far" (percentiles latencies)
                    row LineKind.Plain "p99" (line (max 10 (min 60 (width - 9 - 22))) + scale ())

                    let kind = if failed > 0L then LineKind.Bad else LineKind.Good
                    row kind "failed" $"{whole failed} of {whole (right + failed)}"

                    for line in Wrap.within width (String(' ', 9)) (kinds failures) |> List.truncate 3 do
                        if line.Trim() <> "" then
                            kind, line
                ]

        let left = height - rows.Length - 2

        [
            yield! rows

            if latencies.Count > 0L && left >= 3 then
                LineKind.Plain, ""

                LineKind.Faint, $"latency from the intended start, {whole latencies.Count} responses"

                for line in histogram width (min 12 left) do
                    LineKind.Plain, line
        ]
        |> List.truncate height
        |> List.map (fun (kind, text) -> kind, fit width text)
