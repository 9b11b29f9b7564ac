// Under test: how long a thread has not run. The processors of a virtual machine have clocks that are seconds apart.
module Plait.Doctor.Tests.StandingThreads

open System
open System.Diagnostics
open System.Threading
open Xunit

open Plait.Doctor

/// A process that sleeps on one processor; None: this process may not use that processor.
let private sleepsOn (processor: int) : Process option =
    let start =
        ProcessStartInfo("taskset", [ "-c"; string processor; "sleep"; "600" ], RedirectStandardError = true)

    let child = nonNull (Process.Start start)

    let sleeps () =
        child.HasExited
        || ProcFiles.call child.Id child.Id |> Option.exists (fun call -> call <> "running")

    Assert.True(SpinWait.SpinUntil(sleeps, TimeSpan.FromMinutes 1.0), "a process did not begin to sleep")

    if child.HasExited then
        child.Dispose()
        None
    else
        Some child

[<Fact>]
let ``on no processor has a thread stood for longer than its process has run`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "the times of threads are read on Linux only")
    let clock = Stopwatch.StartNew()
    let children = [ 0 .. Environment.ProcessorCount - 1 ] |> List.choose sleepsOn

    try
        Assert.NotEmpty children

        // read from one processor after another
        for _ in 1..20 do
            for child in children do
                let seconds = StandingTimes.ofThreads child.Id [ child.Id ] |> Map.tryFind child.Id

                match seconds with
                | None -> Assert.Fail $"the time of {child.Id} was not read"
                | Some seconds ->
                    let longest = clock.Elapsed.TotalSeconds + 0.1
                    Assert.True(seconds <= longest, $"{seconds} s, after {longest} s")

            Thread.Sleep 10
    finally
        for child in children do
            child.Kill()
            child.WaitForExit()
            child.Dispose()
