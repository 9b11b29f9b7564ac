// candidate.json as the lab reads it, and the folder that candidates lie in.
module Plait.Lab.Tests.Descriptions

open System
open System.IO
open Xunit

open Plait.Common
open Plait.Report

open Plait.Lab
open Plait.Tests.Support

let private refused (content: string) : string =
    let trouble =
        Assert.Throws<BadInput>(Action(fun () -> Candidate.parse "/c/x/candidate.json" content |> ignore))

    Assert.StartsWith("/c/x/candidate.json", trouble.Message)
    trouble.Message

[<Fact>]
let ``a description is read with its defaults`` () =
    let found =
        Candidate.parse "/c/x/candidate.json" """{"name":"x","family":"plait","order":3}"""

    Assert.Equal("x", found.Label)
    Assert.Equal(None, found.Library)
    Assert.Empty found.Factors
    Assert.Equal("/c/x/x.dll", found.Assembly)
    Assert.Equal<string list>([], found.Arguments)

[<Fact>]
let ``a description is read with all of its keys`` () =
    let found =
        Candidate.parse
            "/c/x/candidate.json"
            """{"name":"x","label":"X { }","family":"plait","library":"Plait","order":3,"syncFn":true,
                "assembly":"y.dll","arguments":["--a","b c"],"description":"It is.",
                "published":[{"source":"S","percentOfSync":91.5,"note":"N","syncFn":true},{"source":"T","percentOfSync":1}]}"""

    Assert.Equal("X { }", found.Label)
    Assert.Equal(Some "Plait", found.Library)
    Assert.Equal<(string * string) list>([ "calls", "sync-fn" ], found.Factors)
    Assert.Equal("/c/x/y.dll", found.Assembly)
    Assert.Equal<string list>([ "--a"; "b c" ], found.Arguments)

    Assert.Equal<PublishedFigure list>(
        [
            { Source = "S"; PercentOfSync = 91.5; Note = Some "N"; Factors = [ Candidate.syncFn ] }
            { Source = "T"; PercentOfSync = 1.0; Note = None; Factors = [] }
        ],
        found.Published
    )

/// What is wrong, and a word of the sentence about it.
let private wrong =
    [
        "", "is not JSON"
        "{", "is not JSON"
        "[]", "expected an object"
        "{}", "name: expected a text, found nothing"
        """{"name":1,"family":"plait","order":1}""", "name: expected a text"
        """{"name":"x","order":1}""", "family: expected a word, found nothing"
        """{"name":"x","family":"plaid","order":1}""", "family: expected one of"
        """{"name":"x","family":"plait"}""", "order: expected a number, found nothing"
        """{"name":"x","family":"plait","order":"1"}""", "order: expected a whole number"
        """{"name":"x","family":"plait","order":1,"syncfn":true}""",
        "syncfn: this key is not known; did you mean syncFn?"
        """{"name":"x","family":"plait","order":1,"syncFn":"yes"}""", "syncFn: expected true or false"
        """{"name":"x","family":"plait","order":1,"arguments":"--a"}""", "arguments: expected a list"
        """{"name":"x","family":"plait","order":1,"published":[{"source":"S"}]}""",
        "published[0].percentOfSync: expected a number"
        """{"name":"x","family":"plait","order":1,"published":[1]}""", "published[0]: expected an object"
    ]

let contents = TheoryData<string>(wrong |> List.map fst)

[<Theory; MemberData(nameof contents)>]
let ``a wrong description is refused with the file and the reason`` (content: string) =
    let expected = wrong |> List.find (fst >> (=) content) |> snd
    Assert.Contains(expected, refused content)

let private write (folder: Built.Folder) (name: string) (content: string) =
    Directory.CreateDirectory(folder.File name) |> ignore
    File.WriteAllText(Path.Combine(folder.File name, "candidate.json"), content)

[<Fact>]
let ``candidates come in their order, and folders without a description are no candidates`` () =
    use folder = new Built.Folder()
    write folder "b" """{"name":"b","family":"plait","order":2}"""
    write folder "a" """{"name":"a","family":"plait","order":2}"""
    write folder "z" """{"name":"z","family":"plait","order":1}"""
    Directory.CreateDirectory(folder.File "other") |> ignore
    Assert.Equal<string list>([ "z"; "a"; "b" ], Candidate.discover folder.Path |> List.map _.Name)

[<Fact>]
let ``a folder without candidates, no folder and a name held twice are refused`` () =
    use folder = new Built.Folder()

    let refusal path =
        Assert.Throws<BadInput>(Action(fun () -> Candidate.discover path |> ignore)).Message

    Assert.Contains("candidate.json", refusal folder.Path)
    Assert.Contains("no folder", refusal (folder.File "absent"))
    write folder "a" """{"name":"a","family":"plait","order":2}"""
    write folder "b" """{"name":"a","family":"plait","order":2}"""
    Assert.Contains("named a", refusal folder.Path)

[<Fact>]
let ``a description that cannot be opened is an error of one sentence`` () =
    use folder = new Built.Folder()
    write folder "a" "{}"

    use _ =
        File.Open(
            Path.Combine(folder.File "a", "candidate.json"),
            FileMode.Open,
            FileAccess.ReadWrite,
            FileShare.None
        )

    let trouble =
        Assert.Throws<BadInput>(Action(fun () -> Candidate.discover folder.Path |> ignore))

    Assert.Contains("candidate.json cannot be read as a candidate", trouble.Message)

[<Fact>]
let ``the candidates of the repository have the base, the control and the rows of a comparison`` () =
    let all = Fleet.candidates.Value

    for candidate in all do
        Assert.True(File.Exists candidate.Assembly, $"{candidate.Assembly} is missing")
        Assert.DoesNotContain(candidate.Family, [ Family.Package; Family.Other ])
        Assert.NotEqual<string>("", candidate.Description)

    let ids = RowPlan.ofCandidates all |> List.map _.Id
    Assert.Equal(ids.Length, (List.distinct ids).Length)
    Assert.Contains(FizzBuzz.scenario.Base, ids)
    Assert.Contains(FizzBuzz.scenario.Control, ids)
