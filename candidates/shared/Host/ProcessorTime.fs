// Layer: host. The CPU time of this process, user and system, on every runtime that candidates are built for.
module Plait.Lab.Host.ProcessorTime

open System

#if NET9_0_OR_GREATER

/// Microseconds since the process started.
let microseconds () : float =
    Environment.CpuUsage.TotalTime.TotalMicroseconds

#else

open System.Diagnostics
open System.Runtime.InteropServices

[<Struct; StructLayout(LayoutKind.Sequential)>]
type private Timespec =
    val Seconds: nativeint
    val Nanoseconds: nativeint

[<DllImport "libc">]
extern int private clock_gettime(int clock, Timespec& time)

// CLOCK_PROCESS_CPUTIME_ID of Linux. The clock of .NET 8 there counts in hundredths of a second.
let private processClock = 2

/// Microseconds since the process started.
let microseconds () : float =
    if OperatingSystem.IsLinux() then
        let mutable time = Timespec()
        clock_gettime (processClock, &time) |> ignore
        float time.Seconds * 1e6 + float time.Nanoseconds / 1e3
    else
        use own = Process.GetCurrentProcess()
        own.TotalProcessorTime.TotalMicroseconds

#endif
