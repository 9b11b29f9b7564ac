// Under test: what the doctor says of the programs of samples/sick, by the comments of their sources: verdict, kind of block,
// function, file and line of the first blame. One look at each, or as many as the variable PLAIT_DOCTOR_TRIES says.
module Plait.Doctor.Tests.Gallery

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open Xunit

open Plait.Doctor

let private tries =
    match Int32.TryParse(Environment.GetEnvironmentVariable "PLAIT_DOCTOR_TRIES") with
    | true, tries when tries > 0 -> tries
    | _ -> 1

/// Every program. Where several have the same verdict and kind of block, all but the first are for `make test-more`.
let names =
    let firsts =
        SickProgram.all.Value
        |> List.distinctBy (fun program -> program.Verdict, program.Blame |> Option.map _.Kind)

    [|
        for program in SickProgram.all.Value do
            let row = TheoryDataRow<string>(string (Path.GetFileName program.File))

            if not (List.contains program firsts) then
                row.Traits["run"] <- HashSet [ "more" ]

            row
    |]

[<Theory; MemberData(nameof names)>]
let ``the doctor's verdict and line are the expected ones of the program`` (file: string) =
    let program =
        SickProgram.all.Value |> List.find (fun program -> Path.GetFileName program.File = file)

    use running = RunningProgram.Start program

    let once () =
        SickProgram.examine running.Pid |> SickProgram.differences program

    // 19 of 20 looks must be right: where one is taken, it may be taken again
    let look () =
        SickProgram.lookUntil List.isEmpty (if tries = 1 then 2 else 1) once

    let wrong = [ for _ in 1..tries -> look () ] |> List.filter (not << List.isEmpty)

    let said = wrong |> List.concat |> String.concat "\n"
    Assert.True(wrong.IsEmpty, $"{wrong.Length} of {tries} looks were wrong:\n{said}")

/// The C# programs with .NET 8, built.
let private on8 =
    lazy
        (let project = Path.Combine(SickProgram.root, "samples", "sick", "csharp")

         let options =
             [ "-c"; "Release"; "-v"; "q"; "-nologo"; "-nodeReuse:false"; "-p:Runtime=8" ]

         let info =
             ProcessStartInfo("dotnet", [ "build"; project ] @ options, RedirectStandardOutput = true)

         use build = nonNull (Process.Start info)
         let said = build.StandardOutput.ReadToEnd()
         build.WaitForExit()
         Assert.SkipWhen(said.Contains "error NU110", "the packs of .NET 8 cannot be had")
         Assert.True((build.ExitCode = 0), said)
         SickProgram.allOn "8")

/// Programs of four verdicts; the stacks of the first two have much else than objects.
[<Theory; Trait("run", "more")>]
[<InlineData "BusyWindow">]
[<InlineData "HttpSend">]
[<InlineData "LockDeadlock">]
[<InlineData "LockConvoy">]
let ``the doctor reads a program that has .NET 8 with it`` (name: string) =
    let program = on8.Value |> List.find (fun program -> program.Name = name)
    use running = RunningProgram.Start program

    let look () =
        SickProgram.examine running.Pid |> SickProgram.differences program

    Assert.Empty(SickProgram.lookUntil List.isEmpty 2 look)

[<Fact; Trait("run", "more")>]
let ``threads that stand still for the garbage collector are not called blocked`` () =
    use running = RunningProgram.Start(SickProgram.find "Collecting")

    let blocked () =
        (SickProgram.examine running.Pid).BlockingLines
    // as above
    let blockingLines = SickProgram.lookUntil List.isEmpty 2 blocked
    Assert.Empty blockingLines

[<Fact>]
let ``a pool at its maximum is reported with the maximum`` () =
    use running = RunningProgram.Start(SickProgram.find "CappedPool")

    let isAtMost (diagnosis: Diagnosis) =
        diagnosis.Verdict = Verdict.Starved && diagnosis.Numbers.MaxThreads.IsSome

    // as above; on a busy machine its pool may still grow
    let diagnosis =
        SickProgram.lookUntil isAtMost 3 (fun () -> SickProgram.examine running.Pid)

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.Equal(Some 8, diagnosis.Numbers.MaxThreads)
    Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))

[<Fact>]
let ``the gallery has sick programs of both languages and of most kinds of block, and healthy ones beside them``
    ()
    =
    let all = SickProgram.all.Value
    let sick, well = all |> List.partition _.Blame.IsSome
    Assert.True(sick.Length >= 16, $"{sick.Length} sick programs")

    for ending in [ ".fs"; ".cs" ] do
        Assert.Contains(sick, (fun program -> program.File.EndsWith ending))

        Assert.Contains(
            well,
            (fun program -> program.File.EndsWith ending && program.Verdict = Verdict.Healthy)
        )

        Assert.Contains(
            well,
            (fun program -> program.File.EndsWith ending && program.Verdict = Verdict.CpuBound)
        )

    let kinds = sick |> List.choose _.Blame |> List.map _.Kind |> List.distinct

    // what the console's input and the resolver of names do depends on the machine; a server of its own would have a body to read
    let missing =
        [
            BlockKind.Sleep
            BlockKind.TaskWait
            BlockKind.RunSynchronously
            BlockKind.Lock
            BlockKind.MonitorWait
            BlockKind.Semaphore
            BlockKind.WaitHandle
            BlockKind.Mailbox
            BlockKind.Collection
            BlockKind.Join
            BlockKind.File
            BlockKind.Socket
            BlockKind.Http
            BlockKind.Process
            BlockKind.ConsoleOutput
            BlockKind.ParallelLoop
        ]
        |> List.except kinds

    Assert.Empty missing
