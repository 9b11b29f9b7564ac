// The SDK as a child process: a target of a project is run to its end, and the errors of its output are read.
module Plait.Lab.DotNetBuild

open System
open System.Collections.Generic
open System.ComponentModel
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open System.Threading

/// The output of the SDK, and its exit code.
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

/// An error of a build.
type Trouble =
    {
        /// Its code: NU1101, FS0039.
        Code: string
        /// Its message.
        Text: string
        /// The full path of the project that it belongs to; None: the line does not say.
        Project: string option
    }

let private shape =
    Regex(
        @"^\s*(?:(?<file>[^:\r\n]*?)(?:\(\d+[^)]*\))?\s*:\s*)?error\s+(?<code>[A-Z]+\d+)\s*:\s*(?<text>.*?)\s*(?:\[(?<project>[^\]]+proj)[^\]]*\])?\s*$",
        RegexOptions.Compiled
    )

// The SDK's own folder is always among the sources, and has none of these packages.
let private packs = Regex(@"[^\s,:]*library-packs(?:,\s*)?", RegexOptions.Compiled)

/// The errors among the lines, in order.
let errors (lines: string list) : Trouble list =
    [
        for line in lines do
            let found = shape.Match line

            if found.Success then
                let owner =
                    [ found.Groups["project"].Value; found.Groups["file"].Value ]
                    |> List.tryFind (fun path -> path.EndsWith "proj")

                {
                    Code = found.Groups["code"].Value
                    Text = packs.Replace(found.Groups["text"].Value, "").TrimEnd(' ', '.')
                    Project = owner |> Option.map Path.GetFullPath
                }
    ]

/// The first error of a project.
let first (project: string) (troubles: Trouble list) : Trouble option =
    troubles |> List.tryFind (fun trouble -> trouble.Project = Some project)

/// Whether an error is one of fetching packages.
let isOfPackages (trouble: Trouble) : bool = trouble.Code.StartsWith "NU"

/// Whether an assembly is there, and is not older than any of the files that it is made of.
let isUpToDate (assembly: string) (inputs: string list) : bool =
    File.Exists assembly
    && (let built = File.GetLastWriteTimeUtc assembly
        inputs |> List.forall (fun file -> File.GetLastWriteTimeUtc file <= built))
