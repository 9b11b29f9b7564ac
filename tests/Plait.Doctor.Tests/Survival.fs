// Under test: the process that is looked at survives it when the doctor is killed in the middle, wherever that is. The tool runs
// as a process of its own.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>); Xunit.Trait("run", "more")>]
module Plait.Doctor.Tests.Survival

open System
open System.Diagnostics
open System.IO
open System.Threading
open Xunit

open Plait.Tests.Support

let private doctor (pid: int) (options: string list) : Process =
    if not (File.Exists SickProgram.tool) then
        Assert.Fail $"{SickProgram.tool} is missing: build it first, with 'make build'."

    let info =
        ProcessStartInfo(
            "dotnet",
            [ SickProgram.tool; "doctor"; string pid ] @ options,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    let child = nonNull (Process.Start info)
    // nobody reads what it says, and it must not wait for that
    child.OutputDataReceived.Add ignore
    child.ErrorDataReceived.Add ignore
    child.BeginOutputReadLine()
    child.BeginErrorReadLine()
    child

/// How a whole look ends, and how long it takes.
let private whole (pid: int) (options: string list) : int * TimeSpan =
    let clock = Stopwatch.StartNew()
    use child = doctor pid options

    if not (child.WaitForExit Within.limit) then
        child.Kill()
        Assert.Fail $"plait doctor did not end within {Within.limit.TotalMinutes} minutes."

    child.ExitCode, clock.Elapsed

/// What the kernel says of a process, by the name of the line.
let private status (pid: int) (name: string) : string =
    File.ReadAllLines $"/proc/{pid}/status"
    |> Array.find _.StartsWith(name + ":")
    |> _.Substring(name.Length + 1).Trim()

/// It runs on: nobody holds it, and its pool completes work.
let private goesOn (running: RunningProgram) : unit =
    Assert.False running.HasEnded
    // the kernel lets it go as soon as it has buried who held it
    Within.comes "the process is held by nobody" (fun () ->
        status running.Pid "TracerPid" = "0" && not ((status running.Pid "State").StartsWith "T"))

    let before = running.Completed
    Within.comes "its pool completes work" (fun () -> running.Completed > before)

let private killed (times: int) (options: string list) : unit =
    let program = SickProgram.find "SleepInAsync"
    use running = RunningProgram.Start program
    let code, time = whole running.Pid options
    // exit code 1: starved
    Assert.Equal(1, code)

    for i in 1..times do
        use child = doctor running.Pid options
        // from its start to its end, a little later every time
        Thread.Sleep(time * (float i / float (times + 1)))
        child.Kill()
        child.WaitForExit()
        goesOn running

    Assert.Equal(1, fst (whole running.Pid options))
    Assert.Empty(SickProgram.examine running.Pid |> SickProgram.differences program)

[<Fact>]
let ``a process goes on and can be looked at again when the doctor was killed in the middle, ten times`` () =
    killed 10 []

[<Fact>]
let ``a process that is stopped for the look goes on when the doctor was killed in the middle`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    killed 5 [ "--ptrace" ]
