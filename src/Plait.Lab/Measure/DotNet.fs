// The SDK as a child: `dotnet` with arguments, run to its end, its lines handed on as they come. Nothing is asked of it
// but what it prints and how it ends.
module Plait.Lab.Measure.DotNet

open System
open System.Collections.Generic
open System.ComponentModel
open System.Diagnostics
open System.Threading

/// What it printed, and its exit code.
type Ended = { Code: int; Lines: string list }

// English, so that its messages can be read; no servers that outlive it.
let private variables =
    [
        "DOTNET_CLI_UI_LANGUAGE", "en"
        "DOTNET_CLI_TELEMETRY_OPTOUT", "1"
        "DOTNET_NOLOGO", "1"
        "MSBUILDDISABLENODEREUSE", "1"
        "MSBUILDTERMINALLOGGER", "off"
    ]

/// Runs `dotnet` in `folder`. `line` is told every line of its output; `stop` ends it. None: there is no `dotnet` here.
let run
    (folder: string)
    (arguments: string list)
    (line: string -> unit)
    (stop: CancellationToken)
    : Ended option =
    let info =
        ProcessStartInfo(
            CandidateProcess.Host,
            arguments,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            UseShellExecute = false,
            WorkingDirectory = folder
        )

    for name, value in variables do
        info.Environment[name] <- value

    let lines = List<string>()

    let keep (data: DataReceivedEventArgs) =
        match data.Data with
        | null -> ()
        | text ->
            lock lines (fun () -> lines.Add text)
            line text

    try
        use child = nonNull (Process.Start info)
        child.StandardInput.Close()
        child.OutputDataReceived.Add keep
        child.ErrorDataReceived.Add keep
        child.BeginOutputReadLine()
        child.BeginErrorReadLine()

        try
            child.WaitForExitAsync(stop).Wait stop
        with
        | :? AggregateException
        | :? OperationCanceledException -> child.Kill true

        child.WaitForExit()
        stop.ThrowIfCancellationRequested()
        Some { Code = child.ExitCode; Lines = List.ofSeq lines }
    with :? Win32Exception ->
        None

/// Runs one target of a project, Release, its properties as given, with short messages and on both cores.
let target (root: string) (project: string) (target: string) (properties: (string * string) list) line stop =
    let escape (value: string) =
        value.Replace("%", "%25").Replace(";", "%3B")

    run
        root
        [
            "msbuild"
            project
            $"-t:{target}"
            "-p:Configuration=Release"
            for name, value in properties do
                $"-p:{name}={escape value}"
            "-v:minimal"
            "-m:2"
            "-nologo"
            "-nodeReuse:false"
        ]
        line
        stop
