// The machine and its load during a run: the facts that a reader needs to judge the figures.
module Plait.Lab.Machine

open System
open System.Collections
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices

/// CPU ticks of the whole machine, or of one core, since it started.
type Ticks =
    {
        /// All ticks.
        Total: int64
        /// Ticks with nothing to do.
        Idle: int64
        /// Ticks that the hypervisor gave to other machines.
        Steal: int64
    }

let private ticksIn (name: string) (line: string) : Ticks option =
    match line.Split(' ', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray with
    | first :: numbers when first = name && numbers.Length >= 8 ->
        let values = numbers |> List.map Int64.TryParse
        // The two behind the eighth are guest time, which user time includes already.
        if values |> List.forall fst then
            let values = values |> List.map snd

            Some
                {
                    Total = values |> List.take 8 |> List.sum
                    // Waiting for a disk is idle as well.
                    Idle = values[3] + values[4]
                    Steal = values[7]
                }
        else
            None
    | _ -> None

/// The ticks from the text of /proc/stat; None when its first line is not as expected.
let parseTicks (stat: string) : Ticks option =
    stat.Split('\n', 2) |> Array.head |> ticksIn "cpu"

/// The ticks of one core from the text of /proc/stat; None when there is no such core.
let parseCoreTicks (core: int) (stat: string) : Ticks option =
    stat.Split '\n' |> Array.tryPick (ticksIn $"cpu{core}")

let private readIfThere (path: string) =
    try
        if File.Exists path then Some(File.ReadAllText path) else None
    with
    | :? IOException
    | :? UnauthorizedAccessException -> None

/// The ticks now; None where the platform does not report it.
let ticks () : Ticks option =
    readIfThere "/proc/stat" |> Option.bind parseTicks

/// The ticks of `core` now, or of the whole machine where that is None; None where the platform does not report it.
let ticksOf (core: int option) : Ticks option =
    match core with
    | None -> ticks ()
    | Some core -> readIfThere "/proc/stat" |> Option.bind (parseCoreTicks core)

/// The ticks of each of `cores` at one moment; None for cores that the platform does not list.
let ticksOfEach (cores: int list) : Ticks option list =
    let stat = readIfThere "/proc/stat"

    cores |> List.map (fun core -> stat |> Option.bind (parseCoreTicks core))

/// The share of time between two readings that the hypervisor gave to others, in percent.
let stealPercent (before: Ticks option) (after: Ticks option) : float option =
    match before, after with
    | Some before, Some after when after.Total > before.Total ->
        Some(100.0 * float (after.Steal - before.Steal) / float (after.Total - before.Total))
    | _ -> None

/// Whether the hypervisor took more of the time between two readings than `limit`, a share.
let isStolen (limit: float) (before: Ticks option) (after: Ticks option) : bool =
    match stealPercent before after with
    | Some percent -> percent > 100.0 * limit
    | None -> false

/// How many cores were busy between two readings of each of them; None when one does not report it.
let busyCores (before: Ticks option list) (after: Ticks option list) : float option =
    let busy (before: Ticks option) (after: Ticks option) =
        match before, after with
        | Some before, Some after when after.Total > before.Total ->
            Some(1.0 - float (after.Idle - before.Idle) / float (after.Total - before.Total))
        | _ -> None

    let shares = List.map2 busy before after

    if shares.IsEmpty || List.exists Option.isNone shares then
        None
    else
        Some(List.sumBy Option.get shares)

/// The name of the processor; None where the platform does not report it.
let cpu () : string option =
    readIfThere "/proc/cpuinfo"
    |> Option.bind (fun text ->
        text.Split '\n'
        |> Array.tryFind (fun line -> line.StartsWith("model name", StringComparison.Ordinal))
        |> Option.map (fun line -> line.Substring(line.IndexOf ':' + 1).Trim()))

/// The kernel's release; None where the platform does not report it.
let kernel () : string option =
    readIfThere "/proc/sys/kernel/osrelease" |> Option.map _.Trim()

/// The first line that a command prints; None when it cannot be run, fails, or takes longer than five seconds.
let firstLine (folder: string) (file: string) (arguments: string list) : string option =
    try
        let info =
            ProcessStartInfo(
                file,
                arguments,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false,
                WorkingDirectory = folder
            )

        use child = nonNull (Process.Start info)
        child.BeginErrorReadLine()
        let reading = child.StandardOutput.ReadToEndAsync()

        if reading.Wait 5000 && child.WaitForExit 1000 && child.ExitCode = 0 then
            Some(reading.Result.Trim().Split '\n' |> Array.head |> _.Trim())
        else
            if not child.HasExited then
                child.Kill true

            None
    with
    | :? ComponentModel.Win32Exception
    | :? IOException
    | :? AggregateException -> None

/// The variables that tune the runtime (DOTNET_..., COMPlus_...), which children inherit. Those that only say where
/// an SDK is, or that quiet it, are left out.
let runtimeVariables () : Map<string, string> =
    let quiet =
        set
            [
                "DOTNET_ROOT"
                "DOTNET_HOST_PATH"
                "DOTNET_NOLOGO"
                "DOTNET_SKIP_FIRST_TIME_EXPERIENCE"
                "DOTNET_GENERATE_ASPNET_CERTIFICATE"
                "DOTNET_ADD_GLOBAL_TOOLS_TO_PATH"
                "DOTNET_HOST_TFM"
                "DOTNET_MULTILEVEL_LOOKUP"
            ]

    Environment.GetEnvironmentVariables()
    |> Seq.cast<DictionaryEntry>
    |> Seq.map (fun entry -> string entry.Key, string entry.Value)
    |> Seq.filter (fun (name, _) ->
        (name.StartsWith("DOTNET_", StringComparison.Ordinal)
         || name.StartsWith("COMPlus_", StringComparison.Ordinal))
        && not (name.StartsWith("DOTNET_CLI_", StringComparison.Ordinal) || quiet.Contains name))
    |> Map.ofSeq

/// The short hash of the commit that `folder` is at, and whether files differ from it; None outside a repository.
let git (folder: string) : (string * bool) option =
    firstLine folder "git" [ "rev-parse"; "--short"; "HEAD" ]
    |> Option.map (fun hash ->
        let changed = firstLine folder "git" [ "status"; "--porcelain" ]
        hash, changed |> Option.exists (fun line -> line <> ""))

/// The SDK that `folder` selects; None without one.
let sdk (folder: string) : string option =
    firstLine folder "dotnet" [ "--version" ]

/// The operating system in words.
let os () : string = RuntimeInformation.OSDescription

/// The architecture of the processes: X64, Arm64.
let architecture () : string =
    string RuntimeInformation.ProcessArchitecture
