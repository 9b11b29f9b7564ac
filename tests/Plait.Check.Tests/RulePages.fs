// Under test: the pages of docs/rules. Every rule has one and every page has a rule; its title is the rule's; and the checker
// finds what stands there under "Flagged", and not what stands under "Fixed" and "Not flagged on purpose".
namespace Plait.Check.Tests

open System
open System.IO
open System.Text.RegularExpressions
open Xunit

open Plait.Check

module RulePages =

    let private folder = Path.Combine(Repository.root, "docs", "rules")

    let private pageOf (code: string) =
        File.ReadAllText(Path.Combine(folder, $"{code}.md"))

    let private sections =
        [ "Flagged"; "Fixed"; "Why it "; "Not flagged on purpose"; "Suppress"; "How sure we are" ]

    /// The F# snippets of a page with the section that each stands in.
    let private snippets (code: string) : (string * string) list =
        [
            for section in (pageOf code).Split("\n## ") |> Array.skip 1 do
                let title = section.Split('\n')[0]

                for snippet in Regex.Matches(section, @"```fsharp\n([\s\S]*?)```") do
                    title, snippet.Groups[1].Value
        ]

    /// The rules that look at code. Those about comments look at what they find, and have tests of their own.
    let private codes = Rules.all |> List.map _.Code

    type private Checked = { Errors: string list; Findings: ((string * string * string) * Finding list) list }

    // one run of the type-checker for the snippets of all pages
    let private checkedOnce =
        lazy
            (let temporary = Directory.CreateTempSubdirectory("plait-pages-").FullName

             try
                 let files =
                     [
                         for code in codes do
                             for number, (section, text) in List.indexed (snippets code) do
                                 let name = $"{code}_{number}"
                                 let file = Path.Combine(temporary, $"{name}.fs")
                                 File.WriteAllText(file, $"module Page_{name}\n\n{text}")
                                 (code, section, text), file
                     ]

                 // the pages on runtime async name builders that only F# 11 compiles
                 let support =
                     Path.Combine(AppContext.BaseDirectory, "Data", "Support", "RuntimeAsync.fs")

                 let project = Snippets.project "Pages" (support :: List.map snd files)
                 let report = Snippets.check project

                 {
                     Errors = Snippets.typeErrors project
                     Findings =
                         [
                             for snippet, file in files do
                                 snippet,
                                 report.Findings
                                 |> List.filter (fun finding -> Path.GetFullPath finding.Location.File = file)
                         ]
                 }
             finally
                 Directory.Delete(temporary, true))

    let private said (findings: Finding list) =
        findings
        |> List.map (fun finding ->
            $"  {finding.Rule} in line {finding.Location.Line - 2} of the snippet: {finding.Message}")
        |> String.concat "\n"

    [<Fact>]
    let ``every rule has a page, and every page a rule`` () =
        let pages =
            Directory.GetFiles(folder, "PLT*.md")
            |> Seq.map (fun file -> string (Path.GetFileNameWithoutExtension file))
            |> Seq.sort
            |> List.ofSeq

        Assert.Equal<string list>(Check.rules |> List.map _.Code |> List.sort, pages)

    [<Fact>]
    let ``the title of a page is the rule's`` () =
        for rule in Check.rules do
            let lines = (pageOf rule.Code).Split '\n'
            Assert.Contains($"title: {rule.Code}, {rule.Title}", lines)
            Assert.Contains($"# {rule.Code}: {rule.Title}", lines)

    [<Fact>]
    let ``a rule's page has a section for flagged code, its fix, the reason, exceptions, suppressing and certainty``
        ()
        =
        for rule in Check.rules do
            let heads =
                Regex.Matches(pageOf rule.Code, @"(?m)^## (.*)$")
                |> Seq.map _.Groups[1].Value
                |> List.ofSeq

            Assert.Equal(sections.Length, heads.Length)

            for expected, head in List.zip sections heads do
                Assert.StartsWith(expected, head)

    [<Fact>]
    let ``the index lists every rule with its title and severity`` () =
        let index = File.ReadAllText(Path.Combine(folder, "README.md"))

        for rule in Check.rules do
            let severity = (string rule.Severity).ToLowerInvariant()
            Assert.Contains($"| [{rule.Code}]({rule.Code}.md) | {rule.Title} | {severity} |", index)

    [<Fact>]
    let ``the snippets of the pages type-check`` () =
        Assert.Equal("", String.Join('\n', checkedOnce.Value.Errors))

    [<Fact>]
    let ``the flagged snippets of a page have findings`` () =
        for (code, section, text), findings in checkedOnce.Value.Findings do
            if section = "Flagged" then
                if findings |> List.forall (fun finding -> finding.Rule <> code) then
                    Assert.Fail
                        $"{code} is not found in what its page calls flagged:\n{text}\n{said findings}"

    [<Fact>]
    let ``the other snippets of a page have no finding of its rule, and no warning`` () =
        for (code, section, text), findings in checkedOnce.Value.Findings do
            if section = "Fixed" || section = "Not flagged on purpose" then
                let wrong =
                    findings
                    |> List.filter (fun finding -> finding.Rule = code || finding.Severity = Severity.Warning)

                if not wrong.IsEmpty then
                    Assert.Fail $"{code}, {section}:\n{said wrong}\n{text}"

    [<Fact>]
    let ``every page has snippets that are flagged, fixed and left alone`` () =
        for code in codes do
            let found = snippets code |> List.map fst

            Assert.All(
                [ "Flagged"; "Fixed"; "Not flagged on purpose" ],
                fun section -> Assert.Contains(section, found)
            )
