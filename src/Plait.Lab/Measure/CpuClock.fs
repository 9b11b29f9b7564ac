// CPU time of any process from outside. On Linux each process has a clock that anybody may read, exact to the
// nanosecond; elsewhere the platform's own figure is used, which may step by 10 ms or more.
module Plait.Lab.CpuClock

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices

[<Struct; StructLayout(LayoutKind.Sequential)>]
type private Time =
    val mutable Seconds: nativeint
    val mutable Nanoseconds: nativeint

[<DllImport("libc", SetLastError = true)>]
extern int private clock_gettime(int clock, Time& time)

// As clock_getcpuclockid makes it: the process id inverted, and 2 for "by the scheduler's own count".
let private clockOf (pid: int) = (~~~pid <<< 3) ||| 2

/// CPU microseconds, user and system, that process `pid` has used; None when there is no such process.
let microseconds (pid: int) : float option =
    if OperatingSystem.IsLinux() then
        let mutable time = Time()

        if clock_gettime (clockOf pid, &time) = 0 then
            Some(1e6 * float time.Seconds + float time.Nanoseconds / 1000.0)
        else
            None
    else
        try
            use child = Process.GetProcessById pid
            Some child.TotalProcessorTime.TotalMicroseconds
        with
        | :? ArgumentException
        | :? InvalidOperationException -> None

/// The parent in the text of /proc/PID/stat, whose second field is a name that may hold anything.
let parseParent (stat: string) : int option =
    match stat.LastIndexOf ')' with
    | -1 -> None
    | close ->
        match stat.Substring(close + 1).Split(' ', StringSplitOptions.RemoveEmptyEntries) with
        | fields when fields.Length >= 2 ->
            match Int32.TryParse fields[1] with
            | true, parent -> Some parent
            | _ -> None
        | _ -> None

let private parents () : (int * int) list =
    [
        for folder in Directory.GetDirectories "/proc" do
            match Int32.TryParse(Path.GetFileName folder) with
            | true, pid ->
                let stat =
                    try
                        File.ReadAllText $"/proc/{pid}/stat"
                    with
                    | :? IOException
                    | :? UnauthorizedAccessException -> ""

                match parseParent stat with
                | Some parent -> pid, parent
                | None -> ()
            | _ -> ()
    ]

/// The process and its descendants. If the platform does not list them: the process itself.
let family (pid: int) : int list =
    if not (OperatingSystem.IsLinux()) then
        [ pid ]
    else
        let children = parents () |> List.groupBy snd |> Map.ofList
        let seen = HashSet<int>()

        let rec below pid =
            [
                if seen.Add pid then
                    pid

                    for child, _ in Map.tryFind pid children |> Option.defaultValue [] do
                        yield! below child
            ]

        below pid
