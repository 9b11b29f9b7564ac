// A program of others that a test compares with, where the machine has it.
module Plait.Tests.Support.InstalledProgram

open System.ComponentModel
open System.Diagnostics
open Xunit

/// Its exit code and its output. If it is not installed, the test is skipped, and says how to install it.
let run
    (name: string)
    (arguments: string list)
    (install: string)
    (start: ProcessStartInfo -> Process | null)
    : int * string =
    let started =
        try
            ProcessStartInfo(name, arguments, RedirectStandardOutput = true) |> start |> Option.ofObj
        with :? Win32Exception ->
            None

    Assert.SkipWhen(
        started.IsNone,
        $"{name} is not installed, so there is nothing to compare with: {install}"
    )

    use child = Option.get started
    let said = Within.result $"what {name} says" (child.StandardOutput.ReadToEndAsync())
    child.WaitForExit()
    child.ExitCode, said
