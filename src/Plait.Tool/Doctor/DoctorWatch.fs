// Watching a process on the terminal: a live line of its counters, and a paragraph for each thing that happens.
module internal Plait.Tool.DoctorWatch

open System
open System.Threading

open Plait.Common
open Plait.Doctor

/// Milliseconds between two readings.
let private tick = 1000

/// Where the output is no terminal, one line of counters for so many readings.
let private linesEvery = 30

let private settings (look: Look.LookSettings) (limit: TimeSpan option) : WatchSettings =
    { Look = look; TickMilliseconds = tick; Between = TimeSpan.FromSeconds 10.0; For = limit }

let private counters (reading: PoolReading) =
    [
        $"queue {reading.Queue:N0}"
        $"{reading.Threads} threads"
        match reading.CompletedPerSecond with
        | Some completed -> $"{completed:N0} completed/s"
        | None -> ()
        match reading.CpuPercent with
        | Some percent -> $"CPU {percent:N0} %%"
        | None -> ()
    ]
    |> String.concat ", "

/// Eight heights of a bar.
let private heights = "▁▂▃▄▅▆▇█"

/// The figures as bars, at most `width` of them, a blank for a missing one; each bar shows the largest of its figures.
let private bars (width: int) (figures: float option list) : string =
    let most = figures |> List.choose id |> List.max
    let chunk = max 1 ((figures.Length + width - 1) / width)

    let bar (part: float option list) =
        match List.choose id part with
        | [] -> ' '
        | _ when most <= 0.0 -> heights[0]
        | known -> heights[min 7 (int (List.max known / most * 7.999))]

    figures |> List.chunkBySize chunk |> List.map bar |> List.toArray |> String

/// The pool over time, a line for each figure.
let private timeline (readings: PoolReading list) : (LineKind * string) list =
    match readings with
    | []
    | [ _ ] -> []
    | readings ->
        let width = min 60 (Wrap.width () - 40)

        let line (name: string) (unit: string) (figure: PoolReading -> float option) =
            let figures = readings |> List.map figure

            match List.choose id figures with
            | [] -> []
            | known ->
                let range = $"{List.min known:N0} to {List.max known:N0}{unit}"
                [ LineKind.Plain, $"  {name.PadRight 12} {bars (max 10 width) figures}  {range}" ]

        let seconds = int (List.last readings).AtMilliseconds / 1000

        [
            LineKind.Heading, $"over {seconds} s:"
            yield! line "queue" "" (fun reading -> Some(float reading.Queue))
            yield! line "threads" "" (fun reading -> Some(float reading.Threads))
            yield! line "completed/s" "" _.CompletedPerSecond
            yield! line "CPU" " %" _.CpuPercent
        ]

let private stamped (kind: LineKind) (text: string) =
    let now = DateTime.Now.ToString "HH:mm:ss"
    let indent = String(' ', now.Length + 2)

    Wrap.lines indent text
    |> List.mapi (fun at line -> kind, (if at = 0 then $"{now}  " + line.TrimStart() else line))
    |> TerminalLines.write

    Console.Out.Flush()

/// The gravest first.
let private gravity (diagnosis: Diagnosis) =
    match diagnosis.Verdict with
    | Verdict.Starved
    | Verdict.LockConvoy
    | Verdict.Hung
    | Verdict.Failed -> 3
    | Verdict.NoAnswer -> 2
    | Verdict.CpuBound
    | Verdict.Late -> 1
    | Verdict.Healthy -> 0

/// Why the threads were looked at, in words.
let private trigger (trigger: LookTrigger) : string =
    match trigger with
    | LookTrigger.WorkWaits -> "work waits: looked at the threads"
    | LookTrigger.Idle -> "hardly anything is done: looked at the threads"
    | LookTrigger.TimeUp -> "the time is up: looked at the threads"
    | LookTrigger.NoReadings -> "it does not answer"

/// The same once more needs no screen of its own.
let private isSame (now: Diagnosis) (before: Diagnosis) =
    let subject (diagnosis: Diagnosis) =
        diagnosis.Verdict,
        List.tryHead diagnosis.BlockingLines |> Option.map _.Function,
        List.tryHead diagnosis.Waiters |> Option.map _.Function

    subject now = subject before

/// Watches until the process ends, the time is up, or the token is cancelled. `attach` begins the watch, with a
/// function that shows the reason of a wait; once the process has ended, `ended` adds to a diagnosis how the program
/// ended. Returns the gravest diagnosis, with the readings of the whole watch.
let run
    (look: Look.LookSettings)
    (limit: TimeSpan option)
    (token: CancellationToken)
    (attach: WatchSettings -> (string -> unit) -> Watch * ProcessFacts)
    (ended: Diagnosis -> Diagnosis)
    : Diagnosis =
    // While a live line is shown, other text must not be written into it.
    let say = ref (fun (text: string) -> Console.Error.WriteLine text)
    let announce (text: string) = say.Value $"note: {text}"

    let watch, facts =
        StepProgress.run (fun tell ->
            // the process may take long for its first answer
            StopSignal.until token TimeSpan.Zero (fun () ->
                attach (settings { look with Announce = announce } limit) tell))

    use watch = watch

    let until =
        match limit with
        | Some limit -> $"for {Duration.brief limit}"
        | None -> "until it ends, or Ctrl-C"

    stamped LineKind.Plain $"watching {facts.Name} ({facts.Pid}) {until}"
    let mutable diagnoses: Diagnosis list = []
    let mutable goesOn = true
    let mutable hasEnded = false
    let mutable isExamined = false
    let count = ref 0

    let next () =
        StepProgress.runStill (fun tell above ->
            say.Value <- above
            let isLive = not Console.IsErrorRedirected

            // The last reading, until the next one.
            if isLive then
                watch.Readings
                |> List.tryLast
                |> Option.map counters
                |> Option.defaultValue "waiting for its counters"
                |> tell

            let read (reading: PoolReading) =
                if isLive || count.Value % linesEvery = 0 then
                    tell (counters reading)

                count.Value <- count.Value + 1

            watch.Next(read, token))

    while goesOn do
        match next () with
        | WatchEvent.Looked(why, diagnosis) ->
            // A watch may last for days: of a look that is over, the stacks stay folded.
            diagnoses <- { diagnosis with Evidence = { diagnosis.Evidence with Samples = [] } } :: diagnoses

            match diagnoses with
            | now :: before :: _ when isSame now before -> stamped LineKind.Plain $"still so: {diagnosis.Why}"
            | _ ->
                stamped LineKind.Plain (trigger why)
                DoctorOutput.show diagnosis

            // An idle program that was well may have changed since.
            if why <> LookTrigger.Idle then
                isExamined <- true
        | WatchEvent.Recovered time ->
            stamped LineKind.Good $"no work waits any more, after {Duration.rough (time.Ticks * 100L)}"
        | WatchEvent.Ended ->
            stamped LineKind.Plain $"process {facts.Pid} has ended"
            hasEnded <- true
            goesOn <- false
        | WatchEvent.Stopped -> goesOn <- false

    let readings = watch.Readings

    let gravest =
        List.rev diagnoses @ (if isExamined then [] else [ watch.Quiet ]) |> List.maxBy gravity

    let last = if hasEnded then ended gravest else gravest
    timeline readings |> TerminalLines.write

    if diagnoses.IsEmpty || last.Why <> diagnoses.Head.Why then
        DoctorOutput.show last

    { last with Evidence = { last.Evidence with Readings = readings } }
