// Under test: the public surface, which changes only together with the committed list of it.
module Plait.Repository.Tests.Surface

open System
open System.IO
open Xunit

let private renewed = Environment.GetEnvironmentVariable "PLAIT_WRITE_SURFACE" = "1"

/// What is in one list more often than in the other: overloads may share a line.
let private missing (from: string list) (lines: string list) =
    let counts = Seq.countBy id from |> dict

    [
        for line, count in List.countBy id lines do
            let known =
                match counts.TryGetValue line with
                | true, known -> known
                | _ -> 0

            for _ in known + 1 .. count do
                line
    ]

[<Theory; InlineData "net10.0"; InlineData "net8.0">]
let ``the public surface is the committed one`` (framework: string) =
    let surface = PublicSurface.lines (Repository.library framework)

    let baseline =
        Repository.path [ "tests"; "Plait.Repository.Tests"; $"Surface.{framework}.txt" ]

    if renewed then
        File.WriteAllText(baseline, String.Join("\n", surface) + "\n")

    let known =
        if File.Exists baseline then List.ofArray (File.ReadAllLines baseline) else []

    Repository.none
        ($"The public surface differs from {Repository.shown baseline}. If that is meant, build the library, run these "
         + "tests once with PLAIT_WRITE_SURFACE=1 and commit the file.")
        [
            for line in missing surface known -> "- " + line
            for line in missing known surface -> "+ " + line
        ]

[<Fact>]
let ``the surface has what users write, and nothing internal`` () =
    let surface = PublicSurface.lines (Repository.library "net10.0")

    Assert.Contains("Plait.StrandBuilders.static strand: Plait.StrandBuilder with get", surface)
    Assert.Contains("Plait.Strand<'T>.AsTask(): Task<'T>", surface)
    Assert.DoesNotContain(surface, (fun line -> line.Contains "DynamicInfo<"))
