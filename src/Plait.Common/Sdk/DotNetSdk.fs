// The .NET SDK as a child process: it runs to its end, and the errors of MSBuild are read in its output.
module Plait.Common.DotNetSdk

open System
open System.ComponentModel
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open System.Threading
open System.Threading.Tasks

/// The end of a call.
type Ended =
    {
        /// Its exit code.
        Code: int
        /// The lines of its standard output.
        Output: string list
        /// The lines of its standard error.
        Errors: string list
    }

    /// All of its lines: standard error first.
    member ended.Lines: string list = ended.Errors @ ended.Output

let private set =
    [
        // English, so that its messages can be read; no servers that outlive it
        "DOTNET_CLI_UI_LANGUAGE", "en"
        "DOTNET_CLI_TELEMETRY_OPTOUT", "1"
        "DOTNET_NOLOGO", "1"
        "MSBUILDDISABLENODEREUSE", "1"
        "MSBUILDTERMINALLOGGER", "off"
        // a profile costs time, and this process is too short to gain by it
        "DOTNET_TieredPGO", "0"
    ]

// A build that starts this program leaves the places of its own SDK here, which another SDK must not use.
let private unset =
    [
        "MSBUILD_EXE_PATH"
        "MSBuildExtensionsPath"
        "MSBuildSDKsPath"
        "MSBuildLoadMicrosoftTargetsReadOnly"
    ]

let private read
    (reader: StreamReader)
    (line: string -> unit)
    (token: CancellationToken)
    : Task<string list> =
    task {
        let lines = ResizeArray<string>()
        let mutable goesOn = true

        while goesOn do
            match! reader.ReadLineAsync token with
            | null -> goesOn <- false
            | text ->
                lines.Add text
                line text

        return List.ofSeq lines
    }

/// Runs `host`, which is `dotnet` or a path of it, in `folder`, whose global.json chooses the SDK. `line` gets every line of
/// its output, from any thread; `token` ends it. Error: the system cannot start it, and why.
let run
    (host: string)
    (folder: string)
    (arguments: string list)
    (line: string -> unit)
    (token: CancellationToken)
    : Result<Ended, string> =
    token.ThrowIfCancellationRequested()

    let info =
        ProcessStartInfo(
            host,
            arguments,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            UseShellExecute = false,
            WorkingDirectory = folder,
            // as git and the SDK write
            StandardOutputEncoding = Text.UTF8Encoding false,
            StandardErrorEncoding = Text.UTF8Encoding false
        )

    for name, value in set do
        info.Environment[name] <- value

    for name in unset do
        info.Environment.Remove name |> ignore

    let wait (child: Process) =
        try
            child.StandardInput.Close()
            let output = read child.StandardOutput line token
            let errors = read child.StandardError line token
            // it may have closed its output long before it ends, or left it to a process that outlives it
            Task.WhenAll([ output :> Task; errors; child.WaitForExitAsync token ]).GetAwaiter().GetResult()
            { Code = child.ExitCode; Output = output.Result; Errors = errors.Result }
        with _ ->
            try
                child.Kill true
                child.WaitForExit()
            with
            | :? InvalidOperationException
            | :? Win32Exception
            | :? AggregateException -> ()

            token.ThrowIfCancellationRequested()
            reraise ()

    let started =
        try
            Ok(nonNull (Process.Start info))
        with :? Win32Exception as trouble ->
            Error trouble.Message

    match started with
    | Error reason -> Error reason
    | Ok child ->
        use child = child
        Ok(wait child)

/// An error of a build.
type BuildError =
    {
        /// Its code: NU1101, FS0039; empty: it has none.
        Code: string
        /// Its message.
        Text: string
        /// The full path of the project that it belongs to; None: the line does not say.
        Project: string option
    }

let private shape =
    Regex(
        @"^\s*(?:(?<file>.*?)(?:\(\d+[^)]*\))?\s*:\s*)?error\s+(?<code>[A-Z]+\d+)?\s*:\s*(?<text>.*?)\s*(?:\[(?<project>[^\]]+proj)?[^\]]*\])?\s*$",
        RegexOptions.Compiled
    )

// The SDK's own folder is always among the sources, and has none of these packages.
let private packs = Regex(@"[^\s,:]*library-packs(?:,\s*)?", RegexOptions.Compiled)

/// The errors among the lines, in order.
let errors (lines: string list) : BuildError list =
    [
        for line in lines do
            let found = shape.Match line

            if found.Success then
                let owner =
                    [ found.Groups["project"].Value; found.Groups["file"].Value ]
                    |> List.tryFind (fun path -> path.EndsWith "proj")

                {
                    Code = found.Groups["code"].Value
                    Text = packs.Replace(found.Groups["text"].Value, "").TrimEnd('.', ' ')
                    Project = owner |> Option.map Path.GetFullPath
                }
    ]

/// An error without a code, and of no project.
let uncoded (text: string) : BuildError =
    { Code = ""; Text = text; Project = None }

/// An error as part of a sentence.
let describe (trouble: BuildError) : string =
    if trouble.Code = "" then trouble.Text else $"{trouble.Code}: {trouble.Text}"
