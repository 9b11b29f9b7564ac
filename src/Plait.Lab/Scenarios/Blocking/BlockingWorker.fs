// The process in which jobs run: lines of JSON in, one line out for each. The jobs have a thread of their own to start
// from, and this thread answers, so that a starved pool is watched and not waited for.
module Plait.Lab.Blocking.BlockingWorker

open System
open System.Diagnostics
open System.IO
open System.Text.Json
open System.Threading

/// The jobs that run, or ran last.
type private Running = { Watch: Watch; Tally: Tally; mutable Wall: float; mutable Trouble: string }

let private start (request: JsonElement) : Running =
    let text (name: string) =
        nonNull (request.GetProperty(name).GetString())

    let load =
        {
            Scale = request.GetProperty("scale").GetDouble()
            SleepMilliseconds = request.GetProperty("sleep").GetInt32()
        }

    let mode =
        Mode.find (text "mode")
        |> Option.defaultWith (fun () -> raise (FormatException $"""there is no mode '{text "mode"}'"""))

    match mode.MinThreads load with
    | Some number -> ThreadPool.SetMinThreads(number, number) |> ignore
    | None -> ()

    let tally = Tally()
    let every = request.GetProperty("probe").GetInt32()

    let watch =
        new Watch(tally, request.GetProperty("sample").GetInt32(), (if every = 0 then None else Some every))

    let running = { Watch = watch; Tally = tally; Wall = nan; Trouble = "" }

    let work () =
        let began = Stopwatch.GetTimestamp()

        try
            Jobs.run mode.Name load tally
            Volatile.Write(&running.Wall, Stopwatch.GetElapsedTime(began).TotalSeconds)
        with trouble ->
            running.Trouble <- trouble.GetBaseException().Message

        watch.Stop()

    Thread(work, IsBackground = true, Name = "jobs").Start()
    running

let private writeMoments (writer: Utf8JsonWriter) (moments: Moment list) =
    writer.WriteStartArray "moments"

    for moment in moments do
        writer.WriteStartArray()
        writer.WriteNumberValue(Math.Round(moment.Seconds, 4))
        writer.WriteNumberValue moment.Threads
        writer.WriteNumberValue moment.PoolThreads
        writer.WriteNumberValue moment.Queue
        writer.WriteNumberValue moment.Ended
        writer.WriteEndArray()

    writer.WriteEndArray()

let private writeProbes (writer: Utf8JsonWriter) (probes: Probe list) =
    writer.WriteStartArray "probes"

    for probe in probes do
        writer.WriteStartArray()
        writer.WriteNumberValue(Math.Round(probe.QueuedSeconds, 6))
        writer.WriteNumberValue(Math.Round(probe.DelaySeconds, 6))
        writer.WriteNumberValue(if probe.Ran then 1 else 0)
        writer.WriteEndArray()

    writer.WriteEndArray()

/// What was seen since the last time; `probes`: which of them.
let private look (writer: Utf8JsonWriter) (running: Running) (probes: Probe list) =
    if running.Trouble <> "" then
        raise (InvalidOperationException running.Trouble)

    let wall = Volatile.Read &running.Wall
    writer.WriteBoolean("ended", not (Double.IsNaN wall))
    writer.WriteNumber("wallSeconds", (if Double.IsNaN wall then running.Watch.Seconds else wall))
    writer.WriteNumber("done", running.Tally.Ended)
    writer.WriteNumber("atOnce", running.Tally.Most)
    writeMoments writer (running.Watch.Moments())
    writeProbes writer probes

let private reply (write: Utf8JsonWriter -> unit) : string =
    use buffer = new MemoryStream()
    use writer = new Utf8JsonWriter(buffer)
    writer.WriteStartObject()
    write writer
    writer.WriteEndObject()
    writer.Flush()
    Text.Encoding.UTF8.GetString(buffer.ToArray())

/// Answers requests until the input ends: "start", "look", and "rest", which is the last look and ends the watching.
let serve (input: TextReader) (output: TextWriter) : unit =
    let mutable running: Running option = None

    let said () =
        running
        |> Option.defaultWith (fun () -> raise (InvalidOperationException "nothing was started yet"))

    let answer (line: string) : string =
        use request = JsonDocument.Parse line

        match request.RootElement.GetProperty("do").GetString() with
        | "start" ->
            running <- Some(start request.RootElement)
            reply (fun writer -> writer.WriteBoolean("ok", true))
        | "look" ->
            let running = said ()
            reply (fun writer -> look writer running (running.Watch.Probes()))
        | "rest" ->
            let running = said ()
            running.Watch.Stop()
            reply (fun writer -> look writer running (running.Watch.Probes() @ running.Watch.Waiting()))
        | other -> raise (FormatException $"'{other}' is unknown; known are start, look and rest")

    output.WriteLine(
        reply (fun writer ->
            writer.WriteBoolean("ready", true)
            writer.WriteNumber("cores", Environment.ProcessorCount))
    )

    output.Flush()
    let mutable line = input.ReadLine()

    while not (isNull line) do
        let text =
            try
                answer (nonNull line)
            with trouble ->
                reply (fun writer -> writer.WriteString("error", trouble.Message))

        output.WriteLine text
        output.Flush()
        line <- input.ReadLine()
