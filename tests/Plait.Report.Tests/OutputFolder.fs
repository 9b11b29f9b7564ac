// The folder of a run, and the copy of its files in the place that stays.
module Plait.Report.Tests.OutputFolder

open System.IO
open Xunit

open Plait.Report

[<Fact>]
let ``each run replaces the copy of the one before`` () =
    let above = Directory.CreateTempSubdirectory "plait-output-"

    try
        let latest = Path.Combine(above.FullName, "latest")

        let run (name: string) (files: string list) =
            let path = Path.Combine(above.FullName, name)
            let folder = Folder.Create(path, Some latest)

            for file in files do
                File.WriteAllText(Path.Combine(path, file), name)

            folder.CopyToLatest()

        let copies () =
            Directory.GetFiles latest
            |> Array.sort
            |> Array.map (fun file -> Path.GetFileName file, File.ReadAllText file)

        run "first" [ "results.json"; "page.html" ]
        run "second" [ "results.json" ]
        Assert.Equal<(string | null) * string>([| "results.json", "second" |], copies ())
    finally
        above.Delete true
