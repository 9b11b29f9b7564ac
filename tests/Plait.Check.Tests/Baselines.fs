// Baselines: what they recognise, what they call gone, and what a broken one says.
module Plait.Check.Tests.Baselines

open System.IO
open Xunit

open Plait.Common
open Plait.Check
open Plait.Check.Tests.MadeFindings

let private ran = [ "PLT101"; "PLT201" ]

/// A baseline of these findings, written to a file and read again.
let private written (file: string) old files findings =
    Directory.CreateDirectory(string (Path.GetDirectoryName file)) |> ignore
    File.WriteAllText(file, Baseline.write (Sources()) file old ran files findings)
    Baseline.read file

[<Fact>]
let ``findings of a baseline are recognised after their lines moved, and new ones are reported`` () =
    use folder = new Folder()
    let source = folder.Write("src/A.fs", "module A", "let a = b", "let c = d")
    let file = folder.File "known/baseline.json"
    let baseline = written file None [ source ] [ finding "PLT101" source 2 ]
    Assert.Equal("../src/A.fs", baseline.Findings.Head.File)

    folder.Write("src/A.fs", "module A", "", "", "    let a = b", "let c = d") |> ignore
    let moved = finding "PLT101" source 4
    let fresh = finding "PLT101" source 5
    let otherRule = finding "PLT201" source 4

    let shown, known, gone =
        Baseline.split (Sources()) file baseline ran [ source ] [ moved; fresh; otherRule ]

    Assert.Equal<Finding list>([ fresh; otherRule ], shown)
    Assert.Equal<Finding list>([ moved ], known)
    Assert.Equal(0, gone)

[<Fact>]
let ``a baseline accepts as many findings on equal lines as were written`` () =
    use folder = new Folder()
    let source = folder.Write("A.fs", "module A", "let a = b", "let a = b", "let a = b")
    let file = folder.File "baseline.json"
    let findings = [ for line in 2..4 -> finding "PLT101" source line ]
    let baseline = written file None [ source ] (List.take 2 findings)

    let shown, known, gone =
        Baseline.split (Sources()) file baseline ran [ source ] findings

    Assert.Equal<Finding list>([ findings[2] ], shown)
    Assert.Equal(2, known.Length)
    Assert.Equal(0, gone)

    let _, _, gone =
        Baseline.split (Sources()) file baseline ran [ source ] [ findings[0] ]

    Assert.Equal(1, gone)

[<Fact>]
let ``findings of rules that were not run are kept when the baseline is written again`` () =
    use folder = new Folder()
    let first = folder.Write("A.fs", "module A", "let a = b")
    let second = folder.Write("B.fs", "module B", "let a = b")
    let file = folder.File "baseline.json"

    let baseline =
        written
            file
            None
            [ first; second ]
            [ finding "PLT101" first 2; finding "PLT201" first 2; finding "PLT101" second 2 ]

    // Only the first file, and only one rule.
    let split files rules =
        let _, _, gone = Baseline.split (Sources()) file baseline rules files []
        gone

    Assert.Equal(1, split [ first ] [ "PLT101" ])
    Assert.Equal(3, split [ first; second ] ran)

    let again = written file (Some baseline) [ first ] []
    Assert.Equal<string list>([ "B.fs" ], again.Findings |> List.map _.File)
    File.Delete second
    Assert.Equal(2, split [ first ] [ "PLT101" ])

[<Fact>]
let ``findings in any order are written as the same text`` () =
    use folder = new Folder()
    let source = folder.Write("A.fs", "module A", "let a = b", "let c = d")
    let file = folder.File "baseline.json"

    let findings =
        [ finding "PLT201" source 3; finding "PLT101" source 2; finding "PLT101" source 3 ]

    let text findings =
        Baseline.write (Sources()) file None ran [ source ] findings

    Assert.Equal(text findings, text (List.rev findings))

[<Theory>]
[<InlineData("{", "baseline.json")>]
[<InlineData("null", "null")>]
[<InlineData("[]", "baseline.json")>]
[<InlineData("""{ "schema": "plait-check-baseline/9", "findings": [] }""", "plait-check-baseline/9")>]
[<InlineData("""{ "schema": "plait-check-baseline/1" }""", "findings")>]
[<InlineData("""{ "schema": "plait-check-baseline/1", "findings": [ { "rule": "PLT101" } ] }""", "findings[0]")>]
[<InlineData("""{ "schema": "plait-check-baseline/1", "findings": 7 }""", "findings")>]
let ``a broken baseline is refused with the place and a remedy`` (content: string) (word: string) =
    use folder = new Folder()
    let file = folder.Write("baseline.json", content)
    let trouble = Assert.Throws<BadInput>(fun () -> Baseline.read file |> ignore)
    Assert.Contains(word, trouble.Message)
    Assert.Contains("--write-baseline", trouble.Message)

[<Fact>]
let ``a missing baseline is refused`` () =
    use folder = new Folder()

    let trouble =
        Assert.Throws<BadInput>(fun () -> Baseline.read (folder.File "none.json") |> ignore)

    Assert.Contains("none.json", trouble.Message)
