// Under test: the public surface, which changes only together with the committed list of it.
module Plait.Repository.Tests.Surface

open Xunit

[<Theory; InlineData "net10.0"; InlineData "net8.0">]
let ``the public surface is the committed one`` (framework: string) =
    Baseline.check
        (Repository.library framework)
        (Repository.path [ "tests"; "Plait.Repository.Tests"; $"Surface.{framework}.txt" ])

[<Fact>]
let ``the surface has what users write, and nothing internal`` () =
    let surface = PublicSurface.lines (Repository.library "net10.0")

    Assert.Contains("Plait.StrandBuilders.static strand: Plait.StrandBuilder with get", surface)
    Assert.Contains("Plait.Strand<'T>.AsTask(): Task<'T>", surface)
    Assert.DoesNotContain(surface, (fun line -> line.Contains "DynamicInfo<"))
