// The SARIF of a check: valid by the published schema, and with what hosts and editors read of it.
module Plait.Check.Tests.SarifFiles

open System.IO
open System.Reflection
open System.Text.Json.Nodes
open Xunit

open Plait.Tests.Support
open Plait.Check
open Plait.Check.Tests.MadeFindings

let private schema =
    lazy
        (use stream =
            (Assembly.GetExecutingAssembly()).GetManifestResourceStream "sarif-schema.json" |> nonNull

         use reader = new StreamReader(stream)
         reader.ReadToEnd())

let private parse (text: string) = JsonNode.Parse text |> nonNull

/// What stands at a path of keys and numbers.
let rec private at (path: obj list) (node: JsonNode) : JsonNode =
    match path with
    | [] -> node
    | (:? int as index) :: rest -> at rest (nonNull node[index])
    | key :: rest ->
        match node[string key] with
        | null -> failwith $"there is no {key} in {node}"
        | below -> at rest below

/// The run of the written file, which is valid.
let private run (folder: Folder) code outcome : JsonNode =
    let log = Sarif.write folder.Path code (Sources()) outcome |> parse
    Assert.Equal<string list>([], SchemaCheck.validate schema.Value log)
    at [ "runs"; 0 ] log

let private text path node = (at path node).ToString()

let private has (key: string) (node: JsonNode) = not (isNull node[key])

let private full (folder: Folder) =
    let file = folder.Write("src/My File#1.fs", "module A", "let a = b", "let a = b")

    let used =
        { finding "PLT101" file 2 with
            Path = [ { Location = place file 1 1 7; Says = "first used here" } ]
            Fix =
                Some
                    {
                        Says = "make it a task"
                        Edits = [ { Location = place file 2 9 9; Text = ".AsTask()" } ]
                    }
        }

    let hint = { finding "PLT403" file 3 with Severity = Severity.Hint }

    let outcome =
        { nothing with
            Findings = [ used; hint; finding "PLT101" file 3 ]
            Suppressed = [ finding "PLT201" file 2, "a reason" ]
            Known = [ finding "PLT201" file 3 ]
            Notes = [ "B is not restored" ]
        }

    file, outcome

[<Fact>]
let ``the published schema refuses wrong files`` () =
    use folder = new Folder()
    let log = Sarif.write folder.Path 1 (Sources()) (snd (full folder)) |> parse
    let result = log |> at [ "runs"; 0; "results"; 0 ]
    result["level"] <- JsonValue.Create "bad"
    result.AsObject().Remove "message" |> ignore
    Assert.Equal(2, (SchemaCheck.validate schema.Value log).Length)

[<Fact>]
let ``a log without findings is valid`` () =
    use folder = new Folder()
    let run = run folder 0 nothing
    Assert.Empty((at [ "results" ] run).AsArray())
    Assert.Equal("utf16CodeUnits", text [ "columnKind" ] run)
    Assert.Equal("true", text [ "invocations"; 0; "executionSuccessful" ] run)

[<Fact>]
let ``a result has its rule, level, place, message and advice`` () =
    use folder = new Folder()
    let run = run folder 1 (snd (full folder))
    let result = at [ "results"; 0 ] run
    Assert.Equal("PLT101", text [ "ruleId" ] result)
    let index = (at [ "ruleIndex" ] result).GetValue<int>()
    Assert.Equal("PLT101", text [ "tool"; "driver"; "rules"; index; "id" ] run)
    Assert.Equal("warning", text [ "level" ] result)
    Assert.Equal("it is wrong. Instead: write it right.", text [ "message"; "text" ] result)
    let physical = at [ "locations"; 0; "physicalLocation" ] result
    Assert.Equal("src/My%20File%231.fs", text [ "artifactLocation"; "uri" ] physical)
    Assert.Equal("%SRCROOT%", text [ "artifactLocation"; "uriBaseId" ] physical)
    Assert.Equal("2", text [ "region"; "startLine" ] physical)
    Assert.Equal("9", text [ "region"; "endColumn" ] physical)
    Assert.StartsWith("file://", text [ "originalUriBaseIds"; "%SRCROOT%"; "uri" ] run)
    Assert.EndsWith("/", text [ "originalUriBaseIds"; "%SRCROOT%"; "uri" ] run)
    Assert.Equal("note", text [ "results"; 1; "level" ] run)

[<Fact>]
let ``a file outside the root has its whole URI`` () =
    use folder = new Folder()

    let run =
        run folder 1 { nothing with Findings = [ finding "PLT101" "/elsewhere/B.fs" 3 ] }

    let artifact =
        at [ "results"; 0; "locations"; 0; "physicalLocation"; "artifactLocation" ] run

    Assert.Equal("file:///elsewhere/B.fs", text [ "uri" ] artifact)
    Assert.False(has "uriBaseId" artifact)

