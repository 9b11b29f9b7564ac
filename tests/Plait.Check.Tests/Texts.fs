// What the terminal shows of a check.
module Plait.Check.Tests.Texts

open System
open Xunit

open Plait.Common
open Plait.Check
open Plait.Check.Tests.MadeFindings

let private shown width (folder: Folder) outcome =
    FindingsText.lines width folder.Path (Sources()) (fun _ -> false) outcome

let private text width folder outcome =
    shown width folder outcome |> List.map snd |> String.concat "\n"

let private source (folder: Folder) =
    folder.Write(
        "src/A.fs",
        "module A",
        "let f v =",
        "    task {",
        "        let! a = v",
        "        return! v",
        "    }"
    )

let private used (file: string) : Finding =
    { finding "PLT101" file 5 with
        Location = place file 5 17 18
        Message = "'v' is used a second time"
        Path = [ { Location = place file 4 18 19; Says = "first used here" } ]
        Advice = "keep it as a task: v.AsTask()"
        Fix =
            Some
                {
                    Says = "make it a task"
                    Edits = [ { Location = place file 4 19 19; Text = ".AsTask()" } ]
                }
    }

[<Fact>]
let ``a finding has its line with a caret, its path and its advice`` () =
    use folder = new Folder()
    let text = text 100 folder { nothing with Findings = [ used (source folder) ] }

    let expected =
        [
            "src/A.fs"
            ""
            "  5:17 warning PLT101: 'v' is used a second time"
            "    5 |         return! v"
            "      |                 ^"
            "    path: line 4, first used here"
            "    fix: keep it as a task: v.AsTask() (--fix tries it)"
        ]
        |> String.concat "\n"

    Assert.StartsWith(expected, text)

[<Fact>]
let ``findings are grouped by file, and counted by rule and severity`` () =
    use folder = new Folder()
    let file = source folder
    let other = folder.Write("B.fs", "module B", "let x = y", "let z = y")

    let outcome =
        { nothing with
            Findings =
                [
                    used file
                    { finding "PLT101" other 2 with Severity = Severity.Info }
                    finding "PLT201" other 3
                ]
        }

    let lines = shown 100 folder outcome
    let texts = lines |> List.map snd

    Assert.Equal<string list>(
        [ "src/A.fs"; "B.fs" ],
        [
            for kind, text in lines do
                if kind = LineKind.Heading then
                    text
        ]
    )

    Assert.Contains("PLT101        1     1  the rule PLT101", texts)
    Assert.Contains("PLT201        1     -  the rule PLT201", texts)

[<Fact>]
let ``the number of files is printed also without findings`` () =
    use folder = new Folder()
    let text = text 1000 folder nothing
    Assert.Contains("Nothing found.", text)

    Assert.Contains(
        "Looked at 1 project, 3 files, 1,200 lines in 1.50 s: 2 type errors, 0 lines lost to them; 40 declarations, 1 not analysed, 5 skipped (hand-written state machines); 6 of 7 single-use values followed.",
        text
    )

[<Fact>]
let ``projects that were not checked are in the number of all`` () =
    use folder = new Folder()

    let outcome =
        { nothing with
            Unloaded = [ folder.File "A.fsproj", "its import is missing" ]
            Unread = [ folder.File "B.fsproj" ]
        }

    Assert.Contains("Looked at 1 of 3 projects, 3 files, ", text 1000 folder outcome)

[<Fact>]
let ``'nothing found' is not printed for code that could not be analysed`` () =
    use folder = new Folder()

    let text =
        text 1000 folder { nothing with Coverage = { nothing.Coverage with LostLines = 4 } }

    Assert.Contains("Nothing found in the code that could be analysed.", text)
    Assert.Contains("4 lines lost", text)

