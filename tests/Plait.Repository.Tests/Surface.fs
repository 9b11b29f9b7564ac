// Under test: the public surface, which changes only together with the committed list of it.
module Plait.Repository.Tests.Surface

open Xunit

[<Theory>]
[<InlineData("Plait", "net10.0", "Surface.net10.0.txt")>]
[<InlineData("Plait", "net8.0", "Surface.net8.0.txt", Traits = [| "run"; "more" |])>]
[<InlineData("Plait.ThreadPool", "net10.0", "Surface.ThreadPool.net10.0.txt")>]
[<InlineData("Plait.ThreadPool", "net8.0", "Surface.ThreadPool.net8.0.txt", Traits = [| "run"; "more" |])>]
let ``the public surface is the committed one`` (package: string, framework: string, baseline: string) =
    Baseline.check
        (Repository.built package framework)
        (Repository.path [ "tests"; "Plait.Repository.Tests"; baseline ])

[<Fact>]
let ``the public surface has no internal type`` () =
    let surface = PublicSurface.lines (Repository.library "net10.0")

    Assert.Contains("Plait.StrandBuilders.static strand: Plait.StrandBuilder with get", surface)
    Assert.Contains("Plait.Strand<'T>.AsTask(): Task<'T>", surface)
    Assert.DoesNotContain(surface, (fun line -> line.Contains "DynamicInfo<"))

[<Fact>]
let ``the surface has the properties whose accessors the compiler writes`` () =
    Assert.Contains(
        "Plait.BlockingPoolSettings.MaxThreads: int with get, set",
        PublicSurface.lines (Repository.built "Plait.ThreadPool" "net10.0")
    )
