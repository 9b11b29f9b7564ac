// A stand-in for a candidate's process: it speaks the worker protocol, does a little work for each request, and goes
// wrong in the way that its arguments ask for. Tests of the lab measure it instead of real candidates.
module Plait.Lab.FakeWorker.Program

open System
open System.Diagnostics
open System.Text.Json
open System.Threading

open Plait.Lab.FakeWorker.Manner

let private rightBody =
    [
        for i in 1..100 do
            if i % 15 = 0 then "\"fizzbuzz\""
            elif i % 5 = 0 then "\"buzz\""
            elif i % 3 = 0 then "\"fizz\""
            else $"\"{i}\""
    ]
    |> String.concat ","
    |> fun items -> $"[{items}]"

let private bytesForARequest = 1000

let mutable private kept: obj = obj ()

/// Work for one request: CPU time in proportion to the factor, and a known number of bytes.
let private work (manner: Manner) () =
    let mutable sum = 0u

    for i in 0 .. int (20000.0 * manner.Factor) do
        sum <- sum * 1664525u + uint32 i

    kept <- Array.zeroCreate<byte>(bytesForARequest + int (sum &&& 0u))

let private say (text: string) =
    Console.Out.WriteLine text
    Console.Out.Flush()

let private forever () = Thread.Sleep Timeout.Infinite

let private number (value: float) =
    value.ToString(Globalization.CultureInfo.InvariantCulture)

let private run (manner: Manner) (milliseconds: int) =
    let cpu = Environment.CpuUsage.TotalTime
    let bytes = GC.GetTotalAllocatedBytes true
    let clock = Stopwatch.StartNew()
    let mutable operations = 0L

    while clock.ElapsedMilliseconds < int64 milliseconds do
        work manner ()
        operations <- operations + 1L

    let wall = clock.Elapsed.TotalMicroseconds
    let spent = (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds
    let allocated = GC.GetTotalAllocatedBytes true - bytes

    say
        $"""{{"operations":{operations},"cpuMicroseconds":{number spent},"wallMicroseconds":{number wall},"allocatedBytes":{allocated},"gen0":0}}"""

let private usage () =
    say
        $"""{{"cpuMicroseconds":{number Environment.CpuUsage.TotalTime.TotalMicroseconds},"allocatedBytes":{GC.GetTotalAllocatedBytes true},"gen0":{GC.CollectionCount 0},"poolThreads":{ThreadPool.ThreadCount}}}"""

let private serve (manner: Manner) (port: int) =
    match Server.start manner (work manner) rightBody port with
    | Ok port -> say $"""{{"port":{port}}}"""
    | Error sentence -> say (JsonSerializer.Serialize {| error = sentence |})

// Slices of warm-up are all of one length, and slices that count are of another: the middle is the third of those.
let mutable private warmUpLength = 0
let mutable private counted = 0

let private isMiddle (milliseconds: int) =
    // Slices of a millisecond come before all others, and do not count either.
    if milliseconds = 1 then
        ()
    elif warmUpLength = 0 then
        warmUpLength <- milliseconds
    elif milliseconds <> warmUpLength then
        counted <- counted + 1

    counted >= 3

let private answer (manner: Manner) (request: JsonElement) =
    match request.GetProperty("do").GetString() with
    | "body" ->
        let body =
            if manner.Mode = WrongBody then rightBody.Replace(",\"buzz\"]", "]") else rightBody

        say (JsonSerializer.Serialize {| body = body |})
    | "run" ->
        let milliseconds = request.GetProperty("milliseconds").GetInt32()

        match manner.Mode with
        | CrashInTheMiddle when isMiddle milliseconds ->
            eprintfn "the fake worker crashes, as it was asked to"
            exit 4
        | HangInTheMiddle when isMiddle milliseconds -> forever ()
        | _ -> run manner milliseconds
    | "serve" ->
        match request.TryGetProperty "port" with
        | true, port -> serve manner (port.GetInt32())
        | _ -> serve manner 0
    | "upstream" -> say """{"ok":true}"""
    | "boom" ->
        let waits = if manner.Mode = SkipsWaits then 3 else 6
        say $"""{{"waits":{waits},"blockedPoolThreads":0}}"""
    | "usage" when Server.hung -> forever ()
    | "usage" -> usage ()
    | other -> say (JsonSerializer.Serialize {| error = $"the fake worker knows no request '{other}'" |})

[<EntryPoint>]
let main arguments =
    let manner = read normal (List.ofArray arguments)

    match manner.Mode with
    | CrashAtStart ->
        eprintfn "the fake worker cannot start, as it was asked to"
        exit 3
    | HangAtStart -> forever ()
    | Garbage -> say "Hello, I am a program that prints what it likes."
    | _ ->
        let name = if manner.Mode = Impostor then "somebody-else" else manner.Name

        say
            $"""{{"ready":true,"candidate":"{name}","syncFn":{(if manner.SyncFn then "true" else "false")},"pid":{Environment.ProcessId},"runtime":"{Environment.Version}","library":null,"libraryVersion":null,"serverGc":false,"processorCount":{Environment.ProcessorCount}}}"""

    let mutable line = Console.In.ReadLine()

    while not (isNull line) do
        use document = JsonDocument.Parse(nonNull line)
        answer manner document.RootElement
        line <- Console.In.ReadLine()

    0