[<Fact>]
let ``the way to a finding is a code flow that ends there, and its fix a replacement`` () =
    use folder = new Folder()
    let run = run folder 1 (snd (full folder))
    let result = at [ "results"; 0 ] run
    let steps = at [ "codeFlows"; 0; "threadFlows"; 0; "locations" ] result
    Assert.Equal(2, steps.AsArray().Count)
    Assert.Equal("first used here.", text [ 0; "location"; "message"; "text" ] steps)
    Assert.Equal("2", text [ 1; "location"; "physicalLocation"; "region"; "startLine" ] steps)
    let replacement = at [ "fixes"; 0; "artifactChanges"; 0; "replacements"; 0 ] result
    Assert.Equal(".AsTask()", text [ "insertedContent"; "text" ] replacement)
    Assert.Equal("9", text [ "deletedRegion"; "startColumn" ] replacement)
    let plain = at [ "results"; 2 ] run
    Assert.False(has "codeFlows" plain || has "fixes" plain || has "suppressions" plain)

[<Fact>]
let ``suppressed findings and findings of the baseline are marked`` () =
    use folder = new Folder()
    let run = run folder 1 (snd (full folder))

    let suppression index =
        at [ "results"; index; "suppressions"; 0 ] run

    Assert.Equal("inSource", text [ "kind" ] (suppression 3))
    Assert.Equal("a reason", text [ "justification" ] (suppression 3))
    Assert.Equal("external", text [ "kind" ] (suppression 4))

[<Fact>]
let ``code that could not be analysed makes the invocation unsuccessful, with notes`` () =
    use folder = new Folder()
    let invocation = run folder 2 (snd (full folder)) |> at [ "invocations"; 0 ]
    Assert.Equal("false", text [ "executionSuccessful" ] invocation)
    Assert.Equal("2", text [ "exitCode" ] invocation)
    Assert.Equal("B is not restored.", text [ "toolExecutionNotifications"; 0; "message"; "text" ] invocation)

    Assert.StartsWith(
        "Looked at 1 project",
        text [ "toolExecutionNotifications"; 1; "message"; "text" ] invocation
    )

[<Fact>]
let ``a fingerprint stays when lines are added above, and differs for the same line again`` () =
    use folder = new Folder()

    let print outcome index =
        run folder 1 outcome |> text [ "results"; index; "partialFingerprints"; "plaitLine/v1" ]

    let file = folder.Write("A.fs", "module A", "let a = b", "let a = b")

    let both =
        { nothing with Findings = [ finding "PLT101" file 2; finding "PLT101" file 3 ] }

    let first, second = print both 0, print both 1
    Assert.NotEqual<string>(first, second)
    folder.Write("A.fs", "module A", "", "// more", "let a = b") |> ignore
    Assert.Equal(first, print { nothing with Findings = [ finding "PLT101" file 4 ] } 0)

[<Fact>]
let ``each rule has its page as help, its address if the build has one, and the properties by which code scanning sorts``
    ()
    =
    use folder = new Folder()
    let run = run folder 1 { nothing with Rules = Check.rules }

    for index, rule in List.indexed Check.rules do
        let shown = at [ "tool"; "driver"; "rules"; index ] run
        Assert.Equal(rule.Code, text [ "id" ] shown)
        Assert.True(has "name" shown)

        Assert.Equal(Sarif.repository.IsSome, has "helpUri" shown)
        Assert.Equal(None, Sarif.helpUri None rule)

        Assert.Equal(
            Some $"https://example.org/plait/blob/HEAD/docs/rules/{rule.Code}.md",
            Sarif.helpUri (Some "https://example.org/plait") rule
        )

        Assert.Contains(rule.Code, text [ "help"; "markdown" ] shown)
        Assert.Contains(text [ "properties"; "precision" ] shown, [ "very-high"; "high"; "medium" ])
        Assert.Contains("concurrency", text [ "properties"; "tags" ] shown)

[<Fact>]
let ``a project that was not checked is an error of the invocation`` () =
    use folder = new Folder()

    let run =
        run
            folder
            2
            { nothing with
                Unloaded =
                    [
                        folder.File "src/A.fsproj", "its import is missing"
                        folder.File "B.fsproj", folder.File "B.fsproj" + " cannot be loaded: it is empty"
                    ]
            }

    let said (number: int) =
        let notification = at [ "invocations"; 0; "toolExecutionNotifications"; number ] run
        Assert.Equal("error", text [ "level" ] notification)
        text [ "message"; "text" ] notification

    Assert.Equal("src/A.fsproj was not checked: its import is missing.", said 0)
    Assert.Equal("B.fsproj was not checked: it cannot be loaded: it is empty.", said 1)
