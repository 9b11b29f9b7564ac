// Under test: the doctor on programs that run on .NET 11, by both ways into a process: functions as people wrote them and their lines,
// also where the runtime itself suspends them; and the programs of .NET 10 there.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>)>]
module Plait.RuntimeAsync.Doctor.Tests.OnDotnet11

open System
open System.IO
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests

let private files (programs: Lazy<SickProgram list>) : TheoryData<string> =
    TheoryData<string>([ for program in programs.Value -> string (Path.GetFileName program.File) ])

let released = files Dotnet11.released
let debugged = files Dotnet11.debugged
let older = files Dotnet11.older

let private find (programs: Lazy<SickProgram list>) (file: string) =
    programs.Value |> List.find (fun program -> Path.GetFileName program.File = file)

/// As a debugger looks.
let private byPtrace (pid: int) : Diagnosis =
    Look.at { Look.usual with Ptrace = Some PtraceRoute.usualLimit } pid |> Judging.judge

/// 19 of 20 looks must be right: one that is not is taken again.
let private agreesWith
    (variables: (string * string) list)
    (program: SickProgram)
    (examine: int -> Diagnosis)
    =
    use running = Dotnet11.start program variables

    let look () =
        let diagnosis = examine running.Pid
        Assert.StartsWith("11.", Option.get diagnosis.Evidence.Process.Runtime)
        SickProgram.differences program diagnosis

    let said = SickProgram.lookUntil List.isEmpty 2 look
    Assert.True(said.IsEmpty, String.concat "\n" said)

let private agrees = agreesWith []

[<Theory; MemberData(nameof released)>]
let ``runtime-async functions have the names of the source, through the port`` (file: string) =
    agrees (find Dotnet11.released file) SickProgram.examine

[<Theory; MemberData(nameof released)>]
let ``runtime-async functions have the names of the source, by ptrace`` (file: string) =
    agrees (find Dotnet11.released file) byPtrace

[<Theory; MemberData(nameof released)>]
let ``runtime-async functions have the names of the source when the JIT has optimised everything``
    (file: string)
    =
    agreesWith
        [ "DOTNET_TieredCompilation", "0"; "DOTNET_ReadyToRun", "0" ]
        (find Dotnet11.released file)
        SickProgram.examine

[<Theory; MemberData(nameof debugged)>]
let ``a Debug build of F# has the lines, by both ways`` (file: string) =
    let program = find Dotnet11.debugged file
    agrees program SickProgram.examine
    agrees program byPtrace

[<Fact>]
let ``a note has the reason for functions without lines, and no name has a mark of the runtime`` () =
    let program = find Dotnet11.released "RuntimeBare.fs"
    use running = Dotnet11.start program []

    for examine in [ SickProgram.examine; byPtrace ] do
        let diagnosis = examine running.Pid

        Assert.Contains(
            diagnosis.Evidence.Notes,
            fun note -> note.StartsWith "sick-fsharp11.dll: " && note.Contains "without a line"
        )

        let blockingLine = diagnosis.BlockingLines.Head
        Assert.Equal(None, blockingLine.Place)
        // the callers of what was resumed are not on the stack
        Assert.Equal<(string * (string * int) option) list>([ "Refunds.refund", None ], blockingLine.Stack)

[<Fact>]
let ``a worker that occupies the scheduler in which a runtime-async method must go on is hung`` () =
    for examine in [ SickProgram.examine; byPtrace ] do
        agrees (Dotnet11.compiledAnew "SchedulerDeadlock") examine

[<Theory; MemberData(nameof older)>]
let ``programs of .NET 10 are judged on .NET 11 as on .NET 10`` (file: string) =
    agrees (find Dotnet11.older file) SickProgram.examine
