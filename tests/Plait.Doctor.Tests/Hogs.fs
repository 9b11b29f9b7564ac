// Under test: the doctor on a machine whose cores others take. The look may take longer, and its result is the same.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>)>]
module Plait.Doctor.Tests.Hogs

open System
open System.Diagnostics
open Xunit

/// A process that does nothing but take a core, for two minutes of its time at most.
type private Hog() =
    let child =
        nonNull (Process.Start(ProcessStartInfo("sh", [ "-c"; "ulimit -t 120; while :; do :; done" ])))

    interface IDisposable with
        member _.Dispose() =
            child.Kill()
            child.WaitForExit()
            child.Dispose()

[<Fact>]
let ``a thousand sleeps are blamed on their line with four processes beside them that take all processor time``
    ()
    =
    let program = SickProgram.find "SleepInAsync"
    use running = RunningProgram.Start program
    let hogs = [ for _ in 1..4 -> new Hog() ]

    try
        let wrong =
            [ for _ in 1..3 -> SickProgram.examine running.Pid |> SickProgram.differences program ]
            |> List.filter (not << List.isEmpty)

        // 19 of 20 looks must be right
        let said = wrong |> List.concat |> String.concat "\n"
        Assert.True(wrong.Length <= 1, $"{wrong.Length} of 3 looks were wrong:\n{said}")
    finally
        for hog in hogs do
            (hog :> IDisposable).Dispose()
