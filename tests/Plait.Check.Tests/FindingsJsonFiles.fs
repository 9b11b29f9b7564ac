// The JSON of a check.
module Plait.Check.Tests.FindingsJsonFiles

open System.IO
open System.Text.Json
open Xunit

open Plait.Common
open Plait.Check
open Plait.Check.Tests.MadeFindings

let private write (folder: Folder) code outcome =
    let text = FindingsJson.write folder.Path code outcome
    Assert.EndsWith("}\n", text)
    text, JsonSerializer.Deserialize<CheckJson>(text, UnionJson.options [] true false) |> nonNull

[<Fact>]
let ``the JSON reads back, and has a version, the exit code, the coverage and the notes`` () =
    use folder = new Folder()

    let text, json =
        write folder 2 { nothing with Notes = [ "A is not restored" ]; Gone = 2 }

    Assert.Contains("\"schema\": \"plait-check/1\"", text)
    Assert.Equal(2, json.ExitCode)
    Assert.Equal(nothing.Coverage, json.Coverage)
    Assert.Equal<string list>([ "A is not restored" ], json.Notes)
    Assert.Equal(2, json.Gone)
    Assert.Equal(1500.0, json.Milliseconds)
    Assert.Equal<RuleInfo list>(nothing.Rules, json.Rules)

[<Fact>]
let ``findings have their place, way and fix, with paths relative to the root`` () =
    use folder = new Folder()
    let file = folder.Write(Path.Combine("src", "A.fs"), "module A", "let a = b")

    let full =
        { finding "PLT101" file 2 with
            Path = [ { Location = place file 1 1 7; Says = "from here" } ]
            Fix = Some { Says = "do it"; Edits = [ { Location = place file 2 1 1; Text = "x" } ] }
        }

    let text, json =
        write
            folder
            1
            { nothing with
                Findings = [ full ]
                Suppressed = [ finding "PLT201" file 2, "a reason" ]
                Known = [ finding "PLT403" "/elsewhere/B.fs" 3 ]
                Hidden = [ finding "PLT403" file 2 ]
                Fixes = [ Applied full; NotApplied(full, "it does not type-check") ]
            }

    let one = Assert.Single json.Findings
    Assert.Equal("src/A.fs", one.Place.File)
    Assert.Equal((2, 5, 2, 9), (one.Place.Line, one.Place.Column, one.Place.EndLine, one.Place.EndColumn))
    Assert.Equal("from here", (Assert.Single one.Path).Says)
    Assert.Equal("x", (Assert.Single one.Fix.Value.Edits).Text)
    Assert.Contains("\"severity\": \"warning\"", text)
    Assert.Equal(Some "a reason", (Assert.Single json.Suppressed).Reason)
    Assert.Equal("/elsewhere/B.fs", (Assert.Single json.Known).Place.File)
    Assert.Equal((1, 1), (json.Hidden, json.Fixed))
    Assert.Equal("it does not type-check", (Assert.Single json.NotFixed).Why)