[<Fact>]
let ``findings that are not shown are counted, with the option that shows them`` () =
    use folder = new Folder()
    let file = source folder

    let text =
        text
            1000
            folder
            { nothing with
                Hidden = [ { finding "PLT403" file 2 with Severity = Severity.Hint } ]
                Suppressed = [ finding "PLT101" file 2, "a reason"; finding "PLT101" file 3, "a reason" ]
                Known = [ finding "PLT101" file 4 ]
                Gone = 3
            }

    Assert.Contains("1 finding below the least severity: --min-severity hint shows them.", text)
    Assert.Contains("2 findings suppressed by comments.", text)
    Assert.Contains("1 finding known in the baseline.", text)
    Assert.Contains("3 findings of the baseline gone: --write-baseline", text)
    Assert.Contains("Nothing new found.", text)

[<Fact>]
let ``fixes that were not applied are listed with the reason`` () =
    use folder = new Folder()
    let file = source folder

    let outcome =
        { nothing with
            Fixes = [ Applied(used file); NotApplied(used file, "the file does not type-check with it") ]
        }

    let shown = text 1000 folder outcome
    Assert.Contains("1 fix was applied.", shown)

    Assert.Contains(
        "1 fix was applied; the findings above remain.",
        text 1000 folder { outcome with Findings = [ used file ] }
    )

    Assert.Contains("src/A.fs:5 PLT101 is not fixed, because the file does not type-check with it.", shown)

[<Fact>]
let ``the short form counts the fixes and has a line with the reason for each that is left`` () =
    use folder = new Folder()
    let file = source folder

    let lines =
        FindingsText.short
            folder.Path
            (fun _ -> false)
            { nothing with
                Fixes = [ Applied(used file); NotApplied(used file, "the file does not type-check with it") ]
            }
        |> List.map snd

    match lines with
    | [ left; closing ] ->
        Assert.Equal("src/A.fs:5 PLT101 is not fixed, because the file does not type-check with it.", left)

        Assert.StartsWith("plait check: nothing found, 1 fix applied, ", closing)
    | lines -> Assert.Fail(String.Join('\n', lines))

[<Theory>]
[<InlineData(40)>]
[<InlineData(60)>]
[<InlineData(90)>]
let ``no line is wider than asked for, and the caret is under its place in a long source line`` (width: int) =
    use folder = new Folder()
    let before = "let a = " + String('x', 200) + " "
    let file = folder.Write("A.fs", "module A", before + "wrong" + String('y', 50))

    let long =
        { finding "PLT101" file 2 with
            Location = place file 2 (before.Length + 1) (before.Length + 6)
            Message = String.replicate 20 "many words "
            Path = [ { Location = place file 1 1 2; Says = String.replicate 20 "a step " } ]
        }

    let lines = text width folder { nothing with Findings = [ long ] } |> _.Split('\n')
    Assert.All(lines, fun line -> Assert.True(line.Length <= width, $"{line.Length} columns: {line}"))
    let at = lines |> Array.findIndex (fun line -> line.TrimEnd().EndsWith "^^^^^")
    let column = lines[at].IndexOf '^'
    Assert.Equal("wrong", lines[at - 1].Substring(column, 5))

[<Fact>]
let ``a place of several lines has carets to the end of its first`` () =
    use folder = new Folder()
    let file = folder.Write("A.fs", "module A", "let a =  b", "    c")
    let several = finding "PLT101" file 2

    let several =
        { several with
            Location = { several.Location with Column = 10; EndLine = 3; EndColumn = 6 }
        }

    Assert.Contains(
        "    2 | let a =  b\n      |          ^\n",
        text 100 folder { nothing with Findings = [ several ] }
    )

[<Fact>]
let ``escape sequences are not printed`` () =
    use folder = new Folder()
    let file = folder.Write("A.fs", "module A", "let a = \"\u001b[31m\tred\"")

    let text =
        text
            100
            folder
            { nothing with Findings = [ { finding "PLT101" file 2 with Message = "in \u001b[2J" } ] }

    Assert.DoesNotContain("\u001b", text)
    Assert.Contains("let a = \" [31m red\"", text)

[<Fact>]
let ``a finding in a file that is gone is shown without its line`` () =
    use folder = new Folder()

    let text =
        text 100 folder { nothing with Findings = [ finding "PLT101" (folder.File "gone.fs") 7 ] }

    Assert.Contains("gone.fs", text)
    Assert.Contains("7:5 warning PLT101: it is wrong", text)
