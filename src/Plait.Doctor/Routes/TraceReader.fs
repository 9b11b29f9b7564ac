// Stacks, readings and adjustments of a trace file, from a session of the doctor or from another tool.
module internal Plait.Doctor.TraceReader

open System
open System.Collections.Generic
open System.IO
open Plait.Common
open Microsoft.Diagnostics.Tracing
open Microsoft.Diagnostics.Tracing.Etlx

/// The content of a trace.
type TraceContent =
    {
        /// The process in the trace.
        Pid: int
        CommandLine: string
        Processors: int
        Began: DateTime
        Milliseconds: float
        Samples: Sample list
        Readings: PoolReading list
        Adjustments: Adjustment list
        /// Notes about its frames, one sentence each.
        Notes: string list
    }

/// The method without its signature, and without the arguments of generic types, which are the runtime's stand-ins.
let private bare (name: string) =
    let untilSignature =
        match name.IndexOf '(' with
        | -1 -> name
        | at -> name.Substring(0, at)

    let text = Text.StringBuilder()
    let mutable depth = 0

    for letter in untilSignature do
        if letter = '[' then
            depth <- depth + 1

        if depth = 0 then
            text.Append letter |> ignore

        if letter = ']' then
            depth <- depth - 1

    text.ToString()

/// Frames of code addresses, each made once.
type private AddressFrames(jitted: JittedCode, code: UserCode) =
    let known = Dictionary<struct (CodeAddressIndex * bool * string), Frame list>()

    let make (address: TraceCodeAddress) (isCaller: bool) (callee: string) : Frame list =
        let file = address.ModuleFile |> Option.ofObj
        let path = file |> Option.map _.FilePath |> Option.defaultValue ""
        let found = jitted.TryFind(address.Address, isCaller)

        Frames.make
            code
            {
                Assembly = path
                Module =
                    if path = "" then
                        file |> Option.map _.Name |> Option.defaultValue ""
                    else
                        Frames.moduleName path
                Written = bare address.FullMethodName
                Method =
                    match found, file with
                    | Some(token, _), Some file when path <> "" && token <> 0 ->
                        Some { File = path; Build = file.PdbSignature; Token = token }
                    | _ -> None
                Position =
                    match found with
                    | Some(_, Some(from, until)) ->
                        Position.Between(from, until, (if isCaller then Some callee else None))
                    | Some(_, None) when callee <> "" -> Position.Calling callee
                    | _ -> Position.Unknown
            }

    /// `callee`: the called method; "": not known, or none.
    member _.Of(address: TraceCodeAddress, isCaller: bool, callee: string) : Frame list =
        let key = struct (address.CodeAddressIndex, isCaller, callee)

        match known.TryGetValue key with
        | true, frames -> frames
        | _ ->
            let frames = make address isCaller callee
            known[key] <- frames
            frames

    /// Notes about them.
    member _.Notes = code.Notes

/// The event's value for a thread in managed code.
let private managed = 2

/// The samples of the profiler. `began`: the start of their clock.
let private samples (log: TraceLog) (began: DateTime) (frames: AddressFrames) : Sample list =
    [
        for event in log.Events do
            if
                event.ProviderName = "Microsoft-DotNETCore-SampleProfiler"
                && event.EventName = "Thread/Sample"
            then
                let mutable call = event.CallStack()
                let data = event.EventData()
                let isManaged = data.Length < 4 || BitConverter.ToInt32(data, 0) = managed

                let stack =
                    [
                        // a thread in native code was called by the innermost managed frame
                        let mutable isCaller = not isManaged
                        let mutable callee = ""

                        while not (isNull call) do
                            let found = frames.Of((nonNull call).CodeAddress, isCaller, callee)
                            yield! found
                            isCaller <- true
                            callee <- (List.last found).Method
                            call <- (nonNull call).Caller
                    ]

                if not stack.IsEmpty then
                    {
                        Thread = event.ThreadID
                        AtMilliseconds = (event.TimeStamp.ToUniversalTime() - began).TotalMilliseconds
                        IsManaged = isManaged
                        Frames = stack
                    }
    ]

/// Reads a trace file as nettrace, and then as the ETLX form, which has stacks.
let private opened
    (file: string)
    (own: EventPipeEventSource -> 'A)
    (read: 'A -> AddressFrames -> TraceLog -> 'T)
    : 'T =
    use folder = new TemporaryFolder()
    let converted = folder.File "trace.etlx"
    use source = new EventPipeEventSource(file)
    let jitted = JittedCode source
    let first = own source
    source.Process() |> ignore

    let options =
        TraceLogOptions(ConversionLog = TextWriter.Null, ContinueOnError = true)

    TraceLog.CreateFromEventPipeDataFile(file, converted, options) |> ignore
    use log = new TraceLog(converted)
    use code = new UserCode()
    read first (AddressFrames(jitted, code)) log

/// The samples of a session that was written to `file`, on the clock that began at `began`, and notes about them.
let readSamples (file: string) (began: DateTime) : Sample list * string list =
    opened file ignore (fun () frames log ->
        let samples = samples log began frames
        samples, frames.Notes)

/// All of a trace. Raises BadInput if the file is no trace, or has no stacks.
let read (file: string) : TraceContent =
    let refuse (why: string) =
        raise (
            BadInput
                $"{file}: {why}; a trace with stacks is written by 'dotnet-trace collect --profile dotnet-sampled-thread-time --providers System.Runtime:0:4:EventCounterIntervalSec=1 -p PID'"
        )

    if Directory.Exists file then
        raise (BadInput $"{file}: it is a folder; name a trace in it, FILE.nettrace")

    if not (File.Exists file) then
        raise (BadInput $"{file}: there is no such file; name a trace, FILE.nettrace")

    try
        let listen (source: EventPipeEventSource) =
            let events = PoolEvents(source.SessionStartTime.ToUniversalTime())
            events.Listen source
            events

        opened file listen (fun events frames log ->
            let samples = samples log events.Began frames

            if samples.IsEmpty then
                refuse "it holds no stacks of threads"

            let traced =
                log.Processes |> Seq.maxBy (fun traced -> Seq.length traced.EventsInProcess)

            {
                Pid = traced.ProcessID
                CommandLine = (if isNull traced.CommandLine then "" else traced.CommandLine)
                Processors = log.NumberOfProcessors
                Began = events.Began
                Milliseconds = log.SessionDuration.TotalMilliseconds
                Samples = samples
                Readings = events.Readings
                Adjustments = events.Adjustments
                Notes = frames.Notes
            })
    with
    | :? IOException as trouble -> refuse $"it cannot be read as a trace: {trouble.Message}"
    | :? FormatException as trouble -> refuse $"it cannot be read as a trace: {trouble.Message}"
    | :? UnauthorizedAccessException as trouble -> refuse $"it cannot be read: {trouble.Message}"
