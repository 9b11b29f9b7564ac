// The data files of the rules. A comment at the end of a line says what is found there: `// PLT101 warning`, or more than
// one with commas. In a positive file nothing else is found, except hints of other rules; in a negative file nothing at all.
namespace Plait.Check.Tests

open System
open System.IO
open System.Text.RegularExpressions
open Xunit

open Plait.Check

module DataFiles =

    let private folder = Path.Combine(AppContext.BaseDirectory, "Data")

    let private sources (parts: string list) =
        Directory.GetFiles(Path.Combine(folder :: parts |> Array.ofList), "*.fs")
        |> Array.sortWith (fun a b -> String.CompareOrdinal(a, b))
        |> List.ofArray

    /// The folders of the rules, by their codes.
    let private codes =
        Directory.GetDirectories folder
        |> Seq.map (Path.GetFileName >> string)
        |> Seq.filter (fun name -> name.StartsWith "PLT")
        |> Seq.sort
        |> List.ofSeq

    let private positives = [ for code in codes -> code, sources [ code; "positive" ] ]

    let private negatives = [ for code in codes -> code, sources [ code; "negative" ] ]

    let private project =
        lazy
            (sources [ "Support" ] @ List.collect snd positives @ List.collect snd negatives
             |> Snippets.project "Data")

    let private report = lazy Snippets.check project.Value

    let private word (severity: Severity) =
        match severity with
        | Severity.Hint -> "hint"
        | Severity.Info -> "info"
        | Severity.Warning -> "warning"

    let private expectation =
        Regex(
            @"//\s*(PLT\d{3} (?:hint|info|warning)(?:,\s*PLT\d{3} (?:hint|info|warning))*)\s*$",
            RegexOptions.Compiled
        )

    /// What the comments of a text expect: line, code, weight.
    let expectedIn (lines: string seq) : (int * string * string) list =
        [
            for number, line in Seq.indexed lines do
                let found = expectation.Match line

                if found.Success then
                    for one in found.Groups[1].Value.Split ',' do
                        match one.Trim().Split ' ' with
                        | [| code; severity |] -> number + 1, code, severity
                        | _ -> failwith $"unreadable expectation: {one}"
        ]

    /// What was found in a file: line, code, weight, message.
    let private seenIn (file: string) =
        [
            for finding in report.Value.Findings do
                if Path.GetFullPath finding.Location.File = Path.GetFullPath file then
                    (finding.Location.Line, finding.Rule, word finding.Severity), finding.Message
        ]

    /// Both lists with what only one of them has, beside the text of its line.
    let private difference (file: string) expected (seen: ((int * string * string) * string) list) =
        let lines = File.ReadAllLines file
        let counted items = items |> List.countBy id |> Map.ofList
        let expectedCounts, seenCounts = counted expected, counted (List.map fst seen)

        let more (these: Map<int * string * string, int>) (those: Map<int * string * string, int>) says =
            [
                for KeyValue((line, code, severity) as key, times) in these do
                    let missing = times - (Map.tryFind key those |> Option.defaultValue 0)

                    if missing > 0 then
                        let message =
                            seen
                            |> List.tryFind (fun (place, _) -> place = key)
                            |> Option.map (fun (_, message) -> $"  [{message}]")
                            |> Option.defaultValue ""

                        line, $"  {line}: {says} {code} {severity}: {lines[line - 1].Trim()}{message}"
            ]

        more expectedCounts seenCounts "expected, not seen:"
        @ more seenCounts expectedCounts "seen, not expected:"
        |> List.sort
        |> List.map snd

    let private agree file expected seen =
        match difference file expected seen with
        | [] -> ()
        | lines ->
            let text = String.Join('\n', lines)
            Assert.Fail $"{Path.GetRelativePath(folder, file)}\n{text}"

    let private theory (files: (string * string list) list) =
        let data = TheoryData<string, string>()

        for code, files in files do
            for file in files do
                data.Add(code, Path.GetFileNameWithoutExtension file |> string)

        data

    let positiveFiles: TheoryData<string, string> = theory positives

    let negativeFiles: TheoryData<string, string> = theory negatives

    [<Fact>]
    let ``the data files type-check without an error`` () =
        Assert.Equal("", String.Join('\n', Snippets.typeErrors project.Value))

    [<Fact>]
    let ``the check of the data files sees every file and loses no line`` () =
        let coverage = report.Value.Coverage
        Assert.Equal(project.Value.Options.SourceFiles.Length, coverage.Files)
        Assert.Equal(0, coverage.TypeErrors)
        Assert.Equal(0, coverage.LostLines)
        Assert.Equal(0, coverage.NotAnalysed)

    [<Fact>]
    let ``every rule has positive and negative data, and every folder has a rule`` () =
        let rules =
            Rules.all |> List.map _.Code |> List.filter (fun code -> not (code.StartsWith "PLT0"))

        Assert.Equal<string list>(List.sort rules, codes)
        Assert.All(positives @ negatives, fun (_, files) -> Assert.NotEmpty files)

    [<Fact>]
    let ``every positive file expects a finding of its rule, and no negative file expects any`` () =
        for code, files in positives do
            for file in files do
                Assert.Contains(expectedIn (File.ReadLines file), fun (_, expected, _) -> expected = code)

        for _, files in negatives do
            for file in files do
                Assert.Empty(expectedIn (File.ReadLines file))

    [<Fact>]
    let ``expectations are read from the ends of lines`` () =
        let expected =
            expectedIn
                [
                    "let! b = vt // PLT101 warning"
                    "let s = \"// PLT101 warning\" + x"
                    "vt.Result // PLT103 warning, PLT101 info"
                    "// PLT101 says that"
                ]

        Assert.Equal<_ list>(
            [ 1, "PLT101", "warning"; 3, "PLT103", "warning"; 3, "PLT101", "info" ],
            expected
        )

    [<Theory>]
    [<MemberData(nameof positiveFiles)>]
    let ``the findings are exactly those that the comments expect`` (code: string) (name: string) =
        let file = Path.Combine(folder, code, "positive", $"{name}.fs")
        let expected = expectedIn (File.ReadLines file)

        let wanted =
            expected |> List.map (fun (_, code, _) -> code) |> Set.ofList |> Set.add code

        seenIn file
        |> List.filter (fun ((_, rule, severity), _) -> severity <> "hint" || wanted.Contains rule)
        |> agree file expected

    [<Theory>]
    [<MemberData(nameof negativeFiles)>]
    let ``correct code has no findings`` (code: string) (name: string) =
        let file = Path.Combine(folder, code, "negative", $"{name}.fs")
        agree file [] (seenIn file)
