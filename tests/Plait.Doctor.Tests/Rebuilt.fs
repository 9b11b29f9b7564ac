// Under test: a program whose assemblies on disk are not those that it runs: replaced while it runs, as a build does, so that the
// lines of the new ones would be wrong; or gone.
module Plait.Doctor.Tests.Rebuilt

open System
open System.IO
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.Targets

/// Puts an assembly and its symbols in the place of those that lie there, as another build: with another mark in both. What is
/// mapped into processes stays as it is.
let private rebuild (file: string) =
    let image = File.ReadAllBytes file
    // before the mark in the assembly
    let at = ReadOnlySpan(image).IndexOf(ReadOnlySpan "RSDS"B) + 4
    let mark = image[at .. at + 15]
    let other = Guid.NewGuid().ToByteArray()

    for file in [ file; file.Replace(".dll", ".pdb") ] do
        let bytes = File.ReadAllBytes file
        let at = ReadOnlySpan(bytes).IndexOf(ReadOnlySpan mark)
        Assert.True(at >= 0, $"{file} has no mark")
        other.CopyTo(bytes, at)
        File.Delete file
        File.WriteAllBytes(file, bytes)

/// A program of a copy of the F# gallery under way.
let private copied (files: TemporaryFiles) (name: string) : Target =
    let copy = files.File "sick-fsharp.dll"

    for file in Directory.GetFiles(string (Path.GetDirectoryName gallery)) do
        File.Copy(file, files.File(string (Path.GetFileName file)))

    let target = new Target(Apart.command [ "dotnet"; copy; name ], [])

    target.Line "ready" |> ignore
    target

let private says (route: string) (look: int -> Evidence) =
    use files = new TemporaryFiles()
    use target = copied files "SleepInAsync"
    rebuild (files.File "sick-fsharp.dll")
    let diagnosis = Judging.judge (look target.Pid)

    match diagnosis.BlockingLines with
    | blockingLine :: _ ->
        Assert.Equal("Orders.work", blockingLine.Function)
        Assert.Equal(None, blockingLine.Place)
        Assert.All(blockingLine.Stack, fun (_, place) -> Assert.Equal(None, place))
    | [] -> Assert.Fail $"{route}: nothing is blamed: {diagnosis.Why}"

    let note =
        diagnosis.Evidence.Notes |> List.filter _.Contains("another build") |> List.exactlyOne

    Assert.StartsWith("sick-fsharp.dll", note)

[<Fact>]
let ``through the port its functions have no lines, and a note has the reason`` () =
    says "port" (Look.at Look.usual)

[<Fact>]
let ``by ptrace its functions have no lines, and a note has the reason`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    says "ptrace" (Processes.facts >> PtraceRoute.look PtraceRoute.usualLimit)

[<Fact>]
let ``by ptrace its functions have the same names if no assembly is on disk, as in a single file`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    use files = new TemporaryFiles()
    use target = copied files "SleepInAsync"

    let names () =
        (PtraceRoute.look PtraceRoute.usualLimit (Processes.facts target.Pid)).Samples
        |> List.filter (fun sample -> WorkerStack.isWorker sample.Frames)
        |> List.collect (fun sample -> sample.Frames |> List.map _.Method)
        |> set

    let before = names ()

    for file in Directory.GetFiles(files.Path, "*.dll") do
        File.Delete file

    let after = names ()
    Assert.Contains(after, fun (name: string) -> name.StartsWith "Sick.Orders+work@")
    // which ones there are depends on the moment, how they are written does not
    let written = Set.intersect before after
    Assert.Contains(written, fun (name: string) -> name.StartsWith "Microsoft.FSharp.Control.")
    Assert.DoesNotContain(after, fun (name: string) -> name.Contains '[' || name.Contains "<System")
